-- The tables of the model that samples are stored without.
CREATE VIEW sample_values AS
  SELECT sample_id, type, unit, value FROM stored_values JOIN value_types USING (type_id);
-- Each stack is walked by itself, so that a question about a few samples takes the time of these: SQLite
-- passes no condition into a recursive query. json_each passes on the frames in the order of the walk.
CREATE VIEW sample_nodes AS
  SELECT sample_id, frame.key + 1 AS depth, frame.value AS node_id
  FROM samples CROSS JOIN json_each((
    WITH RECURSIVE path (node_id) AS (
      SELECT samples.node_id
      UNION ALL
      SELECT parent_id FROM path JOIN nodes USING (node_id) WHERE parent_id IS NOT NULL)
    SELECT json_group_array(node_id) FROM path)) AS frame
  WHERE samples.node_id IS NOT NULL;
CREATE VIEW sample_locations AS
  SELECT sample_id, frame.key + 1 AS depth, frame.value AS location_id
  FROM samples CROSS JOIN json_each((
    WITH RECURSIVE path (location_id, parent_id) AS (
      SELECT location_id, parent_id FROM nodes WHERE nodes.node_id = samples.node_id
      UNION ALL
      SELECT nodes.location_id, nodes.parent_id
      FROM path JOIN nodes ON nodes.node_id = path.parent_id)
    SELECT json_group_array(location_id) FROM path)) AS frame
  WHERE samples.node_id IS NOT NULL;
CREATE VIEW sample_frames AS
  SELECT sample_id, depth, location_id, name AS function,
    (SELECT "group" FROM frame_names WHERE frame_names.location_id = nodes.location_id) AS "group",
    (SELECT package FROM stored_packages WHERE stored_packages.location_id = nodes.location_id) AS package
  FROM sample_nodes CROSS JOIN nodes USING (node_id) LEFT JOIN stored_names USING (name_id);
-- The innermost frame with a name.
CREATE VIEW leaves AS
  SELECT sample_id, nodes.location_id, stored_names.name AS function,
    nullif(filename, '') AS file, nullif(line, 0) AS line
  FROM samples JOIN nodes AS ending ON ending.node_id = samples.node_id
    JOIN nodes ON nodes.node_id = iif(ending.name_id IS NULL, ending.caller_id, ending.node_id)
    JOIN stored_names ON stored_names.name_id = nodes.name_id
    JOIN locations ON locations.location_id = nodes.location_id
    LEFT JOIN functions ON functions.function_id = locations.function_id;
-- The samples that have a function in their stack: from its outermost nodes inwards. Sorted, so that
-- what is asked of them is read in the order in which it is stored.
CREATE VIEW samples_with AS
  SELECT name AS function, sample.value AS sample_id
  FROM stored_names AS of CROSS JOIN json_each((
    WITH RECURSIVE inside (node_id) AS (
      SELECT node_id FROM nodes WHERE nodes.name_id = of.name_id AND repetition = 1
      UNION ALL
      SELECT nodes.node_id FROM inside JOIN nodes ON nodes.parent_id = inside.node_id)
    SELECT json_group_array(sample_id) FROM (
      SELECT sample_id FROM inside CROSS JOIN samples USING (node_id) ORDER BY sample_id))) AS sample;
-- The + keeps SQLite from the index of names, by which it would look up every node.
CREATE VIEW recursion AS
  SELECT name AS function, max(repetition) AS repetition
  FROM nodes JOIN stored_names USING (name_id) WHERE repetition > 1 GROUP BY +name_id;
-- Of one table, so that SQLite leaves it out of a question about neither column.
CREATE VIEW function_facts AS
  SELECT name AS function, package, "group",
    (SELECT nullif(filename, '') FROM functions WHERE functions.function_id = stored_names.function_id) AS file,
    (SELECT nullif(start_line, 0) FROM functions WHERE functions.function_id = stored_names.function_id)
      AS start_line
  FROM stored_names;

CREATE VIEW labels AS
  SELECT sample_id, "key", str, num, unit FROM stored_labels JOIN samples USING (labels_id);
CREATE VIEW dotted_samples AS
  SELECT sample_id, dotted FROM samples JOIN stored_dotted USING (dotted_id);
CREATE VIEW frames AS
  SELECT node_id, parent_id, level, location_id, stored_names.name AS function,
    (SELECT "group" FROM frame_names WHERE frame_names.location_id = nodes.location_id) AS "group",
    (SELECT package FROM stored_packages WHERE stored_packages.location_id = nodes.location_id) AS package,
    locations.function_id, nullif(filename, '') AS file, nullif(line, 0) AS line,
    nullif(start_line, 0) AS start_line
  FROM nodes JOIN locations USING (location_id) LEFT JOIN stored_names USING (name_id)
    LEFT JOIN functions ON functions.function_id = locations.function_id;
CREATE VIEW node_values AS
  SELECT node_id, type_id, CASE WHEN node_id = sums_id THEN self ELSE 0 END AS self, total
  FROM nodes JOIN stored_sums USING (sums_id);
-- The sums of samples without a stack.
CREATE VIEW stackless_sums AS
  SELECT type_id, source_id, sum(value) AS value
  FROM samples CROSS JOIN stored_values USING (sample_id) JOIN value_types USING (type_id)
    JOIN sources USING (source_id)
  WHERE node_id IS NULL AND source_type <> 'rprof'
    AND (source_id, type, unit) NOT IN (SELECT source_id, type, unit FROM gauges)
  GROUP BY type_id, source_id HAVING sum(value) IS NOT 0;
-- SQLite passes a condition on the type through one GROUP BY to the few rows of type_parts, but not through
-- a second one: so no view adds up what another one has added up, and a question about a type reads only that.
CREATE VIEW type_parts AS
  SELECT type, unit, type_id, source_id, 1 AS factor FROM value_types CROSS JOIN sources
  UNION ALL
  SELECT time.type, time.unit, type_id, source_id, period
  FROM sample_times AS time CROSS JOIN value_types AS counts
  WHERE counts.type = 'samples' AND counts.unit = 'count';
CREATE VIEW top_by_source AS
  SELECT type, unit, source_id, name AS function, self * factor AS self, total * factor AS total
  FROM type_parts CROSS JOIN name_sums USING (type_id, source_id) JOIN stored_names USING (name_id)
  UNION ALL
  SELECT type, unit, source_id, '<no stack>', value * factor, value * factor
  FROM stackless_sums CROSS JOIN type_parts USING (type_id, source_id);
-- What 100 % is, as a real, which does not overflow.
CREATE VIEW totals AS
  WITH stackless AS MATERIALIZED (
    SELECT type, unit, value * factor AS value
    FROM stackless_sums CROSS JOIN type_parts USING (type_id, source_id))
  SELECT type, unit,
    (SELECT total(self * factor) FROM type_parts AS part CROSS JOIN name_sums USING (type_id, source_id)
      WHERE part.type = types.type AND part.unit = types.unit)
    + (SELECT total(value) FROM stackless
      WHERE stackless.type = types.type AND stackless.unit = types.unit) AS sum
  FROM (SELECT DISTINCT type, unit FROM type_parts) AS types
  WHERE EXISTS (SELECT 1 FROM type_parts AS part CROSS JOIN name_sums USING (type_id, source_id)
      WHERE part.type = types.type AND part.unit = types.unit)
    OR (type, unit) IN (SELECT type, unit FROM stackless);
-- A function may be called <no stack>: its rows are of the second kind.
CREATE VIEW top AS
  WITH sums AS (
    SELECT type, unit, name AS function, sum(self * factor) AS self, sum(total * factor) AS total
    FROM type_parts CROSS JOIN name_sums USING (type_id, source_id) CROSS JOIN stored_names USING (name_id)
    WHERE name <> '<no stack>' GROUP BY type, unit, name_id
    UNION ALL
    SELECT type, unit, '<no stack>', sum(self), sum(total)
    FROM (
      SELECT type, unit, self * factor AS self, total * factor AS total
      FROM stored_names CROSS JOIN type_parts CROSS JOIN name_sums USING (type_id, source_id, name_id)
      WHERE name = '<no stack>'
      UNION ALL
      SELECT type, unit, value * factor, value * factor
      FROM stackless_sums CROSS JOIN type_parts USING (type_id, source_id))
    GROUP BY type, unit),
  whole AS MATERIALIZED (SELECT type, unit, sum FROM totals)
  SELECT type, unit, function, package, "group", file, start_line, self, 100.0 * self / sum AS self_pct,
    total, 100.0 * total / sum AS total_pct
  FROM sums JOIN whole USING (type, unit) LEFT JOIN function_facts USING (function);
CREATE VIEW callers AS
  SELECT type, unit, coalesce(caller.name, '<root>') AS caller, callee.name AS callee,
    sum(total) AS total
  FROM stored_names AS callee CROSS JOIN nodes USING (name_id)
    CROSS JOIN value_types JOIN stored_sums USING (type_id, sums_id)
    LEFT JOIN nodes AS outer_node ON outer_node.node_id = nodes.caller_id
    LEFT JOIN stored_names AS caller ON caller.name_id = outer_node.name_id
  WHERE nodes.is_outermost_call
  GROUP BY type, unit, callee.name, 3 HAVING sum(total) IS NOT 0;
-- group_concat takes rows in the order of the subquery, as SQLite has always had it and tests see.
-- Nodes that have their sums in one node follow each other in all stacks: a text is made for these
-- together, since one for each node of a deep stack would take time by the square of its depth.
CREATE VIEW folded_values AS
  WITH RECURSIVE texts AS (
    SELECT nodes.node_id, nodes.sums_id,
      CASE WHEN inlined_into = outer_node.location_id THEN inlined_text ELSE text END AS text
    FROM nodes JOIN frame_texts USING (location_id)
      LEFT JOIN nodes AS outer_node ON outer_node.node_id = nodes.parent_id
    ORDER BY nodes.sums_id, nodes.level),
  parts AS MATERIALIZED (
    SELECT sums_id, min(node_id) AS first_id, group_concat(text, ';') AS text
    FROM texts GROUP BY sums_id),
  path (node_id, stack) AS (
    SELECT sums_id, text FROM parts JOIN nodes USING (sums_id)
    WHERE node_id = first_id AND parent_id IS NULL
    UNION ALL
    SELECT parts.sums_id, stack || ';' || text
    FROM path JOIN nodes ON nodes.parent_id = path.node_id JOIN parts USING (sums_id)),
  ends AS (
    SELECT node_id, source_id, type, unit, sum(value) AS value
    FROM samples JOIN summed_values USING (sample_id, source_id)
    GROUP BY node_id, source_id, type, unit)
  SELECT type, unit, source_id, stack, sum(value) AS value
  FROM path JOIN ends USING (node_id)
  GROUP BY type, unit, source_id, stack HAVING sum(value) IS NOT 0;
