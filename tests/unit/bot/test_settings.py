"""What a new agent starts with, as the environment says it."""

import pytest

from bot.settings import read_settings
from memory.errors import InputRefused


def test_every_parameter_may_be_set_for_new_agents() -> None:
    written = "ebbinghaus.initialStability=48; retention_floor=0.5; partner=小雨"
    found = read_settings(memory_settings=written, _env_file=None).agent_defaults()

    assert found.parameters == (("ebbinghaus.initialStability", 48.0),)
    assert (found.retention_floor, found.partner) == (0.5, "小雨")


def test_what_is_wrong_is_named_with_its_key() -> None:
    with pytest.raises(InputRefused) as refused:
        read_settings(memory_settings="tiers.rest_days=often; colour=1", _env_file=None)

    said = str(refused.value)
    assert "MEMORY_SETTINGS: tiers.rest_days must be 0 to 365, whole" in said
    assert "'colour' can not be set" in said


def test_values_that_do_not_go_together_are_refused_at_the_start() -> None:
    with pytest.raises(InputRefused, match=r"MEMORY_SETTINGS: disuse\.everyday is 0\.9"):
        read_settings(memory_settings="disuse.everyday=0.9", _env_file=None)
