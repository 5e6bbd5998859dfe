-- What samples have is stored once: types of values by number, and stacks as a trie of frames, the
-- outermost at its roots. No row is written here but by ndjson2sqlite, which sums up as it writes.
CREATE TABLE nodes (
  node_id INTEGER PRIMARY KEY CHECK (node_id >= 1),
  parent_id INTEGER REFERENCES nodes CHECK (parent_id < node_id),
  location_id INTEGER NOT NULL REFERENCES locations,
  level INTEGER NOT NULL CHECK (level >= 1),
  -- the next inner node, or this one, where a stack ends or more than one goes on: all that goes
  -- through this one goes through that
  sums_id INTEGER NOT NULL REFERENCES nodes CHECK (sums_id >= node_id),
  -- the next outer node whose frame has a name
  caller_id INTEGER REFERENCES nodes CHECK (caller_id < node_id),
  -- 1 where no frame outside of this one has its name; and none its name and its caller's
  is_outermost INTEGER NOT NULL CHECK (is_outermost IN (0, 1)),
  is_outermost_call INTEGER NOT NULL CHECK (is_outermost_call IN (0, 1))
) STRICT;
-- The dotted columns of samples, where several may have the same.
CREATE TABLE stored_dotted (
  dotted_id INTEGER PRIMARY KEY CHECK (dotted_id >= 1),
  dotted TEXT NOT NULL CHECK (dotted GLOB '{*}')
) STRICT;
CREATE TABLE stored_values (
  sample_id INTEGER NOT NULL REFERENCES samples,
  type_id INTEGER NOT NULL REFERENCES value_types,
  value ANY NOT NULL,
  PRIMARY KEY (sample_id, type_id)
) STRICT, WITHOUT ROWID;
-- Sums: of the samples whose stack ends in a node, and of those whose stack goes through it; and
-- of each source the same of names. What is 0 has no row; a sum beyond 64 bits is a real,
-- and NULL where it is of infinite ones that are of both signs.
CREATE TABLE stored_sums (
  type_id INTEGER NOT NULL REFERENCES value_types,
  sums_id INTEGER NOT NULL REFERENCES nodes,
  self ANY,
  total ANY,
  PRIMARY KEY (type_id, sums_id)
) STRICT, WITHOUT ROWID;
CREATE TABLE stored_names (
  name_id INTEGER PRIMARY KEY CHECK (name_id >= 1),
  name TEXT NOT NULL
) STRICT;
CREATE TABLE name_sums (
  type_id INTEGER NOT NULL REFERENCES value_types,
  source_id INTEGER NOT NULL REFERENCES sources,
  name_id INTEGER NOT NULL REFERENCES stored_names,
  self ANY,
  total ANY,
  PRIMARY KEY (type_id, source_id, name_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX nodes_parent ON nodes (parent_id);
