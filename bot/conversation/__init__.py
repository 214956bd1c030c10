"""The core of talking: no platform and no HTTP in here."""
