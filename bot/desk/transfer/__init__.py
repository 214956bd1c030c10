"""Taking memories along and bringing them in: ``/memory export`` and ``/memory import``."""
