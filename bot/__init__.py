"""Everything about talking: platforms, models, the desk, and the way of one message."""
