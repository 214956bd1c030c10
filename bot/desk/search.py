"""The commands that find memories (list and search), and ``/why``: the receipt of an answer."""

import asyncio
import re
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from typing import Final

from bot.conversation.ledger.records import reply_id_of
from bot.desk.answers import (
    TIERS,
    brief,
    memory_line,
    nothing_yet,
    one_sentence,
    standing_term,
    term,
)
from bot.desk.command import PAGE_LENGTH, Call, past_the_last, sealed_lines
from bot.desk.documents import Block, Button, Buttons, Cell, Document, Table, Term, Text
from bot.desk.initiative import reasons_term, why_begun
from bot.texts import Sentence, desk, desk_help
from bot.texts.dialogue import HER_NAME
from memory.changes import Receipt, Used
from memory.laws import network as network_law
from memory.laws.registry import is_visible, stays
from memory.model import Memory, Message, Mode, Passage, Tier
from memory.network.walk import SEPARATOR, recall_text
from memory.offline.lines_at_hand import is_no_news
from memory.offline.questions import only_asks
from memory.recall import DepthName, Hit, Reach, Recall
from memory.recall.in_mind import assessment, may_come_to_mind
from memory.recall.telling import SaidInReply, said_in_reply
from memory.views import found_memory, standing_name, view
from prompts import PromptLine

# As reasons are, what was learnt is stored in receipts, as ``VERB #ids``.
LEARNT_SENTENCES: Final[dict[str, Sentence]] = {
    "ADD": desk.LEARNT_ADDED,
    "REMEMBER": desk.LEARNT_AS_TOLD,
    "UPDATE": desk.LEARNT_UPDATED,
    "BOOST": desk.LEARNT_BOOSTED,
    "MENTION": desk.LEARNT_MENTIONED,
    "DELETE": desk.LEARNT_DELETED,
    "UNSAID": desk.LEARNT_UNSAID,
    "SEAL": desk.LEARNT_SEALED,
    "NEGATE": desk.LEARNT_NEGATED,
    "MERGE": desk.LEARNT_MERGED,
    "REVIVE": desk.LEARNT_REVIVED,
    "REST": desk.LEARNT_RESTS,
}

_ID: Final = re.compile(r"#[0-9]+")


def learnt_text(call: Call, labels: Sequence[str]) -> str:
    """Return what was learnt from a turn, without what was undone or erased since."""
    known = (label for label in labels if _last_id(label) in call.state.memories)
    return " · ".join(_learnt_phrase(call, label) for label in known)


def _last_id(label: str) -> int:
    """Return the id of the memory that a label is about; of several, the one they became."""
    ids = _ID.findall(label)
    return int(ids[-1][1:]) if ids else 0


def _learnt_phrase(call: Call, label: str) -> str:
    verb = label.partition(" ")[0]
    known = LEARNT_SENTENCES.get(verb)
    ids = " → ".join(_ID.findall(label))
    return call.say(known, ids=ids) if known else label


SEARCH_LIMIT: Final = 10

MOST_DEPTH: Final = 10
"""As far as ``network.default_search_depth`` may go."""


def list_memories(call: Call) -> Document:
    """List the memories that pass the filters, newest first; names only if asked for."""
    wanted = sorted(
        filter(_filter(call), call.state.memories.values()),
        key=lambda memory: (memory.trace.created_at, memory.id),
        reverse=True,
    )
    if not wanted:
        return one_sentence(call, desk.NONE_SUCH) if call.state.memories else nothing_yet(call)
    # Not ``page_of``: a list can be turned back as well, and keeps its filters on every page.
    limit, page = call.given.number("limit", PAGE_LENGTH), max(call.given.number("page", 1), 1)
    pages = -(-len(wanted) // limit)
    page = min(page, pages)
    shown = wanted[(page - 1) * limit : page * limit]
    title = call.say(desk.LISTED, shown=len(shown), total=len(wanted))
    blocks: list[Block] = [Text(title, title=True), memory_table(call, shown)]
    blocks += past_the_last(call, len(wanted))
    if pages > 1:
        blocks.append(Text(call.say(desk.PAGE_OF, page=page, pages=pages)))
        blocks.append(_page_buttons(call, page, pages))
    return Document(tuple(blocks))


async def recall(call: Call) -> Document:
    """Walk from what is being talked about, and tell what was met and what was once known."""
    wanted, relation = call.given.text("query").split(), call.given.text("relation")
    usual = call.state.rules.parameters_of(network_law.LAW).default_search_depth
    depth = min(call.given.number("depth", usual), MOST_DEPTH)
    relations = [relation] if relation else []
    # Of the state that may be seen here, not of the agent's: in a group some of it is hidden.
    shows = may_come_to_mind(call.state, call.now)
    found = await asyncio.to_thread(
        recall_text, wanted, relations, depth, call.state, may_show=shows
    )
    if not found:
        return one_sentence(call, desk.RECALLS_NOTHING)
    return Document(tuple(Text(part) for part in found.split(SEPARATOR)))


async def search(call: Call) -> Document:
    """Search as a conversation would, and show the reasons."""
    query, limit = call.given.text("query"), call.given.number("limit", SEARCH_LIMIT)
    hits, shut = await _search_hits(call, query, limit), sealed_lines(call, query)
    if not hits:
        return Document(shut) if shut else nothing_found(call, query)
    rows = tuple(
        (
            f"#{hit.memory_id}" if hit.memory_id else call.say(desk.IN_DIARY),
            f"{hit.score:.3f}",
            call.date_time(_source_time(found_memory(hit, call.state), hit.source_ids)),
            _who_spoke(call, hit),
            hit.quote,
            Term("", " ".join(hit.source_ids)),
            reasons_term(call, hit.reasons, hit.quote),
        )
        for hit in hits
    )
    names = (desk.ID, desk.SCORE, desk.SINCE, desk.SPEAKER, desk.TEXT, desk.SOURCES, desk.WHY)
    keys = ("id", "score", "at", "speaker", "text", "source_ids", "reasons")
    return Document((*shut, Table(keys, tuple(map(call.say, names)), rows)))


def memory_table(call: Call, memories: Sequence[Memory]) -> Table:
    """Return memories as the table of ``/memory list``."""
    rows = tuple(_list_row(call, memory) for memory in memories)
    names = (desk.ID, desk.TIER, desk.SINCE, desk.TEXT, desk.RETENTION, desk.STANDING)
    keys = ("id", "tier", "created_at", "text", "retention", "standing")
    return Table(keys, tuple(map(call.say, names)), rows)


def nothing_found(call: Call, sought: str) -> Document:
    """Return the answer of a search without hits."""
    return one_sentence(call, desk.NOTHING_FOUND, query=sought)


async def _search_hits(call: Call, query: str, limit: int) -> list[Hit]:
    mode = mode_of(call)
    depth: DepthName = "deep" if call.given.flag("deep") else "auto"
    # Of these some may not be seen in this chat, and some tell nothing.
    if call.agent is None:
        reach = Reach(mode=mode, depth=depth)
        found = await asyncio.to_thread(
            Recall().search, query, call.state, now=call.now, k=4 * limit, reach=reach
        )
    else:
        # The agent searches everything it knows.
        found = await call.agent.search(query, k=4 * limit, mode=mode, depth=depth)
    return _telling_first([hit for hit in found if _may_see(call, hit)], limit)[:limit]


def _telling_first(hits: Sequence[Hit], limit: int) -> list[Hit]:
    """Return hits with what tells something first, and few lines of hers among them.

    Her answers from memory and what was only asked hold the words that are sought as well: they
    would crowd out what somebody told.
    """
    first, rest, hers = list[Hit](), list[Hit](), 0
    for hit in hits:
        said = hit.line.message if hit.line else None
        spoken = said is not None and said.role == "assistant"
        nothing = said is not None and (is_no_news if spoken else only_asks)(hit.quote)
        hers += spoken and not nothing
        (rest if nothing or (spoken and hers > limit // _OF_HERS) else first).append(hit)
    return [*first, *rest]


_OF_HERS: Final = 3
"""One line of so many is hers, as long as there are others."""


def _who_spoke(call: Call, hit: Hit) -> str:
    """Return who said what was found; of a memory in its own words, from whom it is."""
    if hit.line is None:
        return found_memory(hit, call.state).origin.speaker
    return _name_of(call, hit.line.message)


def _name_of(call: Call, said: Message | Passage | PromptLine) -> str:
    return call.say(HER_NAME) if said.role == "assistant" else said.speaker


def _may_see(call: Call, hit: Hit) -> bool:
    """Return whether a hit may be seen in this chat: its memory, or the line itself."""
    line = hit.line
    if hit.memory_id:
        return hit.memory_id in call.state.memories
    return line is not None and line.key in call.state.diary


def mode_of(call: Call) -> Mode:
    """Return the mode of a search: the one that was given, else the agent's setting."""
    return Mode(call.given.text("mode") or call.settings.mode)


def _filter(call: Call) -> Callable[[Memory], bool]:
    """Return what tells whether a memory passes every filter that was given."""
    given = call.given
    tier, standing = given.text("tier"), given.text("standing")
    wanted = Tier(tier) if tier else None
    only_pinned, only_fading = given.flag("pinned"), given.flag("fading")
    # Without a standing: what is recallable in the given mode.
    mode = Mode(given.text("mode") or "review")

    def passes(memory: Memory) -> bool:
        nature = memory.nature
        of_tier = nature.tier is wanted if wanted else nature.tier is not Tier.ENTITY
        if not of_tier or (only_pinned and not nature.pinned):
            return False
        if standing and not only_fading:
            return standing_name(memory.standing) == standing
        found = assessment(memory, call.state, call.now)
        if only_fading and not found.is_fading:
            return False
        if standing:
            return standing_name(memory.standing) == standing
        return is_visible(memory, found, mode)

    return passes


def _list_row(call: Call, memory: Memory) -> tuple[Cell, ...]:
    seen = view(memory, call.state, call.now)
    mark = " 📌" if memory.nature.pinned else ""
    return (
        f"#{seen.id}",
        term(call.language, TIERS, seen.tier),
        call.date_time(seen.created_at),
        memory_line(call, memory) + mark,
        _left(call, memory, f"{seen.retention:.2f}"),
        standing_term(call.language, memory),
    )


def _left(call: Call, memory: Memory, number: str) -> Cell:
    """Return how much is left of a memory: a number only where it can become less."""
    is_kept = memory.is_active and stays(memory, call.state.rules)
    return Term(call.say(desk_help.STAYS_HERE), number) if is_kept else number


def _page_buttons(call: Call, page: int, pages: int) -> Buttons:
    """Return the buttons to the pages before and after, with the filters that were given."""
    filters = "".join(
        f" --{name}" if value is True else f" --{name} {value}"
        for name, value in call.given.values.items()
        if name != "page" and value is not False
    )
    turns = [(desk.PREVIOUS_PAGE, page - 1), (desk.NEXT_PAGE, page + 1)]
    return Buttons(
        tuple(
            Button(call.say(label), f"/memory list{filters} --page {to}")
            for label, to in turns
            if 1 <= to <= pages
        )
    )


def _source_time(memory: Memory, source_ids: tuple[str, ...]) -> datetime:
    times = (each.at for each in memory.passages if each.source_ids[:1] == source_ids[:1])
    return next(times, memory.origin.at)


# Four buttons each: with more memories the keyboard of a phone covers the answer.
BUTTONS_FOR: Final = 2

# Every link costs a question to the ledger.
MOST_LINKED: Final = 5


async def why(call: Call) -> Document:
    """Show the receipt of an answer: the last one, an earlier one, or the one replied to."""
    receipt = await _asked_receipt(call)
    if receipt is None:
        return one_sentence(call, desk.NO_ANSWER_YET)
    there = [SaidInReply(one) for one in receipt.used if _is_there(call, one)]
    begun = why_begun(call, receipt.turn_id)
    reply = await asyncio.to_thread(
        said_in_reply, reply_id_of(receipt.turn_id), receipt, call.state
    )
    told = there if begun else [each for each in reply or () if _is_there(call, each.used)]
    of_use = [each.used for each in told]
    rest = [each for each in there if each.used not in of_use]
    title = desk.WHY_TITLE if told or begun else desk_help.WHY_SAYS_NOTHING
    if reply is None and not told and rest:
        title = desk_help.WHY_GIVEN
    blocks: list[Block] = [Text(call.say(title, when=call.date_time(receipt.at)), title=True)]
    blocks += [Text(begun)] * bool(begun)
    blocks += _rows_of(call, told, name="used")
    if rest and title is not desk_help.WHY_GIVEN:
        blocks.append(Text(call.say(desk_help.WHY_AT_HAND)))
    blocks += _rows_of(call, rest, name="at_hand")
    used = [each.used for each in (*told, *rest)]
    blocks += [Text(line) for line in await _source_links(call, used)]
    if not (used or begun):
        blocks.append(Text(call.say(desk.USED_NOTHING)))
    if gone := len(receipt.used) - len(there):
        blocks.append(Text(call.say(desk.USED_AND_GONE, count=gone)))
    if learnt := learnt_text(call, receipt.learnt):
        blocks.append(Text(call.say(desk.LEARNT_FROM_IT, what=learnt)))
    if used:
        blocks.append(Buttons(tuple(_used_buttons(call, used))))
    return Document(tuple(blocks))


def _rows_of(call: Call, told: Sequence[SaidInReply], *, name: str) -> Iterator[Block]:
    """Yield a table of what was used, or was at hand; none of nothing."""
    if told:
        names = (desk.ID, desk.TEXT, desk.SINCE, desk.SPEAKER, desk.FOUND_BY)
        keys = ("id", "text", "at", "speaker", "reasons")
        rows = tuple(_used_row(call, *each) for each in told)
        yield Table(keys, tuple(map(call.say, names)), rows, name=name)


async def _asked_receipt(call: Call) -> Receipt | None:
    receipts = call.state.receipts
    if call.reply_to and call.services is not None:
        turn = await call.services.turn_shown_as(call.conversation, call.reply_to)
        # Never the receipt of another answer than the one that was asked about.
        if turn not in receipts:
            raise call.refusal(desk.NOT_EXPLAINED)
        return receipts[turn]
    newest = sorted(receipts.values(), key=lambda each: (each.at, each.turn_id), reverse=True)
    back = max(call.given.number("back", 1), 1)
    if newest and back > len(newest):
        raise call.refusal(desk_help.SO_MANY_ANSWERS, count=len(newest))
    return newest[back - 1] if newest else None


async def _source_links(call: Call, used: list[Used]) -> list[str]:
    """Return links to the messages the answer used, where the platform has such addresses."""
    if call.services is None:
        return []
    found = []
    for one in used[:MOST_LINKED]:
        memory = call.state.memories.get(one.memory_id)
        link = await call.services.link_to(memory.origin.turn_id) if memory else ""
        if link:
            found.append(call.say(desk.SAID_AT, id=one.memory_id, link=link))
    return found


def _is_there(call: Call, one: Used) -> bool:
    """Return whether what was used is still there: its memory, or the line of the diary."""
    if one.memory_id:
        return one.memory_id in call.state.memories
    return any(source in call.state.diary for source in one.source_ids)


def _used_row(call: Call, one: Used, quoted: PromptLine | None) -> tuple[Cell, ...]:
    """Return a memory or a line of the diary; the line that was quoted stands for either."""
    memory = call.state.memories.get(one.memory_id)
    if memory is None:
        lines = (call.state.diary.get(source) for source in one.source_ids)
        said = next(line.message for line in lines if line is not None)
        name, held = call.say(desk.IN_DIARY), said.text or said.quoted
        text, at, speaker = brief(held), said.at, _name_of(call, said)
    else:
        passage = _source_passage(memory, one.source_ids)
        name, text = f"#{memory.id}", memory_line(call, memory)
        held = f"{passage.text if passage else ''} {memory.words.text}"
        at = passage.at if passage else memory.origin.at
        speaker = (_name_of(call, passage) if passage else "") or memory.origin.speaker
    if quoted is not None:
        text, at, speaker = brief(quoted.text), quoted.at, _name_of(call, quoted)
    return (name, text, call.date_time(at), speaker, reasons_term(call, one.reasons, held))


def _source_passage(memory: Memory, source_ids: tuple[str, ...]) -> Passage | None:
    wanted = set(source_ids)
    return next((p for p in memory.passages if wanted & set(p.source_ids)), None)


def _used_buttons(call: Call, used: list[Used]) -> Iterator[Button]:
    for one in [one for one in used if one.memory_id][:BUTTONS_FOR]:
        name = f"#{one.memory_id}"
        yield Button(f"{name} {call.say(desk.RIGHT)}", f"/memory reinforce {name} success")
        yield Button(f"{name} {call.say(desk.WRONG)}", f"/memory reinforce {name} failure")
        yield Button(f"{name} {call.say(desk.DO_HIDE)}", f"/memory forget {name}")
        yield Button(f"{name} {call.say(desk.DO_PIN)}", f"/memory pin {name}")
