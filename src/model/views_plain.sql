CREATE VIEW dotted_samples AS SELECT sample_id, dotted FROM samples WHERE dotted IS NOT NULL;
CREATE VIEW named_locations AS
  SELECT sample_id, depth, name FROM sample_locations JOIN frame_names USING (location_id)
  WHERE name IS NOT NULL
  UNION ALL
  SELECT sample_id, 1, '<no location>' FROM sample_locations JOIN frame_names USING (location_id)
  GROUP BY sample_id HAVING count(name) = 0;
CREATE VIEW top_of_values AS
  WITH each_name AS (
    SELECT sample_id, name, min(depth) AS depth FROM named_locations GROUP BY sample_id, name),
  leaf AS (
    SELECT sample_id, min(depth) AS leaf_depth FROM named_locations GROUP BY sample_id)
  SELECT type, unit, source_id, name, sum(CASE WHEN depth = leaf_depth THEN value ELSE 0 END) AS self,
    sum(value) AS total
  FROM each_name JOIN leaf USING (sample_id) JOIN summed_values USING (sample_id)
  GROUP BY type, unit, source_id, name
  HAVING sum(CASE WHEN depth = leaf_depth THEN value ELSE 0 END) IS NOT 0 OR sum(value) IS NOT 0
  UNION ALL
  SELECT type, unit, source_id, '<no stack>', sum(value), sum(value)
  FROM summed_values JOIN sources USING (source_id)
  WHERE source_type <> 'rprof' AND sample_id NOT IN (SELECT sample_id FROM sample_locations)
  GROUP BY type, unit, source_id HAVING sum(value) IS NOT 0;
CREATE VIEW callers AS
  WITH calls AS (
    SELECT sample_id, name,
      lead(name, 1, '<root>') OVER (PARTITION BY sample_id ORDER BY depth) AS caller
    FROM sample_locations JOIN frame_names USING (location_id) WHERE name IS NOT NULL)
  SELECT type, unit, name, caller, sum(value) AS total
  FROM (SELECT DISTINCT sample_id, name, caller FROM calls) JOIN summed_values USING (sample_id)
  GROUP BY type, unit, name, caller HAVING sum(value) IS NOT 0;
-- group_concat takes rows in the order of the subquery, as SQLite has always had it and tests see.
CREATE VIEW folded AS
  WITH frame AS (
    SELECT inner_frame.sample_id, inner_frame.depth,
      CASE WHEN inlined_into = outer_frame.location_id THEN inlined_text ELSE text END AS text
    FROM sample_locations AS inner_frame JOIN frame_texts USING (location_id)
      LEFT JOIN sample_locations AS outer_frame
        ON outer_frame.sample_id = inner_frame.sample_id AND outer_frame.depth = inner_frame.depth + 1
    ORDER BY inner_frame.sample_id, inner_frame.depth DESC),
  stacks AS (SELECT sample_id, group_concat(text, ';') AS stack FROM frame GROUP BY sample_id)
  SELECT type, unit, source_id, stack, sum(value) AS value
  FROM stacks JOIN summed_values USING (sample_id)
  GROUP BY type, unit, source_id, stack HAVING sum(value) IS NOT 0;
