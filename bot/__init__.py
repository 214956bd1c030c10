"""Everything about talking: platforms, language models, commands, and the way of one message."""
