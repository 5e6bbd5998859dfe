-- What dotted columns say, for SQL: nothing where they nest deeper than SQLite reads JSON.
CREATE VIEW readable_sources AS
  SELECT source_id, CASE WHEN json_valid(dotted) THEN dotted END AS dotted FROM sources;
CREATE VIEW readable_functions AS
  SELECT function_id, name, filename, CASE WHEN json_valid(dotted) THEN dotted END AS dotted,
    CASE WHEN filename <> '' THEN '<' ||
      CASE WHEN filename LIKE '%/' OR filename NOT LIKE '%/%' THEN filename
        -- the last of a list of what stands between slashes
        ELSE json_extract('[' || replace(json_quote(filename || ''), '/', '","') || ']', '$[#-1]') END ||
      CASE WHEN start_line > 0 THEN ':' || start_line ELSE '' END || '>' END AS beginning
  FROM functions;
CREATE VIEW readable_locations AS
  SELECT location_id, function_id, line, ".mapping_id", ".inlined_into",
    CASE WHEN json_valid(dotted) THEN dotted END AS dotted
  FROM locations;
CREATE VIEW mappings AS
  SELECT mapping_id,
    json_extract(members, '$.filename') AS filename, json_extract(members, '$.build_id') AS build_id,
    json_extract(members, '$.memory_start') AS memory_start, json_extract(members, '$.memory_limit') AS memory_limit,
    json_extract(members, '$.file_offset') AS file_offset
  FROM (SELECT mapping_id, CASE WHEN json_valid(members) THEN members END AS members FROM ".mappings");
-- Levels, and what must not be summed up a stack: no view adds them up.
CREATE VIEW gauges AS
  SELECT source_id, json_extract(type.value, '$.type') AS type, json_extract(type.value, '$.unit') AS unit
  FROM readable_sources AS source, json_each(source.dotted, '$.".value_types"') AS type
  WHERE json_extract(type.value, '$.gauge') OR json_extract(type.value, '$.inclusive');
CREATE VIEW summed_values AS
  SELECT source_id, sample_id, type, unit, value
  FROM sample_values JOIN samples USING (sample_id)
  WHERE (source_id, type, unit) NOT IN (SELECT source_id, type, unit FROM gauges);

CREATE VIEW mapping_names AS
  WITH named AS (
    SELECT mapping_id, filename,
      CASE WHEN filename LIKE '%/' OR filename NOT LIKE '%/%' THEN filename
        -- the last of a list of what stands between slashes
        ELSE json_extract('[' || replace(json_quote(filename || ''), '/', '","') || ']', '$[#-1]') END AS base_name
    FROM mappings WHERE filename <> '')
  -- what stands in for the name of a function of the file
  SELECT mapping_id, filename, base_name,
    CASE WHEN base_name GLOB '[[]*]' THEN base_name ELSE '[' || base_name || ']' END AS stand_in
  FROM named;
-- What a frame is called in tables, NULL where it is code outside of functions: as its function, or as what
-- stands in for a name.
CREATE VIEW frame_parts AS
  SELECT l.location_id, l.function_id,
    CASE WHEN json_extract(f.dotted, '$.".no_name"') IS NOT 1 THEN f.name END AS own_name,
    CASE WHEN l.function_id IS NOT NULL
        OR coalesce(l.line, 0) = 0 AND coalesce(json_extract(l.dotted, '$.".filename"'), '') = ''
      THEN coalesce(m.stand_in, '<unknown>') END AS stand_in,
    CASE WHEN m.stand_in IS NULL THEN f.beginning END AS beginning,
    coalesce(f.filename, json_extract(l.dotted, '$.".filename"'), '') AS filename, l.".mapping_id",
    json_extract(l.dotted, '$.".group"') AS by_rules
  FROM readable_locations AS l LEFT JOIN readable_functions AS f USING (function_id)
    LEFT JOIN mapping_names AS m ON m.mapping_id = l.".mapping_id";
CREATE VIEW frame_names AS
  SELECT location_id, function_id, coalesce(own_name, beginning, stand_in) AS name,
    coalesce(by_rules, own_name, beginning, stand_in) AS "group",
    (SELECT package FROM stored_packages
      WHERE stored_packages.location_id = frame_parts.location_id) AS package
  FROM frame_parts;
-- What a frame is called in folded stacks, by itself and inlined into the next outer one.
CREATE VIEW frame_texts AS
  WITH plain AS (
    SELECT l.location_id, l.".inlined_into" AS inlined_into,
      CASE WHEN json_extract(f.dotted, '$.".no_name"') IS 1 THEN ''
        WHEN f.name IS NULL
            AND (l.line > 0 OR json_extract(l.dotted, '$.".filename"') <> '') THEN '<toplevel>'
        ELSE replace(replace(replace(
            coalesce(f.name, m.stand_in, json_extract(l.dotted, '$.".address"'), '<unknown>'),
            ';', ':'), char(10), ' '), char(13), ' ') END AS text,
      CASE WHEN m.filename GLOB '[[]kernel.*' OR m.filename GLOB '[[]guest.kernel.*'
          OR m.base_name = 'vmlinux' OR m.filename GLOB '*.ko' THEN '_[k]'
        WHEN m.filename = '[jit]' OR m.base_name GLOB 'perf-*.map'
          OR m.base_name GLOB 'jitted-*.so' THEN '_[j]'
        ELSE '' END AS mark
    FROM readable_locations AS l LEFT JOIN readable_functions AS f USING (function_id)
      LEFT JOIN mapping_names AS m ON m.mapping_id = l.".mapping_id")
  SELECT location_id, inlined_into, text || CASE WHEN text = '' THEN '' ELSE mark END AS text,
    text || CASE WHEN text = '' THEN '' ELSE '_[i]' END AS inlined_text
  FROM plain;
-- The time that samples of a source stand for, unless it is one of its types.
CREATE VIEW sample_times AS
  SELECT source_id, json_extract(source.dotted, '$.".period".type') AS type,
    json_extract(source.dotted, '$.".period".unit') AS unit,
    json_extract(source.dotted, '$.".period".value') AS period
  FROM readable_sources AS source JOIN sources USING (source_id)
  WHERE source_type <> 'pprof' AND json_extract(source.dotted, '$.".period".value') > 0
    AND json_extract(source.dotted, '$.".period".unit') IN ('nanoseconds', 'nanosecond', 'ns', 'microseconds',
      'microsecond', 'us', 'milliseconds', 'millisecond', 'ms', 'seconds', 'second', 's', 'minutes', 'hours')
    AND NOT EXISTS (SELECT 1 FROM json_each(source.dotted, '$.".value_types"') AS listed
      WHERE json_extract(listed.value, '$.type') = json_extract(source.dotted, '$.".period".type'));
-- Totals where files have functions and calls: a sample is a function alone, or a callee and its caller. They are
-- those of profsum, from inclusive values: of X from inclusive_X, and for calls also from inclusive_X_by_caller.
CREATE VIEW call_totals AS
  WITH inclusive AS (
    SELECT source_id, gauges.type AS of, substr(gauges.type, 11) AS type, unit
    FROM gauges JOIN sources USING (source_id)
    WHERE gauges.type LIKE 'inclusive!_%' ESCAPE '!' AND source_type IN ('callgrind', 'pstats', 'stackprof')),
  calls AS (
    SELECT source_id, samples.sample_id, callee.function AS callee, caller.function AS caller,
      caller.depth IS NULL AS is_alone,
      (SELECT function_id FROM locations WHERE locations.location_id = callee.location_id) AS callee_id,
      (SELECT function_id FROM locations WHERE locations.location_id = caller.location_id) AS caller_id
    FROM (SELECT DISTINCT source_id FROM inclusive) CROSS JOIN samples USING (source_id)
      JOIN sample_frames AS callee ON callee.sample_id = samples.sample_id
      LEFT JOIN sample_frames AS caller ON caller.sample_id = samples.sample_id AND caller.depth = 2
    WHERE callee.depth = 1),
  found AS (
    SELECT calls.*, callee_id IS caller_id AS is_recursion, type, unit,
      (SELECT value FROM sample_values AS own WHERE own.sample_id = calls.sample_id
        AND own.type = inclusive.type AND own.unit = inclusive.unit) AS own,
      (SELECT value FROM sample_values AS more WHERE more.sample_id = calls.sample_id
        AND more.type = inclusive.of AND more.unit = inclusive.unit) AS with_callees,
      (SELECT value FROM sample_values AS more WHERE more.sample_id = calls.sample_id
        AND more.type = inclusive.of || '_by_caller' AND more.unit = inclusive.unit) AS of_call
    FROM calls JOIN inclusive USING (source_id)),
  -- Neither is too low: what functions cost, and what they cost themselves with the calls from them.
  parts AS (
    SELECT type, unit, callee AS function, callee_id AS function_id, own AS self, own AS bound,
      CASE WHEN is_alone THEN coalesce(with_callees, own) ELSE own END AS total
    FROM found
    UNION ALL
    SELECT type, unit, caller, caller_id, 0, coalesce(with_callees, of_call, own), coalesce(with_callees, own)
    FROM found WHERE NOT is_alone AND NOT is_recursion AND caller <> callee),
  bounded AS (
    SELECT min(has_calls OR NOT has_functions) AS is_bounded
    FROM (SELECT max(is_alone AND with_callees IS NOT NULL) AS has_functions,
        max(NOT is_alone AND NOT is_recursion AND coalesce(with_callees, of_call) IS NOT NULL) AS has_calls
      FROM found GROUP BY source_id)),
  sums AS (
    SELECT type, unit, function, coalesce(sum(self), 0) AS self, coalesce(sum(bound), 0) AS bound,
      coalesce(sum(total), 0) AS total, count(DISTINCT function_id) > 1 AS joins
    FROM parts WHERE function IS NOT NULL GROUP BY type, unit, function),
  limited AS (SELECT *, sum(self) OVER (PARTITION BY type, unit) AS "all" FROM sums CROSS JOIN bounded)
  SELECT type, unit, function, self,
    max(self, min(total, "all", iif(is_bounded AND joins, bound, total))) AS total FROM limited WHERE "all" > 0;
CREATE VIEW folded AS
  SELECT type, unit, source_id, stack, value FROM folded_values
  UNION ALL
  SELECT time.type, time.unit, source_id, stack, value * period
  FROM sample_times AS time CROSS JOIN folded_values AS counts USING (source_id)
  WHERE counts.type = 'samples' AND counts.unit = 'count';
-- A row a sample. Frames are joined by ';' so that they can be taken apart again.
CREATE VIEW wide AS
  SELECT sample_id, source_id, source_uri AS source,
    ".time" AS time,
    (SELECT group_concat(replace(replace(function, '\', '\\'), ';', '\;'), ';')
      FROM (SELECT function FROM sample_frames AS frame
        WHERE frame.sample_id = samples.sample_id AND function IS NOT NULL ORDER BY depth DESC)) AS stack,
    (SELECT function FROM leaves WHERE leaves.sample_id = samples.sample_id) AS leaf,
    (SELECT file FROM leaves WHERE leaves.sample_id = samples.sample_id) AS leaf_file,
    (SELECT line FROM leaves WHERE leaves.sample_id = samples.sample_id) AS leaf_line,
    (SELECT json_group_object(type || '/' || unit, value)
      FROM (SELECT type, unit, value FROM sample_values AS each
        WHERE each.sample_id = samples.sample_id
        UNION ALL
        SELECT time.type, time.unit, value * period
        FROM sample_values AS each, sample_times AS time
        WHERE each.sample_id = samples.sample_id AND time.source_id = samples.source_id
          AND each.type = 'samples' AND each.unit = 'count')) AS value,
    (SELECT json_group_object(name, CASE count WHEN 1 THEN list -> 0 ELSE list END)
      FROM (SELECT "key" || iif(str IS NULL AND unit IS NOT NULL, '/' || unit, '') AS name,
          count(*) AS count, json_group_array(coalesce(str, num)) AS list
        FROM labels WHERE labels.sample_id = samples.sample_id GROUP BY 1)) AS label
  FROM samples JOIN sources USING (source_id);
