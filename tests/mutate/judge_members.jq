# judge_members.jq - of each file of rows (judge_json.c): which rules its dotted
# columns, and the members of .mappings and .rprof_files, break. Prints FILE RULE.
# What refers to another row is SQLite's to judge.

def hex: test("^([0-9A-Fa-f]{2})*$");
def is_flag: type == "boolean";
def is_integer: type == "number" and . == floor;
def is_ordinal: if is_integer then (if . >= 1 then "" else "range" end) else "type" end;
def is_address: type == "string" and test("^0x[0-9A-Fa-f]{1,16}$");
def is_hex: type == "string" and hex;
def is_text: type == "string";
def is_string: type == "string" or (type == "object" and keys == ["bytes"] and (.bytes | is_hex));
def is_strings: type == "array" and all(.[]; is_string);
def is_columns: type == "object" and all(.[]; is_hex);

# The members of $object that are listed, each with what it must be.
def typed($object; $name; f):
    if $object | has($name) then $object[$name] | if f then empty else "type" end else empty end;
def numbered($object; $name):
    if $object | has($name) then $object[$name] | is_ordinal | select(. != "") else empty end;
def needed($object; $name): if $object | has($name) then empty else "column" end;

def value_type:
    needed(.; "type"), needed(.; "unit"), typed(.; "type", "unit"; is_string),
    typed(.; "gauge", "inclusive"; is_flag), typed(.; "unknown"; is_hex);
def period:
    needed(.; "type"), needed(.; "unit"), needed(.; "value"),
    typed(.; "type", "unit"; is_string), typed(.; "value"; is_integer), typed(.; "unknown"; is_hex);
def a_label:
    needed(.; "key"), (if has("str") or has("num") then empty else "column" end),
    typed(.; "key", "str", "unit"; is_string), typed(.; "num"; is_integer), typed(.; "unknown"; is_hex);
def pprof:
    typed(.; "time_nanos", "duration_nanos", "period"; is_integer),
    typed(.; "default_sample_type", "drop_frames", "keep_frames", "doc_url"; is_string),
    typed(.; "comment"; is_strings), typed(.; "unknown"; is_hex);
def rprof:
    typed(.; "memory", "gc", "lines", "crlf"; is_flag), typed(.; "encoding"; is_text),
    numbered(.; "interval");
def rprofmem: typed(.; "crlf"; is_flag), typed(.; "encoding"; is_text);
def folded: numbered(.; "column");
def perf: typed(.; "header"; is_strings);

def object($name; f):
    if has($name) then .[$name] | if type == "object" then f else "type" end else empty end;
def objects($name; f):
    if has($name) then .[$name]
        | if type == "array" and all(.[]; type == "object") then .[] | f else "type" end
    else empty end;

def speedscope:
    typed(.; "name", "exporter"; is_string),
    objects("profiles";
        typed(.; "name", "unit"; is_string), typed(.; "start", "end"; is_text),
        typed(.; "active", "evented"; is_flag), numbered(.; "marked"));

def perun:
    typed(.; "layout", "stored"; is_text), typed(.; "indented"; is_flag), typed(.; "samples"; is_integer);

def members:
    .table as $table
    | if $table == "meta" then typed(.; ".ends"; is_flag)
      elif $table == ".end" then typed(.; "more"; is_flag)
      elif $table == "sources" or $table == "sample_types" then
          objects(".value_types"; value_type), object(".period"; period), object(".pprof"; pprof),
          object(".rprof"; rprof), object(".rprofmem"; rprofmem),
          object(".folded"; folded), object(".perf"; perf), object(".speedscope"; speedscope),
          object(".perun"; perun)
      elif $table == "functions" then
          typed(.; ".unmangled", ".no_name"; is_flag), typed(.; ".pprof_start_line"; is_integer),
          typed(.; ".pprof_unknown"; is_hex), numbered(.; ".pprof_copy"), typed(.; ".perf_dso"; is_text)
      elif $table == "locations" then
          typed(.; ".address", ".perf_offset", ".perf_dso_offset"; is_address),
          typed(.; ".column", ".pprof_line", ".speedscope_line", ".speedscope_col"; is_integer),
          typed(.; ".is_folded", ".pprof_outer", ".pprof_no_lines", ".perf_inlined", ".speedscope_file"; is_flag),
          typed(.; ".filename", ".rprof_text"; is_text),
          typed(.; ".pprof_unknown", ".pprof_line_unknown"; is_hex), numbered(.; ".pprof_copy"),
          numbered(.; ".speedscope_frame"), object(".perun_frame"; empty)
      elif $table == "samples" then
          objects(".labels"; a_label), typed(.; ".truncated"; is_flag),
          typed(.; ".rprof_tail"; is_text), typed(.; ".pprof_unknown"; is_hex),
          numbered(.; ".perun_type"), numbered(.; ".perun_snapshot"), object(".perun_members"; empty)
      elif $table == ".mappings" then
          typed(.; "memory_start", "memory_limit", "file_offset"; is_address),
          typed(.; "filename", "build_id"; is_string),
          typed(.; "has_functions", "has_filenames", "has_line_numbers", "has_inline_frames"; is_flag),
          typed(.; "unknown"; is_hex), numbered(.; ".pprof_copy")
      elif $table == ".rprof_files" then
          needed(.; "source_id"), needed(.; "number"), needed(.; "path"),
          numbered(.; "number"), typed(.; "path", "text"; is_text)
      else empty end,
      (if $table != ".mappings" and ($table == ".rprof_files" or ($table | startswith(".") | not))
       then typed(.; ".bytes"; is_columns) else empty end);

.file as $file
| [.rows[] | select(. != null) | members] | unique[] | "\($file) \(.)"
