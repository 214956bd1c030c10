"""What each server known by name really answers, where it differs from OpenAI's own.

Written down from their documentation and from reports of their users (2026-11-23): the shapes of
sound answers, of thoughts beside them, of bills, and of errors, with the outcome each must become.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple

from bot.settings import ProviderName
from memory.ports import Invalid, Outcome, Refused, Replied, TooLong, Truncated, Unavailable, Usage
from tests.fakes.openai_answers import (
    DONE,
    Behaviour,
    Json,
    chunk,
    completion,
    document,
    error,
    events,
)

THOUGHT: Final = "thought-7c21"
"""What a model only thought: never shown, never kept."""

ANSWER: Final = "晚上好呀"


class Quirk(NamedTuple):
    """One way of a server, and what it has to become."""

    server: ProviderName
    name: str
    behaviour: Behaviour
    outcome: Outcome


def replied(prompt: int = 0, answer: int = 0, cached: int | None = None) -> Replied:
    """Return the outcome of a sound answer with its bill."""
    bill = Usage(prompt_tokens=prompt, completion_tokens=answer, cached_tokens=cached)
    return Replied(ANSWER, model="big", usage=bill)


def bill(prompt: int, answer: int, **details: object) -> Json:
    """Return the event that ends a stream with what it cost."""
    usage = {"prompt_tokens": prompt, "completion_tokens": answer, "total_tokens": prompt + answer}
    return {"id": "c1", "choices": [], "usage": {**usage, **details}}


def ending(reason: str = "stop", **choice: object) -> Json:
    """Return the event with the finish reason."""
    last = {"index": 0, "delta": {}, "finish_reason": reason, **choice}
    return {"id": "c1", "object": "chat.completion.chunk", "choices": [last]}


def failing(status: int, **detail: object) -> Behaviour:
    """Refuse with an error document of these fields."""
    return document({"error": detail}, status=status)


_TWO: Final = (chunk(ANSWER[:2]), chunk(ANSWER[2:]))

QUIRKS: Final = (
    Quirk(
        "deepseek",
        "comments while it waits, thoughts in a field of their own, the cache beside the bill",
        events(
            b": keep-alive\n\n",
            b": keep-alive\n\n",
            chunk(None, content=None, reasoning_content=THOUGHT),
            *_TWO,
            {**ending(), "usage": None},
            bill(120, 9, prompt_cache_hit_tokens=64, prompt_cache_miss_tokens=56),
            DONE,
        ),
        replied(120, 9, 64),
    ),
    Quirk(
        "deepseek",
        "no money",
        failing(402, message="Insufficient Balance", type="unknown_error", code="invalid_request"),
        Unavailable("quota"),
    ),
    Quirk(
        "deepseek",
        "interrupted for want of machines",
        events(*_TWO, ending("insufficient_system_resource"), DONE),
        Unavailable("server_error"),
    ),
    Quirk(
        "qwen",
        "empty content beside each thought, a bill of null until the end",
        events(
            {**chunk(None, content=None, role="assistant", reasoning_content=""), "usage": None},
            {**chunk(None, content=None, reasoning_content=THOUGHT), "usage": None},
            *_TWO,
            ending(),
            bill(80, 7, prompt_tokens_details={"cached_tokens": 0}),
            DONE,
        ),
        replied(80, 7, 0),
    ),
    Quirk(
        "qwen",
        "in arrears",
        failing(
            400,
            message="Access denied, please make sure your account is in good standing.",
            type="Arrearage",
            code="Arrearage",
        ),
        Unavailable("quota"),
    ),
    Quirk(
        "qwen",
        "inspected and refused",
        failing(
            400,
            message="Input data may contain inappropriate content.",
            code="data_inspection_failed",
        ),
        Refused(),
    ),
    Quirk(
        "zhipu",
        "thoughts within the text",
        events(chunk(f"<think>{THOUGHT}"), chunk("</think>\n"), *_TWO, ending(), DONE),
        replied(),
    ),
    Quirk(
        "zhipu",
        "stopped by its censor",
        events(chunk("晚"), ending("sensitive"), DONE),
        Refused(),
    ),
    Quirk(
        "zhipu",
        "broken off",
        events(chunk("晚"), ending("network_error")),
        Unavailable("server_error"),
    ),
    Quirk(
        "zhipu",
        "too long, told at the end",
        events(ending("model_context_window_exceeded"), DONE),
        TooLong(),
    ),
    Quirk(
        "zhipu",
        "full amid the answer",
        events(*_TWO, ending("model_context_window_exceeded"), DONE),
        Truncated(ANSWER, at_limit=True),
    ),
    Quirk(
        "zhipu",
        "in arrears, with the status of too many requests",
        failing(429, code="1113", message="您的账户已欠费，请充值后重试。"),
        Unavailable("quota"),
    ),
    Quirk(
        "zhipu",
        "refused in English",
        failing(
            400,
            code="1301",
            message="System detected potentially unsafe or sensitive content in input or "
            "generation.",
        ),
        Refused(),
    ),
    Quirk(
        "moonshot",
        "the bill inside the last choice",
        events(
            *_TWO,
            ending(usage={"prompt_tokens": 60, "completion_tokens": 5, "cached_tokens": 32}),
            DONE,
        ),
        replied(60, 5, 32),
    ),
    Quirk(
        "moonshot",
        "no money, with the status of too many requests",
        failing(
            429,
            message="Your account is suspended, please check your plan and billing details",
            type="exceeded_current_quota_error",
        ),
        Unavailable("quota"),
    ),
    Quirk(
        "moonshot",
        "filtered",
        failing(
            400,
            message="The request was rejected because it was considered high risk",
            type="content_filter",
        ),
        Refused(),
    ),
    Quirk(
        "openai",
        "a refusal in a field of its own",
        document(completion(None, refusal="I cannot help with that.")),
        Refused(),
    ),
    Quirk(
        "openai",
        "no money, with the status of too many requests",
        error(429, "You exceeded your current quota", "insufficient_quota"),
        Unavailable("quota"),
    ),
    Quirk(
        "openai",
        "cached tokens in a part of their own, and fields nobody knows",
        events(
            {**chunk(None, role="assistant", content="", refusal=None), "obfuscation": "x9"},
            *_TWO,
            ending(logprobs=None),
            bill(1100, 8, prompt_tokens_details={"cached_tokens": 1024, "audio_tokens": 0}),
            DONE,
        ),
        replied(1100, 8, 1024),
    ),
    Quirk(
        "openrouter",
        "comments, and thoughts told twice",
        events(
            b": OPENROUTER PROCESSING\n\n",
            chunk(
                "",
                reasoning=THOUGHT,
                reasoning_details=[{"type": "reasoning.text", "text": THOUGHT}],
            ),
            *_TWO,
            ending(native_finish_reason="STOP"),
            bill(90, 6),
            DONE,
        ),
        replied(90, 6),
    ),
    Quirk(
        "openrouter",
        "an error amid the stream, with a choice beside it",
        events(
            chunk("晚"),
            {
                **ending("error", delta={"content": ""}),
                "error": {"code": "server_error", "message": "Provider disconnected"},
            },
        ),
        Unavailable("server_error"),
    ),
    Quirk(
        "openrouter",
        "another server's status within its own 200",
        document({"error": {"code": 502, "message": "Provider returned error"}, "user_id": "u"}),
        Unavailable("server_error"),
    ),
    Quirk(
        "openrouter",
        "flagged",
        failing(
            403,
            code=403,
            message='big requires moderation. Your input was flagged for "violence"',
            metadata={"reasons": ["violence"], "flagged_input": "…", "provider_name": "X"},
        ),
        Refused(),
    ),
    Quirk(
        "openrouter",
        "no credits",
        failing(402, code=402, message="Insufficient credits"),
        Unavailable("quota"),
    ),
    Quirk(
        "ollama",
        "thoughts beside an empty content",
        events(chunk("", role="assistant", reasoning=THOUGHT), *_TWO, ending(), bill(40, 4), DONE),
        replied(40, 4),
    ),
    Quirk(
        "ollama",
        "a model it has not pulled",
        failing(404, message="model 'big' not found", type="api_error", param=None, code=None),
        Unavailable("unknown_model"),
    ),
    Quirk(
        "ollama",
        "only thoughts until its own end",
        events(chunk("", reasoning=THOUGHT), ending(), DONE),
        Invalid("only_thoughts"),
    ),
    Quirk(
        "lmstudio",
        "an error as an event of its own kind, after a 200",
        events(
            b'event: error\ndata: {"error": {"message": "Trying to keep the first 15857 tokens '
            b"when context the overflows. However, the model is loaded with context length of "
            b'only 4096 tokens, which is not enough."}}\n\n'
        ),
        TooLong(),
    ),
    Quirk(
        "lmstudio",
        "no model is loaded",
        failing(404, message="No models loaded. Please load a model", code="model_not_found"),
        Unavailable("unknown_model"),
    ),
    Quirk(
        "lmstudio",
        "a sound stream without a word, where the prompt was too long",
        events(chunk(None, role="assistant"), ending(), bill(5_000, 0), DONE),
        Invalid("empty"),
    ),
    Quirk(
        "llamacpp",
        "still loading",
        failing(503, code=503, message="Loading model", type="unavailable_error"),
        Unavailable("overloaded"),
    ),
    Quirk(
        "llamacpp",
        "too long",
        failing(
            400,
            code=400,
            message="request (4390 tokens) exceeds the available context size (4096 tokens)",
            type="exceed_context_size_error",
            n_prompt_tokens=4390,
            n_ctx=4096,
        ),
        TooLong(),
    ),
    Quirk(
        "llamacpp",
        "too long, as an error of the server",
        failing(500, code=500, message="Context size has been exceeded.", type="server_error"),
        TooLong(),
    ),
    Quirk(
        "llamacpp",
        "thoughts, and how long everything took",
        events(
            chunk(None, content=None, role="assistant", reasoning_content=THOUGHT),
            *_TWO,
            {**ending(), "timings": {"cache_n": 30, "prompt_n": 10, "prompt_ms": 30.9}},
            bill(40, 4, prompt_tokens_details={"cached_tokens": 30}),
            DONE,
        ),
        replied(40, 4, 30),
    ),
    Quirk(
        "vllm",
        "an error that is the whole document",
        document(
            {
                "object": "error",
                "message": "This model's maximum context length is 1024 tokens.",
                "type": "BadRequestError",
                "param": None,
                "code": 400,
            },
            status=400,
        ),
        TooLong(),
    ),
    Quirk(
        "vllm",
        "the same amid a stream",
        events(
            chunk("晚"),
            {"object": "error", "message": "EngineCore died", "type": "X", "code": 500},
            DONE,
        ),
        Unavailable("server_error"),
    ),
    Quirk(
        "vllm",
        "no room left for a word",
        failing(400, message="max_tokens must be at least 1, got -186.", type="BadRequestError"),
        TooLong(),
    ),
    Quirk(
        "vllm",
        "thoughts by their new name",
        events(chunk(None, reasoning=THOUGHT), *_TWO, ending(stop_reason=None), DONE),
        replied(),
    ),
)

FAILING_QUIRKS: Final[Mapping[str, tuple[Behaviour, Outcome]]] = {
    f"{each.server}: {each.name}": (each.behaviour, each.outcome)
    for each in QUIRKS
    if not isinstance(each.outcome, Replied)
}
"""Those of them that bring no answer."""
