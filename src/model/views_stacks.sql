-- The tables of the model that samples are stored without.
CREATE VIEW sample_values AS
  SELECT sample_id, type, unit, value FROM stored_values JOIN value_types USING (type_id);
CREATE VIEW sample_locations AS
  WITH RECURSIVE path (sample_id, depth, node_id) AS (
    SELECT sample_id, 1, node_id FROM samples WHERE node_id IS NOT NULL
    UNION ALL
    SELECT sample_id, depth + 1, parent_id FROM path JOIN nodes USING (node_id)
    WHERE parent_id IS NOT NULL)
  SELECT sample_id, depth, location_id FROM path JOIN nodes USING (node_id);

CREATE VIEW dotted_samples AS
  SELECT sample_id, coalesce(samples.dotted, stored_dotted.dotted) AS dotted
  FROM samples LEFT JOIN stored_dotted USING (dotted_id)
  WHERE samples.dotted IS NOT NULL OR dotted_id IS NOT NULL;
CREATE VIEW frames AS
  SELECT node_id, parent_id, level, location_id, line, function_id, frame_names.name, filename
  FROM nodes JOIN locations USING (location_id) JOIN frame_names USING (location_id)
    LEFT JOIN functions USING (function_id);
CREATE VIEW node_values AS
  SELECT node_id, type_id, CASE WHEN node_id = sums_id THEN self ELSE 0 END AS self, total
  FROM nodes JOIN stored_sums USING (sums_id);
CREATE VIEW top_of_values AS
  SELECT type, unit, source_id, name, self, total
  FROM name_sums JOIN value_types USING (type_id) JOIN stored_names USING (name_id)
  UNION ALL
  SELECT type, unit, source_id, '<no stack>', sum(value), sum(value)
  FROM samples CROSS JOIN stored_values USING (sample_id) JOIN value_types USING (type_id)
    JOIN sources USING (source_id)
  WHERE node_id IS NULL AND source_type <> 'rprof'
    AND (source_id, type, unit) NOT IN (SELECT source_id, type, unit FROM gauges)
  GROUP BY type, unit, source_id HAVING sum(value) IS NOT 0;
CREATE VIEW callers AS
  SELECT type, unit, callee.name AS name, coalesce(caller.name, '<root>') AS caller,
    sum(total) AS total
  FROM value_types CROSS JOIN nodes JOIN stored_sums USING (type_id, sums_id)
    JOIN frame_names AS callee USING (location_id)
    LEFT JOIN nodes AS outer_node ON outer_node.node_id = nodes.caller_id
    LEFT JOIN frame_names AS caller ON caller.location_id = outer_node.location_id
  WHERE nodes.is_outermost_call
  GROUP BY type, unit, callee.name, 4 HAVING sum(total) IS NOT 0;
-- group_concat takes rows in the order of the subquery, as SQLite has always had it and tests see.
-- Nodes that have their sums in one node follow each other in all stacks: a text is made for these
-- together, since one for each node of a deep stack would take time by the square of its depth.
CREATE VIEW folded AS
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
