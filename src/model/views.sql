-- What dotted columns say, for SQL: nothing where they nest deeper than SQLite reads JSON.
CREATE VIEW readable_sources AS
  SELECT source_id, CASE WHEN json_valid(dotted) THEN dotted END AS dotted FROM sources;
CREATE VIEW readable_functions AS
  SELECT function_id, name, CASE WHEN json_valid(dotted) THEN dotted END AS dotted FROM functions;
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
CREATE VIEW labels AS
  SELECT sample_id, json_extract(label.value, '$.key') AS "key", json_extract(label.value, '$.str') AS str,
    json_extract(label.value, '$.num') AS num, json_extract(label.value, '$.unit') AS unit
  FROM dotted_samples, json_each(CASE WHEN json_valid(dotted) THEN dotted END, '$.".labels"') AS label;
-- Levels, and what must not be summed up a stack: no view adds them up.
CREATE VIEW gauges AS
  SELECT source_id, json_extract(type.value, '$.type') AS type, json_extract(type.value, '$.unit') AS unit
  FROM readable_sources AS source, json_each(source.dotted, '$.".value_types"') AS type
  WHERE json_extract(type.value, '$.gauge') OR json_extract(type.value, '$.inclusive');
CREATE VIEW summed_values AS
  SELECT source_id, sample_id, type, unit, value
  FROM sample_values JOIN samples USING (sample_id)
  WHERE (source_id, type, unit) NOT IN (SELECT source_id, type, unit FROM gauges);

-- What a frame is called in tables, NULL where it is code outside of functions; and in folded stacks, by
-- itself and inlined into the next outer one.
CREATE VIEW mapping_names AS
  SELECT mapping_id, filename,
    CASE WHEN filename LIKE '%/' OR filename NOT LIKE '%/%' THEN filename
      -- the last of a list of what stands between slashes
      ELSE json_extract('[' || replace(json_quote(filename || ''), '/', '","') || ']', '$[#-1]') END AS base_name
  FROM mappings WHERE filename <> '';
CREATE VIEW frame_names AS
  SELECT l.location_id,
    CASE WHEN f.name IS NOT NULL AND json_extract(f.dotted, '$.".no_name"') IS NOT 1 THEN f.name
      WHEN l.function_id IS NULL AND (l.line > 0 OR json_extract(l.dotted, '$.".filename"') <> '') THEN NULL
      ELSE coalesce('[' || m.base_name || ']', '<unknown>') END AS name
  FROM readable_locations AS l LEFT JOIN readable_functions AS f USING (function_id)
    LEFT JOIN mapping_names AS m ON m.mapping_id = l.".mapping_id";
CREATE VIEW frame_texts AS
  WITH plain AS (
    SELECT l.location_id, l.".inlined_into" AS inlined_into,
      CASE WHEN json_extract(f.dotted, '$.".no_name"') IS 1 THEN ''
        WHEN f.name IS NOT NULL
          THEN replace(replace(replace(f.name, ';', ':'), char(10), ' '), char(13), ' ')
        WHEN l.line > 0 OR json_extract(l.dotted, '$.".filename"') <> '' THEN '<toplevel>'
        ELSE coalesce(json_extract(l.dotted, '$.".address"'), '<unknown>') END AS text,
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
CREATE VIEW top_by_source AS
  SELECT type, unit, source_id, name, self, total FROM top_of_values
  UNION ALL
  SELECT time.type, time.unit, source_id, name, self * period, total * period
  FROM top_of_values AS counts JOIN sample_times AS time USING (source_id)
  WHERE counts.type = 'samples' AND counts.unit = 'count';
CREATE VIEW top AS
  SELECT type, unit, name, sum(self) AS self, sum(total) AS total
  FROM top_by_source GROUP BY type, unit, name;
