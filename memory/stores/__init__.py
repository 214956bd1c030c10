"""Stores: how one agent's state outlives the process.

A folder holds ``journal`` (a line per commit, the truth), ``memory.json`` and ``archive.json``
(what the journal comes to, readable, TinyDB), their former generations ``*.bak``, ``lock``, and
``*.damaged-<n>``, what was not as it was written and is kept for a person to look at. ``blank``
or ``begun`` says whether anything was ever acknowledged there; ``*.half-made-<n>`` is what a loss
of power left where nothing was.

Bottom up: ``shapes`` and ``hints`` turn values into documents, ``codec`` records, ``commits``
changes; ``migrations`` brings old documents up to date; ``disk`` is the file system, ``lock`` the
ownership; ``beginning`` tells a new folder from a damaged one; ``journal`` and ``snapshot`` are
the two kinds of file, ``tables`` says what stands where; ``restoring`` finds the last good state,
``folder`` writes, ``writer`` lets folds give way to commits, ``file_store`` is the port.
``reading`` looks on without owning.
"""
