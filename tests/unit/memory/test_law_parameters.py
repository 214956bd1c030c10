"""The parameters of the laws: named as in the source documents, bounded, refused by name."""

from math import inf, nan
from typing import Any

import pytest

from memory.errors import InputRefused
from memory.laws import disuse, ebbinghaus, network, tiers, weights
from memory.laws.contract import ParameterValue, bounds_of
from memory.laws.law import Law
from memory.laws.registry import LAWS
from memory.model import AgentSettings
from tests.fakes.laws import LawParameters, parameters


def chosen(*pairs: tuple[str, ParameterValue]) -> LawParameters:
    return parameters(AgentSettings(parameters=pairs))


def test_without_choices_everything_is_as_in_the_documents() -> None:
    found = chosen()

    assert found == LawParameters(
        tiers=tiers.TiersParameters(),
        ebbinghaus=ebbinghaus.EbbinghausParameters(),
        weights=weights.WeightsParameters(),
        network=network.NetworkParameters(),
        disuse=disuse.DisuseParameters(),
    )
    assert found.ebbinghaus.initial_stability == 24
    assert found.weights.alpha_base == 0.01
    assert found.network.decay_rate == 0.97
    assert found.tiers.rest_days == 7


def test_a_choice_is_found_under_the_name_of_its_document() -> None:
    found = chosen(("ebbinghaus.initialStability", 48), ("weights.c_mode", "sinking"))

    assert found.ebbinghaus.initial_stability == 48.0
    assert found.weights.c_mode == "sinking"


def test_everything_wrong_is_named_at_once_with_its_range() -> None:
    with pytest.raises(InputRefused) as refused:
        chosen(
            ("ebbinghaus.maxStability", 3),
            ("weights.u_mode", "sometimes"),
            ("network.decay_rate", 1.5),
            ("tiers.rest_days", 2.5),
            ("tiers.colour", 1),
        )

    said = str(refused.value)
    assert "tiers.colour is no law parameter" in said
    assert "ebbinghaus.maxStability is 3, it must be 24 to 87600" in said
    assert "weights.u_mode is 'sometimes', it must be decay | literal" in said
    assert "network.decay_rate is 1.5, it must be 0.01 to 1" in said
    assert "tiers.rest_days is 2.5, it must be 0 to 365, whole" in said


@pytest.mark.parametrize("value", [nan, inf, -inf, "7", 366])
def test_what_is_no_number_in_the_range_is_refused(value: ParameterValue) -> None:
    with pytest.raises(InputRefused, match="rest_days is"):
        chosen(("tiers.rest_days", value))


def test_borders_may_not_pass_one_another() -> None:
    with pytest.raises(InputRefused, match=r"delete_below is .*, it may not exceed"):
        chosen(("tiers.delete_below", 0.6))
    with pytest.raises(InputRefused, match="deleteThreshold is 11"):
        chosen(("ebbinghaus.deleteThreshold", 11))


@pytest.mark.parametrize("factor", [0.49, 2.01, nan])
def test_a_user_factor_out_of_range_is_refused(factor: float) -> None:
    with pytest.raises(InputRefused, match="user_factor"):
        parameters(AgentSettings(user_factor=factor))


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.name)
def test_every_default_lies_within_its_own_bounds(law: Law[Any]) -> None:
    for name, bound, default in bounds_of(law.parameters):
        assert bound.admits(default), name
        assert bound.zh, name
        assert bound.en, name


def test_every_parameter_can_be_set_to_either_end_of_its_range() -> None:
    ordered = {"delete_below", "review_below", "promotion_at", "core_importance"}
    ordered |= {"deleteThreshold", "archiveThreshold", "full_above", "summary_above", "tag_above"}
    ordered |= {name for law in LAWS for pair in law.ordered for name in pair}
    for law in LAWS:
        for field, bound, _ in bounds_of(law.parameters):
            if bound.name in ordered:
                continue
            for value in bound.choices or (bound.low, bound.high):
                found = chosen((f"{law.name}.{bound.name}", value))

                assert getattr(getattr(found, law.name), field) == value
