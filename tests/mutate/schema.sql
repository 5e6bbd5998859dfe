-- schema.sql - the row model as tables that SQLite keeps to: the names of the
-- constraints are those of profvalidate's rules. Columns are of type ANY because
-- SQLite would take 1.0 for an INTEGER. The default of a column that has to be
-- there is an empty blob, which none takes.
PRAGMA foreign_keys = OFF;  -- what dangles is asked for at the end

CREATE TABLE meta (
    "key"   ANY DEFAULT X'' CONSTRAINT "column" CHECK ("key" IS NOT X'')
        CONSTRAINT "type" CHECK (typeof("key") = 'text'),
    "value" ANY DEFAULT X'' CONSTRAINT "column" CHECK ("value" IS NOT X'')
        CONSTRAINT "type" CHECK (typeof("value") = 'text')
) STRICT;
CREATE TABLE v2_sources (
    source_id ANY DEFAULT X'' PRIMARY KEY CONSTRAINT "column" CHECK (source_id IS NOT X'')
        CONSTRAINT "type" CHECK (typeof(source_id) = 'integer')
        CONSTRAINT "range" CHECK (source_id BETWEEN 1 AND 9007199254740991),
    source_type ANY DEFAULT X'' CONSTRAINT "column" CHECK (source_type IS NOT X'')
        CONSTRAINT "type" CHECK (typeof(source_type) = 'text'),
    source_uri ANY DEFAULT X'' CONSTRAINT "column" CHECK (source_uri IS NOT X'')
        CONSTRAINT "type" CHECK (typeof(source_uri) IN ('text', 'null')),
    source_timestamp ANY DEFAULT X'' CONSTRAINT "column" CHECK (source_timestamp IS NOT X'')
        CONSTRAINT "type" CHECK (typeof(source_timestamp) IN ('integer', 'real', 'null'))
) STRICT;
CREATE TABLE functions (
    function_id ANY DEFAULT X'' PRIMARY KEY CONSTRAINT "column" CHECK (function_id IS NOT X'')
        CONSTRAINT "type" CHECK (typeof(function_id) = 'integer')
        CONSTRAINT "range" CHECK (function_id BETWEEN 1 AND 9007199254740991),
    name ANY DEFAULT X'' CONSTRAINT "column" CHECK (name IS NOT X'')
        CONSTRAINT "type" CHECK (typeof(name) = 'text')
        CONSTRAINT "name" CHECK (name <> ''),
    system_name ANY DEFAULT X'' CONSTRAINT "column" CHECK (system_name IS NOT X'')
        CONSTRAINT "type" CHECK (typeof(system_name) = 'text')
        CONSTRAINT "name" CHECK (system_name <> ''),
    filename ANY DEFAULT X'' CONSTRAINT "column" CHECK (filename IS NOT X'')
        CONSTRAINT "type" CHECK (typeof(filename) = 'text'),
    start_line ANY DEFAULT X'' CONSTRAINT "column" CHECK (start_line IS NOT X'')
        CONSTRAINT "type" CHECK (typeof(start_line) = 'integer')
        CONSTRAINT "range" CHECK (start_line >= 0)
) STRICT;
CREATE TABLE ".mappings" (
    mapping_id ANY DEFAULT X'' PRIMARY KEY CONSTRAINT "column" CHECK (mapping_id IS NOT X'')
        CONSTRAINT "type" CHECK (typeof(mapping_id) = 'integer')
        CONSTRAINT "range" CHECK (mapping_id BETWEEN 1 AND 9007199254740991),
    source_id ANY REFERENCES v2_sources
        CONSTRAINT "type" CHECK (typeof(source_id) IN ('integer', 'null'))
        CONSTRAINT "range" CHECK (source_id BETWEEN 1 AND 9007199254740991),
    function_id ANY REFERENCES functions
        CONSTRAINT "type" CHECK (typeof(function_id) IN ('integer', 'null'))
        CONSTRAINT "range" CHECK (function_id BETWEEN 1 AND 9007199254740991),
    location_id ANY REFERENCES locations
        CONSTRAINT "type" CHECK (typeof(location_id) IN ('integer', 'null'))
        CONSTRAINT "range" CHECK (location_id BETWEEN 1 AND 9007199254740991),
    sample_id ANY REFERENCES v2_samples
        CONSTRAINT "type" CHECK (typeof(sample_id) IN ('integer', 'null'))
        CONSTRAINT "range" CHECK (sample_id BETWEEN 1 AND 9007199254740991)
) STRICT;
CREATE TABLE locations (
    location_id ANY DEFAULT X'' PRIMARY KEY CONSTRAINT "column" CHECK (location_id IS NOT X'')
        CONSTRAINT "type" CHECK (typeof(location_id) = 'integer')
        CONSTRAINT "range" CHECK (location_id BETWEEN 1 AND 9007199254740991),
    function_id ANY DEFAULT X'' REFERENCES functions
        CONSTRAINT "column" CHECK (function_id IS NOT X'')
        CONSTRAINT "type" CHECK (typeof(function_id) IN ('integer', 'null'))
        CONSTRAINT "range" CHECK (function_id BETWEEN 1 AND 9007199254740991),
    line ANY DEFAULT X'' CONSTRAINT "column" CHECK (line IS NOT X'')
        CONSTRAINT "type" CHECK (typeof(line) IN ('integer', 'null'))
        CONSTRAINT "range" CHECK (line >= 0),
    ".mapping_id" ANY REFERENCES ".mappings"
        CONSTRAINT "type" CHECK (typeof(".mapping_id") IN ('integer', 'null'))
        CONSTRAINT "range" CHECK (".mapping_id" BETWEEN 1 AND 9007199254740991),
    ".inlined_into" ANY REFERENCES locations
        CONSTRAINT "type" CHECK (typeof(".inlined_into") IN ('integer', 'null'))
        CONSTRAINT "range" CHECK (".inlined_into" BETWEEN 1 AND 9007199254740991)
) STRICT;
CREATE TABLE v2_samples (
    sample_id ANY DEFAULT X'' PRIMARY KEY CONSTRAINT "column" CHECK (sample_id IS NOT X'')
        CONSTRAINT "type" CHECK (typeof(sample_id) = 'integer')
        CONSTRAINT "range" CHECK (sample_id BETWEEN 1 AND 9007199254740991),
    source_id ANY DEFAULT X'' REFERENCES v2_sources
        CONSTRAINT "column" CHECK (source_id IS NOT X'')
        CONSTRAINT "type" CHECK (typeof(source_id) = 'integer')
        CONSTRAINT "range" CHECK (source_id BETWEEN 1 AND 9007199254740991)
) STRICT;
CREATE TABLE v2_sample_values (
    sample_id ANY DEFAULT X'' REFERENCES v2_samples
        CONSTRAINT "column" CHECK (sample_id IS NOT X'')
        CONSTRAINT "type" CHECK (typeof(sample_id) = 'integer')
        CONSTRAINT "range" CHECK (sample_id BETWEEN 1 AND 9007199254740991),
    "type" ANY DEFAULT X'' CONSTRAINT "column" CHECK ("type" IS NOT X'')
        CONSTRAINT "type" CHECK (typeof("type") = 'text'),
    unit ANY DEFAULT X'' CONSTRAINT "column" CHECK (unit IS NOT X'')
        CONSTRAINT "type" CHECK (typeof(unit) = 'text'),
    "value" ANY DEFAULT X'' CONSTRAINT "column" CHECK ("value" IS NOT X'')
        CONSTRAINT "type" CHECK (typeof("value") IN ('integer', 'real')),
    PRIMARY KEY (sample_id, "type")
) STRICT;
CREATE TABLE v2_sample_locations (
    sample_id ANY DEFAULT X'' REFERENCES v2_samples
        CONSTRAINT "column" CHECK (sample_id IS NOT X'')
        CONSTRAINT "type" CHECK (typeof(sample_id) = 'integer')
        CONSTRAINT "range" CHECK (sample_id BETWEEN 1 AND 9007199254740991),
    depth ANY DEFAULT X'' CONSTRAINT "column" CHECK (depth IS NOT X'')
        CONSTRAINT "type" CHECK (typeof(depth) = 'integer')
        CONSTRAINT "range" CHECK (depth >= 1),
    location_id ANY DEFAULT X'' REFERENCES locations
        CONSTRAINT "column" CHECK (location_id IS NOT X'')
        CONSTRAINT "type" CHECK (typeof(location_id) = 'integer')
        CONSTRAINT "range" CHECK (location_id BETWEEN 1 AND 9007199254740991),
    PRIMARY KEY (sample_id, depth)
) STRICT;
CREATE TABLE ".dotted" (
    source_id ANY REFERENCES v2_sources
        CONSTRAINT "type" CHECK (typeof(source_id) IN ('integer', 'null'))
        CONSTRAINT "range" CHECK (source_id BETWEEN 1 AND 9007199254740991),
    function_id ANY REFERENCES functions
        CONSTRAINT "type" CHECK (typeof(function_id) IN ('integer', 'null'))
        CONSTRAINT "range" CHECK (function_id BETWEEN 1 AND 9007199254740991),
    location_id ANY REFERENCES locations
        CONSTRAINT "type" CHECK (typeof(location_id) IN ('integer', 'null'))
        CONSTRAINT "range" CHECK (location_id BETWEEN 1 AND 9007199254740991),
    sample_id ANY REFERENCES v2_samples
        CONSTRAINT "type" CHECK (typeof(sample_id) IN ('integer', 'null'))
        CONSTRAINT "range" CHECK (sample_id BETWEEN 1 AND 9007199254740991),
    mapping_id ANY REFERENCES ".mappings"
        CONSTRAINT "type" CHECK (typeof(mapping_id) IN ('integer', 'null'))
        CONSTRAINT "range" CHECK (mapping_id BETWEEN 1 AND 9007199254740991)
) STRICT;

CREATE TABLE v1_sample_types (
    "type" ANY DEFAULT X'' CONSTRAINT "column" CHECK ("type" IS NOT X'')
        CONSTRAINT "type" CHECK (typeof("type") = 'text'),
    unit ANY DEFAULT X'' CONSTRAINT "column" CHECK (unit IS NOT X'')
        CONSTRAINT "type" CHECK (typeof(unit) = 'text')
) STRICT;
CREATE TABLE v1_samples (
    "value" ANY DEFAULT X'' CONSTRAINT "column" CHECK ("value" IS NOT X'')
        CONSTRAINT "type" CHECK (typeof("value") = 'integer')
        CONSTRAINT "range" CHECK ("value" >= 1),
    locations ANY DEFAULT X'' CONSTRAINT "column" CHECK (locations IS NOT X'')
        CONSTRAINT "type" CHECK (locations IS X'01')  -- a list; its items are in v1_stacks
) STRICT;
CREATE TABLE v1_stacks (
    location_id ANY REFERENCES locations
        CONSTRAINT "type" CHECK (typeof(location_id) = 'integer'
            AND location_id BETWEEN 1 AND 9007199254740991)
) STRICT;

CREATE VIEW dangling AS SELECT 1 FROM pragma_foreign_key_check
    UNION ALL SELECT 1 FROM locations WHERE ".inlined_into" = location_id;
CREATE VIEW gaps AS
    SELECT 1 FROM (
        SELECT depth, lag(depth, 1, 0) OVER (PARTITION BY sample_id ORDER BY depth) AS inner_depth
        FROM v2_sample_locations WHERE sample_id IN (SELECT sample_id FROM v2_samples))
    WHERE depth <> inner_depth + 1;
