"""The picture of the network: what is on it, where, and how it looks."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from xml.etree.ElementTree import Element, fromstring

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.desk.graph import draw_network, svg, to_png
from bot.desk.graph.layout import (
    BOTTOM,
    CLOSING,
    FOCUS_KEY,
    HEIGHT,
    LINE_UNITS,
    TOP,
    WIDTH,
    GraphEdge,
    GraphNode,
    GraphPicture,
    NodeKind,
    contains,
    edge_curves,
    node_places,
    units,
    wrapped,
)
from bot.desk.graph.surroundings import surroundings
from bot.desk.graph.svg import shows_letters
from memory.changes import AgentInfo, Links, Put
from memory.errors import UnknownMemory
from memory.model import (
    AgentSettings,
    Archived,
    Deleted,
    DeletionPolicy,
    Language,
    Level,
    Link,
    LinkType,
    Memory,
    Sensitivity,
    Tier,
)
from memory.state import MemoryState
from tests.builders import a_memory
from tests.fakes.clock import NOON
from tests.fakes.cost import times

SVG = "{http://www.w3.org/2000/svg}"
Ways = Mapping[int, Sequence[tuple[int, float]]]


def an_entity(memory_id: int, name: str) -> Memory:
    return a_memory(memory_id, name, tier=Tier.ENTITY)


def a_net(
    *memories: Memory, ways: Ways, focus: tuple[int, ...] = (), language: Language = "zh"
) -> MemoryState:
    house = AgentInfo(settings=AgentSettings(language=language), focus=focus)
    lists = [
        Links(
            source=source,
            links=tuple(
                Link(target=t, strength=s, type=LinkType.KEYWORD, relation="关于")
                for t, s in links
            ),
        )
        for source, links in ways.items()
    ]
    state, _ = MemoryState().apply([*map(Put, memories), *map(Put, lists), Put(house)])
    return state


def shown(picture: GraphPicture) -> list[int]:
    return [dot.key for dot in picture.nodes]


def texts(svg: str) -> str:
    return "\n".join(element.text or "" for element in parts(svg, "text"))


def parts(svg: str, kind: str) -> list[Element]:
    return list(fromstring(svg).iter(f"{SVG}{kind}"))  # noqa: S314 (our own drawing)


MOTHER = an_entity(1, "妈妈")
FACTS = tuple(a_memory(n, f"第{n}件事") for n in range(2, 30))


def test_the_middle_brings_up_what_it_is_linked_to_and_that_the_next() -> None:
    state = a_net(MOTHER, *FACTS, ways={1: [(2, 0.9)], 2: [(3, 0.8)], 3: [(4, 0.7)]})
    picture = surroundings(state, 1, NOON)
    assert [(dot.key, dot.parent) for dot in picture.nodes] == [(1, None), (2, 1), (3, 2)]
    assert [(e.source, e.target, e.strength) for e in picture.edges] == [(1, 2, 0.9), (2, 3, 0.8)]


def test_without_a_middle_it_shows_what_is_being_talked_about_latest_first() -> None:
    father = an_entity(40, "爸爸")
    state = a_net(MOTHER, father, *FACTS, ways={1: [(2, 0.9)]}, focus=(40, 1))
    picture = surroundings(state, None, NOON)
    assert [(dot.key, dot.parent) for dot in picture.nodes] == [
        (FOCUS_KEY, None),
        (1, FOCUS_KEY),
        (40, FOCUS_KEY),
        (2, 1),
    ]


def test_no_more_than_can_be_read_is_shown_and_that_is_the_strongest() -> None:
    ways = {1: [(n, n / 30) for n in range(2, 30)]}
    state = a_net(MOTHER, *FACTS, ways=ways)
    assert shown(surroundings(state, 1, NOON)) == [1, 29, 28, 27, 26, 25, 24, 23]
    crowded = {n: [(m, 0.5) for m in range(1, 30) if m != n] for n in range(1, 30)}
    assert len(surroundings(a_net(MOTHER, *FACTS, ways=crowded), 1, NOON).nodes) == 17


def test_links_among_what_came_up_otherwise_cross_if_they_are_strong_enough() -> None:
    ways = {1: [(2, 0.9), (3, 0.9), (4, 0.9)], 2: [(3, 0.3), (4, 0.29)]}
    picture = surroundings(a_net(MOTHER, *FACTS, ways=ways), 1, NOON)
    crossing = [(line.source, line.target) for line in picture.edges if line.crossing]
    assert crossing == [(2, 3)]


def test_no_more_crossing_lines_are_drawn_than_can_be_followed() -> None:
    every = range(1, 9)
    ways = {n: [(m, 1.0 - abs(n - m) / 100) for m in every if m != n] for n in every}
    picture = surroundings(a_net(MOTHER, *FACTS, ways=ways), 1, NOON)
    crossing = [line for line in picture.edges if line.crossing]
    assert len(crossing) == 7
    assert min(line.strength for line in crossing) >= 0.98


def test_a_fact_is_called_by_what_it_says_and_not_by_its_first_words() -> None:
    fact = a_memory(2, "I am allergic to peanuts")
    fact = replace(fact, words=replace(fact.words, phrase="I am allergic to"))
    faded = replace(a_memory(3, "x"), words=replace(fact.words, level=Level.TAG))
    state = a_net(MOTHER, fact, faded, ways={1: [(2, 0.9)], 3: [(2, 0.9)]})

    labels = [[dot.label for dot in surroundings(state, n, NOON).nodes] for n in (1, 3)]
    assert labels[0] == ["妈妈", "I am allergic to peanuts"]
    assert labels[1] == ["I am allergic to", "I am allergic to peanuts"]
    assert "to peanuts" in texts(draw_network(state, 1, NOON))


def test_the_title_is_whole_however_long_the_name() -> None:
    fact = a_memory(2, "My sister Ingrid is a designer in Bergen and loves it")
    state = a_net(fact, ways={}, language="en")

    assert texts(draw_network(state, 2, NOON)).startswith(
        "What “My sister Ingrid is a…” brings to mind"
    )


def test_a_pair_is_one_line_however_it_is_linked() -> None:
    picture = surroundings(a_net(MOTHER, *FACTS, ways={1: [(2, 0.9)], 2: [(1, 0.4)]}), 1, NOON)
    assert len(picture.edges) == 1


def test_what_is_forgotten_is_a_dashed_place_and_at_most_three_are_shown() -> None:
    state = a_net(MOTHER, ways={1: [(90 + n, 0.9) for n in range(6)]})
    picture = surroundings(state, 1, NOON)
    assert [dot.kind for dot in picture.nodes[1:]] == [NodeKind.LOST] * 3
    assert all(line.lost for line in picture.edges)
    svg = draw_network(state, 1, NOON)
    assert all("stroke-dasharray" in path.attrib for path in parts(svg, "path"))
    assert "曾记得" in texts(svg)


@pytest.mark.parametrize(
    "hidden",
    [
        replace(a_memory(2, "秘密"), standing=Archived(NOON)),
        replace(a_memory(2, "秘密"), standing=Deleted(NOON, DeletionPolicy.USER_DELETE)),
        replace(
            a_memory(2, "秘密"), nature=replace(a_memory().nature, sensitivity=Sensitivity.SECRET)
        ),
    ],
    ids=["archived", "hidden by the partner", "secret"],
)
def test_what_may_not_be_told_is_not_drawn(hidden: Memory) -> None:
    state = a_net(MOTHER, hidden, ways={1: [(2, 0.9)]})
    assert shown(surroundings(state, 1, NOON)) == [1]
    assert "秘密" not in draw_network(state, 1, NOON)


def test_the_caller_may_narrow_what_is_seen() -> None:
    state = a_net(MOTHER, *FACTS, ways={1: [(2, 0.9), (3, 0.9)]})
    assert shown(surroundings(state, 1, NOON, shows=lambda memory: memory.id != 2)) == [1, 3]


def test_an_unknown_middle_is_refused() -> None:
    with pytest.raises(UnknownMemory):
        draw_network(MemoryState(), 7, NOON)


@pytest.mark.parametrize(("language", "says"), [("zh", "没有可以画的"), ("en", "nothing to draw")])
def test_with_nothing_to_draw_it_says_so(language: Language, says: str) -> None:
    assert says in texts(draw_network(a_net(ways={}, language=language), None, NOON))


def test_a_memory_without_links_stands_alone() -> None:
    assert "第2件事" in texts(draw_network(a_net(FACTS[0], ways={}), 2, NOON))


def test_a_stronger_link_is_a_wider_line() -> None:
    state = a_net(MOTHER, *FACTS, ways={1: [(2, 1.0), (3, 0.6), (4, 0.1)]})
    widths = sorted(
        float(path.attrib["stroke-width"]) for path in parts(draw_network(state, 1, NOON), "path")
    )
    assert widths == pytest.approx([2.2, 6.0, 9.0], abs=0.06)


def test_each_tier_has_its_colour_and_is_named_once_it_occurs() -> None:
    tiers = (Tier.CORE, Tier.FACT, Tier.EPISODE, Tier.SYSTEM)
    memories = [a_memory(n, f"甲{n}", tier=tier) for n, tier in enumerate(tiers, start=2)]
    svg = draw_network(
        a_net(MOTHER, *memories, ways={1: [(n, 0.9) for n in range(2, 6)]}), 1, NOON
    )
    fills = [r.attrib["fill"] for r in parts(svg, "rect") if r.attrib.get("stroke-width") == "2.5"]
    assert len(set(fills)) == 4
    named = texts(svg)
    assert all(word in named for word in ("核心", "事实", "情境", "系统", "名字"))
    assert "曾记得" not in named


def test_what_is_fading_is_paler_and_the_legend_says_so() -> None:
    faint = replace(a_memory(2), trace=replace(a_memory().trace, importance=0.4))
    fresh = draw_network(a_net(MOTHER, a_memory(2), ways={1: [(2, 0.9)]}), 1, NOON)
    faded = draw_network(a_net(MOTHER, faint, ways={1: [(2, 0.9)]}), 1, NOON)
    assert "正在淡忘" in texts(faded)
    assert "正在淡忘" not in texts(fresh)
    assert any("opacity" in group.attrib for group in parts(faded, "g"))
    assert not any("opacity" in group.attrib for group in parts(fresh, "g"))


def test_relations_stand_on_their_lines() -> None:
    assert "关于" in texts(draw_network(a_net(MOTHER, *FACTS, ways={1: [(2, 0.9)]}), 1, NOON))


def test_the_same_network_is_the_same_picture() -> None:
    state = a_net(MOTHER, *FACTS, ways={1: [(n, 0.5) for n in range(2, 9)]})
    assert draw_network(state, 1, NOON) == draw_network(state, 1, NOON)


@pytest.mark.parametrize(
    "text", ["<script>alert(1)</script>", "a & b", "\x00\x0b\ud800坏", "🐱\n第二行"]
)
def test_no_text_can_break_the_picture(text: str) -> None:
    svg = draw_network(a_net(MOTHER, a_memory(2, text), ways={1: [(2, 0.9)]}), 1, NOON)
    assert not parts(svg, "script")
    svg.encode()


LABELS = st.text(st.sampled_from("妈妈面试，。 aWi🐱"), max_size=40)


@st.composite
def pictures(draw_: st.DrawFn) -> GraphPicture:
    first = draw_(st.integers(0, 7))
    dots = [GraphNode(key=1, label=draw_(LABELS), kind=NodeKind.FACT)]
    dots += [
        GraphNode(key=n, label=draw_(LABELS), kind=NodeKind.FACT, parent=1)
        for n in range(2, 2 + first)
    ]
    for n in range(20, 20 + (draw_(st.integers(0, 10)) if first else 0)):
        parent = draw_(st.integers(2, 1 + first))
        dots.append(GraphNode(key=n, label=draw_(LABELS), kind=NodeKind.EPISODE, parent=parent))
    lines = [GraphEdge(source=d.parent, target=d.key, strength=0.5) for d in dots if d.parent]
    return GraphPicture(title="", nodes=tuple(dots), edges=tuple(lines))


@settings(max_examples=times(12, hunting=125), deadline=None)
@given(pictures())
def test_no_label_lies_upon_another_or_off_the_picture(picture: GraphPicture) -> None:
    places = node_places(picture)
    for one, other in combinations(places.values(), 2):
        apart_x = abs(one.x - other.x) - (one.width + other.width) / 2
        apart_y = abs(one.y - other.y) - (one.height + other.height) / 2
        assert max(apart_x, apart_y) >= 0
    for box in places.values():
        assert box.x - box.width / 2 >= 0
        assert box.x + box.width / 2 <= WIDTH
        assert box.y - box.height / 2 >= TOP
        assert box.y + box.height / 2 <= HEIGHT - BOTTOM


def test_what_came_to_mind_stands_all_around_the_middle() -> None:
    dots = [GraphNode(key=1, label="妈妈", kind=NodeKind.ENTITY)]
    dots += [GraphNode(key=n, label="面试", kind=NodeKind.FACT, parent=1) for n in range(2, 6)]
    dots += [
        GraphNode(key=10 + n, label="拉面", kind=NodeKind.FACT, parent=n) for n in range(2, 6)
    ]
    places = node_places(GraphPicture(title="", nodes=tuple(dots)))
    middle = places[1]
    assert (middle.x, middle.y) == (WIDTH / 2, (TOP + HEIGHT - BOTTOM) / 2)
    for ring in (range(2, 6), range(12, 16)):
        sides = {(places[n].x > middle.x, places[n].y > middle.y) for n in ring}
        assert len(sides) == 4
    for n in range(2, 6):
        near, far = places[n], places[10 + n]
        assert abs(near.x - middle.x) < abs(far.x - middle.x)


@given(LABELS, st.integers(1, 3))
def test_labels_fit_their_lines(text: str, lines: int) -> None:
    found = wrapped(text, LINE_UNITS, lines)
    assert len(found) <= lines
    assert all(units(line) <= LINE_UNITS + 0.56 for line in found)
    said = "".join("".join(found).split())
    plain = "".join(text.split())
    assert said == plain or (said.endswith("…") and plain.startswith(said[:-1]))


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("妈妈", ("妈妈",)),
        ("北京的冬天太干，要买加湿器", ("北京的冬天太干，", "要买加湿器")),
        ("妈妈做的红烧肉最好吃", ("妈妈做的红", "烧肉最好吃")),
        ("afraid of interviews", ("afraid of", "interviews")),
        ("主人说他最近总是睡不好，想换一个枕头", ("主人说他最近总是", "睡不好，想换一…")),
    ],
)
def test_lines_break_where_one_would_break_them(text: str, lines: tuple[str, ...]) -> None:
    assert wrapped(text) == lines
    assert all(line[0] not in CLOSING for line in lines)


def test_a_line_goes_around_the_label_in_its_way() -> None:
    dots = (
        GraphNode(key=1, label="中间很宽的一个", kind=NodeKind.FACT),
        GraphNode(key=2, label="左", kind=NodeKind.FACT, parent=1),
        GraphNode(key=3, label="右", kind=NodeKind.FACT, parent=1),
    )
    line = GraphEdge(source=2, target=3, strength=0.5, crossing=True)
    picture = GraphPicture(title="", nodes=dots, edges=(line,))
    places = node_places(picture)
    (thread,) = edge_curves(picture, places)
    assert not any(contains(places[1], thread.at(n / 50)) for n in range(51))


def test_every_picture_has_its_letters_on_a_machine_without_any_font() -> None:
    for letter in "aZé0·…→字妈忘":
        assert shows_letters(letter, system_fonts=False), letter


def test_where_the_extra_is_missing_only_chinese_is_empty(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(svg, "_own_fonts", lambda: (svg.LATIN_FONT,))

    assert shows_letters("A", system_fonts=False)
    assert not shows_letters("字", system_fonts=False)


def test_it_becomes_a_png_of_the_same_size() -> None:
    png = to_png(draw_network(a_net(MOTHER, *FACTS, ways={1: [(2, 0.9)]}), 1, NOON))
    assert png.startswith(b"\x89PNG")
    assert int.from_bytes(png[16:20]) == WIDTH
    assert int.from_bytes(png[20:24]) == HEIGHT
