"""What holds for every test: none of them fails because the machine was busy."""

from hypothesis import HealthCheck, settings

settings.register_profile("no clock", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("no clock")
