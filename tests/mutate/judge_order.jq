# judge_order.jq - of each file of rows (judge_json.c): which rules of version,
# order, end row and shape it breaks. Prints FILE RULE.

def is_id: type == "number" and . == floor and . >= 1 and . <= 9007199254740991;
def version:
    if . == "2.0" then 2
    elif type == "string" and test("^1([.-][0-9]+)+$") then 1
    else null end;

def is_row_of($version):
    type == "object" and (.table as $table
        | ($table | startswith("."))
            or (["functions", "locations", "samples"] | index([$table])) != null
            or ($version == 1 and $table == "sample_types")
            or ($version == 2 and
                (["sources", "sample_values", "sample_locations"] | index([$table])) != null));

# What a version row says; nothing if it breaks a rule itself.
def declared: if (.key | type) == "string" then .value | version else null end;

# The profiles of a file, each a list of rows, and what is wrong between them.
def profiles:
    reduce .rows[] as $row (
        {profiles: [], rules: [], open: false, any: false, more: false, promised: false, meta: false};
        if $row.table == "meta" then
            (if .open and .meta and .promised then .rules += ["end"] else . end)
            | (if .open and .meta then .open = false else . end)
            | (if .open then . else .profiles += [{rows: [], version: ($row | declared)}] end)
            | .open = true | .any = true | .meta = true | .more = false
            | .promised = ($row[".ends"] == true)
            | (if ($row.key | type) == "string" and $row.key != "version" then .rules += ["version"] else . end)
            | (if ($row.value | type) == "string" and ($row.value | version) == null
               then .rules += ["version"] else . end)
        elif .open | not then
            if .any then .rules += ["end"]
            else .rules += ["version"] | .profiles += [{rows: [], version: null}]
                | .open = true | .any = true | .promised = false end
        else . end
        | .profiles[-1].version as $version
        | if .open and $row.table == ".end" then
              .open = false | .meta = false | .promised = false | .more = ($row.more == true)
          elif .open and ($row | is_row_of($version)) then .profiles[-1].rows += [$row]
          else . end)
    | (if .promised or .more or (.any | not) then .rules += ["end"] else . end);

# What a row refers to, and what it defines: [table, id].
def refers($version):
    if .table == "locations" then
        .location_id as $id | ["functions", .function_id], [".mappings", .[".mapping_id"]], 
        ["locations", .[".inlined_into"] | select(. != $id)]
    elif .table == "samples" and $version == 1 then ["locations", (.locations[]? | .location_id?)]
    elif .table == "samples" then ["sources", .source_id]
    elif .table == "sample_locations" then ["locations", .location_id]
    elif .table | startswith(".") then
        ["sources", .source_id], ["functions", .function_id], ["locations", .location_id],
        ["samples", .sample_id],
        (select(.table != ".mappings") | [".mappings", .mapping_id])
    else empty end
    | select(.[1] | is_id);
def defines:
    if .table == "sources" then ["sources", .source_id]
    elif .table == "functions" then ["functions", .function_id]
    elif .table == "locations" then ["locations", .location_id]
    elif .table == "samples" then ["samples", .sample_id]
    elif .table == ".mappings" then [".mappings", .mapping_id]
    else empty end
    | select(.[1] | is_id);
def key: "\(.[0]) \(.[1])";

# Whether each row that is defined at all is defined before it is referred to.
def defined_late:
    .version as $version
    | reduce (.rows[]) as $row (
        {defined: {}, wanted: {}, late: false};
        reduce ($row | refers($version) | key) as $k (.; if .defined[$k] then . else .wanted[$k] = true end)
        | reduce ($row | defines | key) as $k (.; .defined[$k] = true | .late = (.late or .wanted[$k])))
    | .late == true;

# Version 2.0: the rows of a sample stand together, and samples rise.
def of_sample: .table == "sample_values" or .table == "sample_locations";
def samples_scattered:
    reduce (.rows[]) as $row (
        {sample: null, last: 0, all: {}, wanted: {}, bad: false};
        if $row | of_sample then
            (if .sample == 0 and ($row.sample_id | is_id) then .sample = $row.sample_id else . end)
            | if (.sample != null) and ((.sample == $row.sample_id) or ($row.sample_id | is_id | not)) then
                if $row.table == "sample_values" then .bad = (.bad or .locations)
                else .locations = true
                    | if $row.depth | is_id | not then .
                      elif .depths["\($row.depth)"] then .
                      else .bad = (.bad or $row.depth < .depth) | .depth = ([.depth, $row.depth] | max)
                          | .depths["\($row.depth)"] = true end
                end
              elif $row.sample_id | is_id | not then .
              elif .all["\($row.sample_id)"] then .bad = true
              else .wanted["\($row.sample_id)"] = true end
        elif $row.table == "samples" then
            .depth = 0 | .depths = {} | .locations = false
            | if $row.sample_id | is_id | not then .sample = 0
              else .sample = $row.sample_id
                  | (if .all["\(.sample)"] then .
                     else .bad = (.bad or .sample < .last or .wanted["\(.sample)"])
                         | .last = ([.last, .sample] | max) end)
                  | .all["\(.sample)"] = true
              end
        else .sample = null end)
    | .bad == true;

# Version 1.0: one table after the other.
def rank:
    if .table == "sample_types" then 2 elif .table == "functions" then 3
    elif .table == "locations" then 4 elif .table == "samples" then 5
    elif .table | startswith(".") then 1 else empty end;
def tables_mixed:
    [.rows[] | rank] | . != sort;
def sample_types_wrong:
    [.rows[] | select(.table == "sample_types")]
    | length != 1
        or any(.[]; (.type | type == "string" and . != "samples") or (.unit | type == "string" and . != "count"));

# What each location is inlined into, if it is.
def outer_of:
    reduce (.rows[] | select(.table == "locations" and (.location_id | is_id)
             and (.[".inlined_into"] | is_id))) as $row (
        {}; .["\($row.location_id)"] //= $row[".inlined_into"]);

# A location may not stand right behind the one it is inlined into, unless that
# one follows as well.
def outer_first:
    outer_of as $into
    | any(.rows[] | select(.table == "samples") | [.locations[]? | .location_id?];
          . as $stack | any(range(1; length);
              . as $i | $into["\($stack[$i])"] as $outer
              | $outer != null and $stack[$i - 1] == $outer and $stack[$i + 1] != $outer));

# Behind one that is inlined stands the one that it is inlined into, if the stack
# goes on. What is outer first is not found twice.
def stacks($version):
    if $version == 1 then
        .rows[] | select(.table == "samples") | [.locations[]? | .location_id?]
        | to_entries | map({key: "\(.key)", value}) | from_entries
    else
        [.rows[] | select(.table == "sample_locations" and (.depth | is_id) and (.location_id | is_id))]
        | group_by(.sample_id)[] | map({key: "\(.depth)", value: .location_id}) | from_entries
    end;
def inlined_apart:
    .version as $version | outer_of as $into
    | any(stacks($version); . as $at | any(to_entries[];
        $into["\(.value)"] as $outer | (.key | tonumber) as $i | $at["\($i + 1)"] as $next
        | $outer != null and $next != null and $next != $outer
            and ($version == 2 or $at["\($i - 1)"] != $outer)));

def judge:
    profiles
    | .rules[],
      (.profiles[]
       | select(.version != null)
       | (if defined_late then "order" else empty end),
         (if .version == 2 and samples_scattered then "order" else empty end),
         (if .version == 1 and tables_mixed then "order" else empty end),
         (if .version == 1 and sample_types_wrong then "sample-types" else empty end),
         (if .version == 1 and outer_first then "inner-first" else empty end),
         (if inlined_apart then "inlined" else empty end));

.file as $file | [judge] | unique[] | "\($file) \(.)"
