"""What every test stands on: hypothesis profiles and a loop that must not be blocked."""

from hypothesis import HealthCheck, settings

settings.register_profile(
    "suite", max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("hunt", max_examples=5_000, deadline=None)
settings.load_profile("suite")
