-- What samples have is stored once: types of values by number, sets of labels, and stacks as a trie of
-- frames, the outermost at its roots. No row is written here but by ndjson2sqlite, which sums up as it writes.
CREATE TABLE nodes (
  node_id INTEGER PRIMARY KEY CHECK (node_id >= 1),
  parent_id INTEGER REFERENCES nodes CHECK (parent_id < node_id),
  location_id INTEGER NOT NULL REFERENCES locations,
  -- what the frame is called; NULL for code outside of functions
  name_id INTEGER REFERENCES stored_names,
  level INTEGER NOT NULL CHECK (level >= 1),
  -- the next inner node, or this one, where a stack ends or more than one goes on: all that goes
  -- through this one goes through that
  sums_id INTEGER NOT NULL REFERENCES nodes CHECK (sums_id >= node_id),
  -- the next outer node whose frame has a name
  caller_id INTEGER REFERENCES nodes CHECK (caller_id < node_id),
  -- which frame with its name this is, counted from the outermost; 0 without a name
  repetition INTEGER NOT NULL CHECK (repetition >= 0),
  -- 1 where no frame outside of this one has its name and its caller's
  is_outermost_call INTEGER NOT NULL CHECK (is_outermost_call IN (0, 1))
) STRICT;
-- The labels of a set, in order: samples.labels_id says which one a sample has.
CREATE TABLE stored_labels (
  labels_id INTEGER NOT NULL CHECK (labels_id >= 1),
  position INTEGER NOT NULL CHECK (position >= 1),
  "key" TEXT NOT NULL,
  str TEXT,
  num INTEGER,
  unit TEXT,
  CHECK (str IS NOT NULL OR num IS NOT NULL),
  PRIMARY KEY (labels_id, position)
) STRICT, WITHOUT ROWID;
-- The other dotted columns of samples, and labels that the table above does not show to the byte.
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
  name TEXT NOT NULL UNIQUE,
  -- the function, package and group of all frames with this name; NULL where these differ
  function_id INTEGER REFERENCES functions,
  package TEXT,
  "group" TEXT
) STRICT;
CREATE TABLE name_sums (
  type_id INTEGER NOT NULL REFERENCES value_types,
  source_id INTEGER NOT NULL REFERENCES sources,
  name_id INTEGER NOT NULL REFERENCES stored_names,
  self ANY,
  total ANY,
  PRIMARY KEY (type_id, source_id, name_id)
) STRICT, WITHOUT ROWID;
