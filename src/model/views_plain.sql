CREATE VIEW labels AS
  SELECT sample_id, json_extract(label.value, '$.key') AS "key", json_extract(label.value, '$.str') AS str,
    json_extract(label.value, '$.num') AS num, json_extract(label.value, '$.unit') AS unit
  FROM dotted_samples, json_each(CASE WHEN json_valid(dotted) THEN dotted END, '$.".labels"') AS label;
CREATE VIEW sample_frames AS
  SELECT sample_id, depth, location_id, name AS function, "group", package
  FROM sample_locations JOIN frame_names USING (location_id);
CREATE VIEW leaves AS
  SELECT sample_id, location_id, function, nullif(filename, '') AS file, nullif(line, 0) AS line
  FROM samples JOIN sample_frames AS frame USING (sample_id) JOIN locations USING (location_id)
    LEFT JOIN functions USING (function_id)
  WHERE depth = (SELECT min(depth) FROM sample_frames AS each
    WHERE each.sample_id = samples.sample_id AND each.function IS NOT NULL);
CREATE VIEW samples_with AS
  SELECT DISTINCT function, sample_id FROM sample_frames WHERE function IS NOT NULL;
CREATE VIEW recursion AS
  SELECT function, max(repetition) AS repetition
  FROM (SELECT function, count(*) AS repetition FROM sample_frames WHERE function IS NOT NULL
    GROUP BY sample_id, function)
  GROUP BY function HAVING max(repetition) > 1;
-- NULL is what the frames with a name do not agree on.
CREATE VIEW function_facts AS
  WITH each_name AS (
    SELECT name AS function,
      iif(count(function_id) = count(*) AND min(function_id) = max(function_id), min(function_id), NULL) AS function_id,
      iif(count(package) = count(*) AND min(package) = max(package), min(package), NULL) AS package,
      iif(min("group") = max("group"), min("group"), NULL) AS "group"
    FROM frame_names WHERE name IS NOT NULL GROUP BY name)
  SELECT function, package, "group", nullif(filename, '') AS file, nullif(start_line, 0) AS start_line
  FROM each_name LEFT JOIN functions USING (function_id);
CREATE VIEW dotted_samples AS SELECT sample_id, dotted FROM samples WHERE dotted IS NOT NULL;
CREATE VIEW named_locations AS
  SELECT sample_id, depth, function FROM sample_frames WHERE function IS NOT NULL
  UNION ALL
  SELECT sample_id, 1, '<no location>' FROM sample_locations JOIN frame_names USING (location_id)
  GROUP BY sample_id HAVING count(name) = 0;
CREATE VIEW top_of_values AS
  WITH each_name AS (
    SELECT sample_id, function, min(depth) AS depth FROM named_locations
    GROUP BY sample_id, function),
  leaf AS (
    SELECT sample_id, min(depth) AS leaf_depth FROM named_locations GROUP BY sample_id)
  SELECT type, unit, source_id, function, sum(CASE WHEN depth = leaf_depth THEN value ELSE 0 END) AS self,
    sum(value) AS total
  FROM each_name JOIN leaf USING (sample_id) JOIN summed_values USING (sample_id)
  GROUP BY type, unit, source_id, function
  HAVING sum(CASE WHEN depth = leaf_depth THEN value ELSE 0 END) IS NOT 0 OR sum(value) IS NOT 0
  UNION ALL
  SELECT type, unit, source_id, '<no stack>', sum(value), sum(value)
  FROM summed_values JOIN sources USING (source_id)
  WHERE source_type <> 'rprof' AND sample_id NOT IN (SELECT sample_id FROM sample_locations)
  GROUP BY type, unit, source_id HAVING sum(value) IS NOT 0;
CREATE VIEW top_by_source AS
  SELECT type, unit, source_id, function, self, total FROM top_of_values
  UNION ALL
  SELECT time.type, time.unit, source_id, function, self * period, total * period
  FROM top_of_values AS counts JOIN sample_times AS time USING (source_id)
  WHERE counts.type = 'samples' AND counts.unit = 'count';
-- What 100 % is, as a real, which does not overflow.
CREATE VIEW totals AS
  SELECT type, unit, total(self) AS sum FROM top_by_source GROUP BY type, unit;
CREATE VIEW top AS
  WITH sums AS (
    SELECT type, unit, function, sum(self) AS self, sum(total) AS total
    FROM top_by_source GROUP BY type, unit, function)
  SELECT type, unit, function, package, "group", file, start_line, self, 100.0 * self / sum AS self_pct,
    total, 100.0 * total / sum AS total_pct
  FROM sums JOIN totals USING (type, unit) LEFT JOIN function_facts USING (function);
CREATE VIEW callers AS
  WITH calls AS (
    SELECT sample_id, lead(function, 1, '<root>') OVER (PARTITION BY sample_id ORDER BY depth) AS caller,
      function AS callee
    FROM sample_frames WHERE function IS NOT NULL)
  SELECT type, unit, caller, callee, sum(value) AS total
  FROM (SELECT DISTINCT sample_id, caller, callee FROM calls) JOIN summed_values USING (sample_id)
  GROUP BY type, unit, caller, callee HAVING sum(value) IS NOT 0;
-- group_concat takes rows in the order of the subquery, as SQLite has always had it and tests see.
CREATE VIEW folded_values AS
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
