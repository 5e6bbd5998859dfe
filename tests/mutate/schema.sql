-- schema.sql - what judges rows beside the tables of `profmodel --format=sql --checks`, in their way:
-- version 1.0, and what holds between rows.
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
        FROM sample_locations WHERE sample_id IN (SELECT sample_id FROM samples))
    WHERE depth <> inner_depth + 1;
