"""The forgetting laboratory: a simulated year under each law (``make lab``)."""
