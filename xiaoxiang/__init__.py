"""The one name of the program when it is installed.

In the repository this package only holds the entry point. The wheel (``hatch_build.py``) puts
``bot``, ``memory`` and ``prompts`` below it, so that nothing else is claimed in a partner's
environment: ``from xiaoxiang.memory import open_memory``.
"""
