"""Servers known by name, and what a request holds beside the prompt.

What is known of servers was read in the documentation of each on 2026-11-22. A server that refuses
one of the fields is asked without it (:mod:`bot.llm.provider`), so a preset may be out of date
without doing harm.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final, NamedTuple

from bot.settings import ProviderName, Settings
from prompts import OPERATIONS_SCHEMA, Begin, Compress, Prompt, Reply, Review, Summarize

Fields = Mapping[str, Any]


class Dials(NamedTuple):
    """How freely a model may speak, and how many tokens its answer may have."""

    temperature: float
    tokens: int


def dials_for(prompt: Prompt) -> Dials:
    """Return the dials of a purpose: talk is lively, judgements are sober.

    The lengths hold the longest honest answer several times; they only end a model that comes to
    no end by itself.
    """
    match prompt:
        case Reply():
            return Dials(0.7, 1_500)
        case Begin():
            return Dials(0.7, 400)
        case Summarize():
            return Dials(0.2, 3_000)
        case Compress() | Review():
            return Dials(0.1, 800)
        case _:
            return Dials(0.1, 1_500)


FORMAT: Final = "response_format"
IN_JSON: Final[Fields] = {
    FORMAT: {
        "type": "json_schema",
        "json_schema": {"name": "operations", "schema": OPERATIONS_SCHEMA},
    }
}
"""Asks that the operations of a judgement come as JSON."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestStyle:
    """What a request holds beside model and messages.

    ``thinking_off`` is what keeps a model from thinking aloud, or hides it. ``length_key`` is how
    the server calls the longest answer, empty if none is asked for; ``sampled``: whether it takes
    a temperature. ``extra`` is what the operator wants in every request, whatever comes of it.
    ``json_answers``: the server is asked to hold a model to JSON where it judges; whoever refuses
    that once is never asked for it again.
    """

    thinking_off: Fields = field(default_factory=dict)
    sampled: bool = False
    length_key: str = ""
    extra: Fields = field(default_factory=dict)
    json_answers: bool = False

    def optional_fields(self, prompt: Prompt) -> Iterator[Fields]:
        """Yield the parts of a request that a server may refuse, the likeliest to be last."""
        dials = dials_for(prompt)
        if self.thinking_off:
            yield self.thinking_off
        if self.length_key:
            yield {self.length_key: dials.tokens}
        if self.sampled:
            yield {"temperature": dials.temperature}
        if self.json_answers and prompt.in_json() is not None:
            yield IN_JSON


@dataclass(frozen=True, slots=True, kw_only=True)
class Preset:
    """A server known by name: where it is, what a model of it takes, and how it is asked."""

    url: str
    context_tokens: int
    style: RequestStyle = field(default_factory=RequestStyle)
    is_local: bool = False


_NOTHING: Final[Fields] = {}
_TEMPLATE_OFF: Final[Fields] = {"chat_template_kwargs": {"enable_thinking": False}}
_TYPE_OFF: Final[Fields] = {"thinking": {"type": "disabled"}}


def _style(thinking_off: Fields = _NOTHING, length_key: str = "max_tokens") -> RequestStyle:
    return RequestStyle(thinking_off=thinking_off, sampled=True, length_key=length_key)


PRESETS: Final[Mapping[ProviderName, Preset]] = {
    "deepseek": Preset(
        url="https://api.deepseek.com", context_tokens=64_000, style=_style(_TYPE_OFF)
    ),
    "qwen": Preset(
        url="https://dashscope.aliyuncs.com/compatible-mode/v1",
        context_tokens=32_000,
        style=_style({"enable_thinking": False}),
    ),
    "zhipu": Preset(
        url="https://open.bigmodel.cn/api/paas/v4",
        context_tokens=64_000,
        style=_style(_TYPE_OFF),
    ),
    # Its models of today fix the temperature themselves and refuse any other.
    "moonshot": Preset(
        url="https://api.moonshot.cn/v1",
        context_tokens=64_000,
        style=RequestStyle(thinking_off=_TYPE_OFF, length_key="max_completion_tokens"),
    ),
    "openai": Preset(
        url="https://api.openai.com/v1",
        context_tokens=64_000,
        style=_style(length_key="max_completion_tokens"),
    ),
    "openrouter": Preset(
        url="https://openrouter.ai/api/v1",
        context_tokens=32_000,
        style=_style({"reasoning": {"enabled": False, "exclude": True}}),
    ),
    # Without more memory it takes 4,096 tokens, and drops the beginning of what is longer.
    "ollama": Preset(
        url="http://127.0.0.1:11434/v1",
        context_tokens=4_096,
        style=_style({"reasoning_effort": "none"}),
        is_local=True,
    ),
    "lmstudio": Preset(
        url="http://127.0.0.1:1234/v1", context_tokens=4_096, style=_style(), is_local=True
    ),
    "llamacpp": Preset(
        url="http://127.0.0.1:8080/v1",
        context_tokens=4_096,
        style=_style(_TEMPLATE_OFF),
        is_local=True,
    ),
    "vllm": Preset(
        url="http://127.0.0.1:8000/v1",
        context_tokens=8_192,
        style=_style(_TEMPLATE_OFF),
        is_local=True,
    ),
}


DEFAULT_CONTEXT_TOKENS: Final = 16_000
"""What a model of a server without a preset is taken to have."""


def preset_for(settings: Settings) -> Preset:
    """Return how the language model is asked: by its preset, where the settings say no other."""
    known = PRESETS.get(settings.llm_provider) if settings.llm_provider else None
    preset = known or Preset(url="", context_tokens=DEFAULT_CONTEXT_TOKENS)
    return replace(
        preset,
        url=settings.llm_base_url or preset.url,
        context_tokens=settings.llm_context_tokens or preset.context_tokens,
        style=replace(preset.style, extra=settings.extra_body, json_answers=True),
    )
