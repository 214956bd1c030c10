"""Who may talk beside those the settings list: strangers at the door, and ``/people``.

A stranger is told off once, as ever; an owner is told of them once, in private, by name and id,
with two buttons. Nothing of what a stranger wrote is shown or kept.
"""

import asyncio
import logging
import re
from dataclasses import replace
from functools import partial
from typing import Final, Literal

from bot.conversation.ledger.people import KnownPerson, People
from bot.conversation.ledger.turns import StopOrder
from bot.conversation.messages import CHINESE_NAMES, Incoming, read_command
from bot.desk import parser
from bot.desk.answers import one_sentence
from bot.desk.command import Call, Example, Policy, Spec
from bot.desk.documents import Adapters, Button, Buttons, Document, Table, Term, Text
from bot.identity import Access, PlatformId
from bot.tasks import Done, attempt
from bot.texts import Sentence, desk, desk_link, dialogue, language_of, say
from bot.texts import desk_help as h
from memory.erasing.scope import comparable_text, every_message
from memory.model import Language
from memory.ports import Clock

log = logging.getLogger(__name__)


class Doorkeeper:
    """Tells an owner who wants to talk, as soon as it is known where."""

    def __init__(
        self, people: People, platforms: Adapters, clock: Clock, *, language: Language = "zh"
    ) -> None:
        self._people = people
        self._platforms = platforms
        self._clock = clock
        self._language = language
        self._homes: set[tuple[str, str]] = set()
        self._one_at_a_time = asyncio.Lock()

    async def load(self, access: Access) -> None:
        """Let in whom an owner let in, and nobody else; called before anybody is heard, and again.

        What an owner said to another worker is known here only by this.
        """
        for each in await self._people.everybody():
            if each.state == "in":
                access.let_in(each.id)
            else:
                access.keep_out(each.id)

    def refusal(self, incoming: Incoming, *, owned: bool) -> str:
        """Return the one line a stranger hears, in the language they wrote in."""
        language = language_written(incoming.text, self._language)
        if not owned:
            return say(language, desk_link.NO_OWNER_YET)
        return say(language, desk_link.STRANGER, person=incoming.person)

    async def knock(self, incoming: Incoming) -> None:
        """Note that a stranger wants to talk, and tell an owner: by name, where there is one."""
        platform = self._platforms[incoming.conversation.platform]
        step = await attempt("asking who knocks", partial(platform.complete, incoming))
        named = step.value if isinstance(step, Done) else incoming
        if await self._people.knock(named, self._clock.now()):
            await self._tell_owner()

    def is_new_home(self, incoming: Incoming) -> bool:
        """Whether it is not known yet that this owner can be told something here."""
        return (incoming.person, str(incoming.conversation)) not in self._homes

    async def note_owner(self, incoming: Incoming) -> None:
        """Note where an owner can be told, and tell them what waited for that."""
        await self._people.note_owner(incoming, self._clock.now())
        self._homes.add((incoming.person, str(incoming.conversation)))
        await self._tell_owner()

    async def _tell_owner(self) -> None:
        async with self._one_at_a_time:
            owners = [each for each in await self._people.everybody() if each.state == "owner"]
            for guest in await self._people.untold(self._clock.now()):
                near = sorted(owners, key=lambda each: each.id.platform != guest.id.platform)
                homes = [each.home for each in near if each.home is not None]
                home = next((each for each in homes if each.platform in self._platforms), None)
                if home is None:
                    return
                await self._people.note_told([guest])
                presenter = self._platforms[home.platform].presenter
                await presenter.present(home, _question(guest, self._language), reply_to="")


def _question(guest: KnownPerson, language: Language) -> Document:
    line = say(language, desk_link.WANTS_IN, name=guest.name or "–", person=_written(guest.id))
    return Document((Text(line), Buttons(_verdict_buttons(guest, language), choice=True)))


def _verdict_buttons(guest: KnownPerson, language: Language) -> tuple[Button, Button]:
    return (
        Button(say(language, desk_link.LET_THEM_IN), f"/people in {_written(guest.id)}"),
        Button(say(language, desk_link.KEEP_THEM_OUT), f"/people out {_written(guest.id)}"),
    )


def _written(person: PlatformId) -> str:
    return f"{person.platform}:{person.id}"


PERSON_STATES: Final[dict[str, Sentence]] = {
    "owner": desk_link.PERSON_OWNER,
    "asks": desk_link.PERSON_ASKS,
    "in": desk_link.PERSON_IN,
    "out": desk_link.PERSON_OUT,
}


async def people(call: Call) -> Document:
    """Show who is at the door or was let in; let somebody in, or not."""
    services, given = call.services, call.given.text("verdict")
    if services is None:
        raise call.refusal(desk.ONLY_LOOKING)
    if given:
        return await _decide(call, "in" if given == "in" else "out")
    found = [each for each in await services.ledger.people.everybody() if each.state != "owner"]
    if not found:
        return one_sentence(call, desk_link.NOBODY_ASKED)
    columns = (desk_link.PERSON_NAME, desk_link.PERSON_ID, desk_link.PERSON_STANDING, desk.SINCE)
    rows = tuple(
        (
            each.name or "–",
            _written(each.id),
            Term(call.say(PERSON_STATES[each.state]), each.state),
            call.date_time(each.at),
        )
        for each in found
    )
    table = Table(("name", "id", "state", "at"), tuple(map(call.say, columns)), rows, "people")
    title = Text(call.say(desk_link.PEOPLE), title=True)
    waiting = [each for each in found if each.state == "asks"][:_MOST_OFFERED]
    if not waiting:
        return Document((title, table))
    verdicts = [
        tuple(
            replace(button, label=f"{button.label} {each.name or each.id.id}")
            for button in _verdict_buttons(each, call.language)
        )
        for each in waiting
    ]
    asked = (Buttons(each, choice=True) for each in verdicts)
    return Document((title, table, Text(call.say(desk_link.HOW_TO_LET_IN)), *asked))


_MOST_OFFERED: Final = 3
"""So many who wait are offered as buttons; the commands are good for all."""


async def _decide(call: Call, verdict: Literal["in", "out"]) -> Document:
    services = call.services
    who = call.given.text("who")
    if services is None or services.access is None:
        # Only the running program knows whom it lets in; a shell beside it does not.
        raise call.refusal(dialogue.NEEDS_RUNNING)
    if not who:
        raise call.refusal(desk_link.WHO_IS_MEANT)
    (person,) = services.ledger.identities.parsed_ids(who.replace(",", " "))
    guest = await services.ledger.people.decide(person, verdict, call.caller.person, call.now)
    log.info("people: %s is %s, by %s", _written(person), verdict, call.caller.person)
    # Named as well: it may stand in the place of the question that named them.
    named = f"{guest.name} ({_written(person)})" if guest.name else _written(person)
    if verdict == "out":
        services.access.keep_out(person)
        return one_sentence(call, desk_link.KEPT_OUT, person=named)
    services.access.let_in(person)
    if guest.home is not None:
        # They were told that she does not talk with them.
        await services.show_in(guest.home, Document((Text(call.say(desk_link.YOU_ARE_IN)),)))
    return one_sentence(call, desk_link.LET_IN, person=named)


async def stop(call: Call) -> Document:
    """Stop the answer under way in this chat; in a group a member stops only their own."""
    services, caller = call.services, call.caller
    if services is None or services.growing is None or caller.place is None:
        raise call.refusal(dialogue.ONLY_IN_CHAT)
    order = StopOrder(caller.place, caller.message, call.only_words_of)
    stopped = await services.growing.stop(
        order, cut=call.say(dialogue.STOPPED), nothing=call.say(dialogue.STOPPED_AT_ONCE)
    )
    return one_sentence(call, dialogue.DID_STOP if stopped else dialogue.NOTHING_TO_STOP)


async def again(call: Call) -> Document:
    """Refuse: where there is an answer to repeat, this is a turn and never comes to the desk."""
    raise call.refusal(dialogue.ONLY_IN_CHAT)


def language_written(text: str, otherwise: Language) -> Language:
    """Return the language of what a stranger wrote; a command shows none.

    >>> language_written("hello? can u help", "zh"), language_written("/start", "zh")
    ('en', 'zh')
    """
    return otherwise if read_command(text) is not None else language_of(text, otherwise)


STOP: Final = Spec(
    name="stop",
    parent="",
    chinese=CHINESE_NAMES["stop"],
    policy=Policy.ANSWER,
    help=h.STOP,
    run=stop,
    urgent=True,
)

AGAIN: Final = Spec(
    name="again",
    parent="",
    chinese=CHINESE_NAMES["again"],
    policy=Policy.ANSWER,
    help=h.AGAIN,
    run=again,
)

PEOPLE: Final = Spec(
    name="people",
    parent="",
    chinese=CHINESE_NAMES["people"],
    policy=Policy.OPERATE,
    help=h.PEOPLE,
    run=people,
    arguments=(parser.DOOR, parser.WHO),
    examples=(
        Example("/访客", "/people"),
        Example("/访客 让进 telegram:42", "/people in telegram:42"),
    ),
)


_SAID_BY: Final = re.compile(
    r"(?P<zh>.{1,64}?)(?:说过?|发过?|讲过?)的(?:所有|全部|一切)?(?:话|一切|全部|所有|东西|消息)?"
    r"|(?:all|everything)(?: \w+)? (?:by|from|of) (?P<en>.{1,64})",
    re.IGNORECASE,
)


def member_meant(call: Call) -> str:
    """Return the member of a group all whose words an admin wants erased; "" if none is meant."""
    found = _SAID_BY.fullmatch(call.given.text("what").strip())
    if found is None or call.private or call.only_words_of:
        return ""
    name = comparable_text((found["zh"] or found["en"]).strip())
    said = (each for each in every_message(call.writer.state) if each.speaker_id)
    people = {each.speaker_id for each in said if comparable_text(each.speaker) == name}
    return people.pop() if len(people) == 1 else ""
