"""Stores: how one agent's state outlives the process.

A folder holds ``journal`` (a line per commit, the truth), ``memory.json`` and ``archive.json``
(what the journal adds up to, readable, TinyDB), their previous generations ``*.bak``, the pages
``diary-*.page`` that the snapshot names, ``lock``, and ``*.damaged-<n>``: files that were not as
they were written, kept for a person to look at. An empty file ``blank`` or ``begun`` says whether
anything was ever acknowledged there; ``*.half-made-<n>`` is what a loss of power left where
nothing was. ``vectors.bin`` and ``index.bin`` can be made again at any time.

Bottom up: ``shapes`` turns values into documents, ``codec`` records, changes and commits, and
brings old documents up to date; ``disk`` is the file system and the lock of a folder;
``journal``, ``snapshot`` and ``pages`` are the three kinds of file; in ``journal_file`` a marker
tells a new folder from a damaged one; ``parts`` are the arrays in one; ``tables`` leads from
snapshots to a state and back, ``paging`` moves lines to pages; ``recovery`` finds the last good
state, also for those who do not own the folder; ``folder`` writes and lets folds give way to
commits; ``file_store`` is the port that an agent is opened with. ``exports`` is the whole
state as one file, ``backups`` keeps such files, ``sidecars`` those of an embedder and of the
search index.
"""
