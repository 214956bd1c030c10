"""Have a database itself note every write for an agent by a worker that does not own it.

Triggers compare who writes (the session is named after its worker) with the lease as the same
transaction sees it. Nothing is noted where each agent is in one worker at a time. And they note
in which order messages were accepted: one comes before another if that one's transaction saw it.
"""

from collections.abc import Iterable, Sequence
from typing import Any

import psycopg

_WATCH = """
CREATE TABLE IF NOT EXISTS strays (what TEXT, agent TEXT, writer TEXT, owner INTEGER);
CREATE TABLE IF NOT EXISTS owners (folder TEXT, worker INTEGER, fence BIGINT);

CREATE OR REPLACE FUNCTION note_stray(what TEXT, agent TEXT) RETURNS VOID AS $$
DECLARE owner INTEGER := (SELECT worker FROM leases WHERE folder = 'agents/' || agent);
BEGIN
  IF current_setting('application_name') LIKE 'xiaoxiang %%'
  AND current_setting('application_name') != 'xiaoxiang ' || COALESCE(owner, 0) THEN
    INSERT INTO strays VALUES (what, agent, current_setting('application_name'), owner);
  END IF;
END $$ LANGUAGE plpgsql;

CREATE OR REPLACE FUNCTION look_at_part() RETURNS TRIGGER AS $$
BEGIN PERFORM note_stray('memory', NEW.agent); RETURN NEW; END $$ LANGUAGE plpgsql;
CREATE OR REPLACE TRIGGER watched_part BEFORE INSERT ON file_parts
FOR EACH ROW EXECUTE FUNCTION look_at_part();

CREATE OR REPLACE FUNCTION look_at_turn() RETURNS TRIGGER AS $$
BEGIN
  PERFORM note_stray('turn', (SELECT agent_id FROM conversations WHERE number = NEW.conversation));
  RETURN NEW;
END $$ LANGUAGE plpgsql;
CREATE OR REPLACE TRIGGER watched_turn BEFORE INSERT OR UPDATE ON turns
FOR EACH ROW EXECUTE FUNCTION look_at_turn();

CREATE TABLE IF NOT EXISTS accepted (chat BIGINT, text TEXT, xid XID8, seen PG_SNAPSHOT);

CREATE OR REPLACE FUNCTION note_accepted() RETURNS TRIGGER AS $$
BEGIN
  INSERT INTO accepted VALUES
  (NEW.conversation, NEW.text, pg_current_xact_id(), pg_current_snapshot());
  RETURN NEW;
END $$ LANGUAGE plpgsql;
CREATE OR REPLACE TRIGGER watched_message AFTER INSERT ON messages
FOR EACH ROW EXECUTE FUNCTION note_accepted();

CREATE OR REPLACE FUNCTION note_owner() RETURNS TRIGGER AS $$
BEGIN
  IF NEW.folder LIKE 'agents/%%' AND NEW.worker != 0 THEN
    INSERT INTO owners VALUES (NEW.folder, NEW.worker, NEW.fence);
  END IF;
  RETURN NEW;
END $$ LANGUAGE plpgsql;
CREATE OR REPLACE TRIGGER watched_lease AFTER INSERT OR UPDATE ON leases
FOR EACH ROW EXECUTE FUNCTION note_owner();
""".replace("%%", "%")


def fresh_schema(url: str, name: str) -> str:
    """Make a schema, and return the address under which it is the only one."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f"CREATE SCHEMA {name}")
    return f"{url}{'&' if '?' in url else '?'}options=-csearch_path%3D{name}"


def watch(url: str) -> None:
    """Begin to note; the tables must be there."""
    with psycopg.connect(url) as connection:
        connection.execute(_WATCH)


def strays(url: str) -> list[tuple[Any, ...]]:
    """Return the writes of workers for agents that were not theirs."""
    with psycopg.connect(url) as connection:
        return connection.execute("SELECT * FROM strays").fetchall()


_BEFORE = """
SELECT one.text, other.text FROM accepted one JOIN accepted other USING (chat)
WHERE one.xid != other.xid AND pg_visible_in_snapshot(one.xid, other.seen)
"""


def misordered(url: str, chats: Iterable[Sequence[Sequence[str]]]) -> list[tuple[str, str]]:
    """Return the pairs of which the first was accepted before the second, and answered after it.

    ``chats`` are the messages named by each answer, answer by answer.
    """
    place = {
        mark: number for answers in chats for number, marks in enumerate(answers) for mark in marks
    }
    with psycopg.connect(url) as connection:
        pairs = connection.execute(_BEFORE).fetchall()
    return [
        (one, other)
        for one, other in pairs
        if one in place and other in place and place[one] > place[other]
    ]


def count_moves(url: str) -> tuple[int, int]:
    """Return how often an agent went to a worker, and how many fences were given twice."""
    with psycopg.connect(url) as connection:
        found = connection.execute(
            "SELECT COUNT(*), COUNT(*) - COUNT(DISTINCT (folder, fence)) FROM owners"
        ).fetchone()
        return (int(found[0]), int(found[1])) if found else (0, 0)
