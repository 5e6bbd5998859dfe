#include "tools/suggest.h"

enum { NAME_MAX_LENGTH = 31 };

/* Where to find options: those of our tools, and our equivalents of options of other programs.
 * A name that some tools have is for the tools without it.  An entry without a tool is an option
 * of all tools; (7) is a page to read. */
static const struct {
    const char *name, *ours;
} elsewhere[] = {
    /* our tools */
    {"across-sources", "profagg --across-sources"},
    {"add-label", "profcat --add-label"},
    {"aggregate", "ndjson2speedscope --aggregate"},
    {"allow-equal", "profdiff --allow-equal"},
    {"any-order", "profvalidate --any-order"},
    {"append", "ndjson2sqlite --append"},
    {"args", "ndjson2perun --args"},
    {"base-from", "profdiff --base-from"},
    {"brief", "profinfo --brief"},
    {"by", "profsum --by"},
    {"calls", "profsum --calls"},
    {"canonical", "ndjson2pprof --canonical"},
    {"checks", "profmodel --checks"},
    {"cmd", "ndjson2perun --cmd"},
    {"colors", "profflame --colors"},
    {"columns", "folded2ndjson --columns"},
    {"consecutive", "profagg --consecutive"},
    {"db", "profsql --db"},
    {"drop-gc", "proffilter --drop-gc"},
    {"expand", "pprof2ndjson --expand"},
    {"expect", "profcat --expect"},
    {"expect-from", "profcat --expect-from"},
    {"fail-if", "profsum --fail-if"},
    {"absent-ok", "profsum --absent-ok"},
    {"file", "profsql --file"},
    {"fixed-strings", "proffilter --fixed-strings"},
    {"focus", "proffilter --focus"},
    {"follow", "profsum --follow"},
    {"font-size", "profflame --font-size"},
    {"force", "ndjson2pprof --force"},
    {"format", "profsum --format"},
    {"from-code", "rprof2ndjson --from-code"},
    {"gauge", "profagg --gauge"},
    {"height", "profplot --height"},
    {"hide", "proffilter --hide"},
    {"hot-paths", "profsum --hot-paths"},
    {"icicle", "profflame --icicle"},
    {"ignore", "proffilter --ignore"},
    {"ignore-case", "proffilter --ignore-case"},
    {"ignore-labels", "profagg --ignore-labels"},
    {"interval", "ndjson2rprof --interval"},
    {"inverted", "profflame --inverted"},
    {"keep-addresses", "ndjson2pprof --keep-addresses"},
    {"keep-labels", "profagg --keep-labels"},
    {"keep-sources", "proffilter --keep-sources"},
    {"kind", "profplot --kind"},
    {"label", "proffilter --label"},
    {"label-from-name", "profcat --label-from-name"},
    {"label-leaf", "profagg --label-leaf"},
    {"label-root", "profagg --label-root"},
    {"label-source", "ndjson2pprof --label-source"},
    {"lane", "profplot --lane"},
    {"level", "ndjson2pprof --level"},
    {"lines", "profsum --by=line"},
    {"list", "profsum --list"},
    {"manifest", "profcat --manifest"},
    {"max-depth", "proffilter --max-depth"},
    {"max-errors", "profvalidate --max-errors"},
    {"max-names", "ndjson2pprof --max-names"},
    {"max-rows", "profsum --max-rows"},
    {"measure", "profdiff --measure"},
    {"memory", "profsort --memory"},
    {"min-share", "profsum --min-share"},
    {"min-width", "profflame --min-width"},
    {"models", "profsum --models"},
    {"new-from", "profdiff --new-from"},
    {"no-aggregate", "ndjson2pprof --no-aggregate"},
    {"no-duplicates", "profcat --no-duplicates"},
    {"no-inlines", "profagg --no-inlines"},
    {"no-label", "proffilter --no-label"},
    {"no-pairs", "profdiff --no-pairs"},
    {"no-rule", "profvalidate --no-rule"},
    {"nodes", "profsum --nodes"},
    {"normalize", "profagg --normalize"},
    {"off-cpu", "perf2ndjson --off-cpu"},
    {"origin", "ndjson2perun --origin"},
    {"own", "profdiff --own"},
    {"pass", "profvalidate --pass"},
    {"peek", "profsum --peek"},
    {"per", "profdiff --per"},
    {"per-op", "profdiff --per-op"},
    {"per-op-from", "profdiff --per-op-from"},
    {"plain", "ndjson2sqlite --plain"},
    {"profile", "profsum --profile"},
    {"profile-version", "prof2to1"},
    {"provenance", "ndjson2pprof --provenance"},
    {"prune", "profflame --prune"},
    {"rows", "profdiff --rows"},
    {"rule", "profvalidate --rule"},
    {"rules", "profsum --rules"},
    {"runs", "profdiff --runs"},
    {"samples", "proffilter --samples"},
    {"scale", "profagg --scale"},
    {"script", "profflame --script"},
    {"show", "proffilter --show"},
    {"sides", "profdiff --sides"},
    {"sort", "profsum --sort"},
    {"source", "proffilter --source"},
    {"source-path", "profsum --source-path"},
    {"source-uri", "pprof2ndjson --source-uri"},
    {"source-type", "prof1to2 --source-type"},
    {"stacks", "profsum --stacks"},
    {"standalone", "profflame --standalone"},
    {"store", "ndjson2perun --store"},
    {"test", "profdiff --test"},
    {"theme", "profflame --theme"},
    {"thin", "proffilter --thin"},
    {"timestamp", "pprof2ndjson --timestamp"},
    {"title", "profflame --title"},
    {"trim-leaf", "proffilter --trim-leaf"},
    {"trim-path", "profsum --trim-path"},
    {"trim-root", "proffilter --trim-root"},
    {"type", "proffilter --type"},
    {"types", "ndjson2pprof --types"},
    {"unite-addresses", "profcat --unite-addresses"},
    {"untested", "profdiff --untested"},
    {"width", "profflame --width"},
    {"workload", "ndjson2perun --workload"},

    /* go tool pprof */
    {"top", "profsum"},
    {"text", "profsum"},
    {"cum", "profsum --sort=total"},
    {"flat", "profsum --sort=self"},
    {"nodecount", "profsum --max-rows=N"},
    {"nodefraction", "profsum --min-share=PERCENT"},
    {"edgefraction", "profsum --calls --min-share"},
    {"tree", "profsum --calls"},
    {"traces", "profsum --traces"},
    {"tags", "profsum --by=label"},
    {"raw", "profcat"},
    {"proto", "ndjson2pprof"},
    {"weblist", "profsum --list --format=html"},
    {"web", "profflame -o FILE.html"},
    {"http", "profflame -o FILE.html"},
    {"svg", "profgraph -o FILE.svg"},
    {"dot", "profgraph -o FILE.dot"},
    {"png", "profgraph -o FILE.svg"},
    {"pdf", "profgraph -o FILE.svg"},
    {"gif", "profgraph -o FILE.svg"},
    {"diff_base", "profdiff OLD NEW"},
    {"base", "profdiff OLD NEW"},
    {"tagfocus", "proffilter --label=KEY=RE"},
    {"tagignore", "proffilter --no-label=KEY=RE"},
    {"taghide", "profagg --ignore-labels"},
    {"tagshow", "profpipe-pprof(7)"},
    {"tagroot", "profagg --label-root=KEY"},
    {"tagleaf", "profagg --label-leaf=KEY"},
    {"show_from", "proffilter --trim-root"},
    {"prune_from", "proffilter --trim-leaf"},
    {"noinlines", "profagg --no-inlines"},
    {"granularity", "profsum --by"},
    {"sample_index", "profsum --type"},
    {"inuse_space", "profsum --type=inuse_space"},
    {"inuse_objects", "profsum --type=inuse_objects"},
    {"alloc_space", "profsum --type=alloc_space"},
    {"alloc_objects", "profsum --type=alloc_objects"},
    {"total_delay", "profsum --type=delay"},
    {"contentions", "profsum --type=contentions"},
    {"mean", "profpipe-pprof(7)"},
    {"mean_delay", "profpipe-pprof(7)"},
    {"divide_by", "profagg --scale=TYPE=FACTOR"},
    {"unit", "profsum --format=tsv"},
    {"functions", "profsum --by=function"},
    {"files", "profsum --by=file"},
    {"filefunctions", "profsum --by=filefunction"},
    {"addresses", "profsum --by=address"},
    {"call_tree", "profsum --hot-paths"},
    {"source_path", "profsum --source-path"},
    {"trim_path", "profsum --trim-path"},
    {"relative_percentages", "proffilter"},
    {"seconds", "profpipe-pprof(7)"},
    {"symbolize", "profpipe-pprof(7)"},
    {"disasm", "profpipe-pprof(7)"},
    {"callgrind", "ndjson2callgrind"},

    /* FlameGraph: flamegraph.pl and difffolded.pl */
    {"subtitle", "profflame --title"},
    {"minwidth", "profflame --min-width"},
    {"countname", "profpipe-flamegraph(7)"},
    {"reverse", "profflame --inverted"},
    {"flamechart", "profplot --kind=events"},
    {"negate", "profflame NEW -- OLD"},
    {"factor", "profagg --scale=TYPE=FACTOR"},
    {"fonttype", "profpipe-flamegraph(7)"},
    {"fontsize", "profflame --font-size"},
    {"fontwidth", "profpipe-flamegraph(7)"},
    {"nametype", "profpipe-flamegraph(7)"},
    {"bgcolors", "profflame --theme"},
    {"hash", "profpipe-flamegraph(7)"},
    {"random", "profpipe-flamegraph(7)"},
    {"total", "profpipe-flamegraph(7)"},
    {"event-filter", "ndjson2folded --type"},

    /* words for what an option says here */
    {"json", "profsum --format=json"},
    {"csv", "profsum --format=csv"},
    {"markdown", "profsum --format=markdown"},
    {"html", "profsum --format=html"},
    {"limit", "profsum --max-rows"},
    {"watch", "profsum --follow"},
    {"callers", "profsum --peek"},

    /* samtools and similar programs */
    {"@", "--threads"},
    {"O", "--format"},
    {"output-fmt", "--format"},
    {"jobs", "--threads"},
    {"j", "--threads"},
    {"out", "--output"},
};

enum { ELSEWHERE = sizeof elsewhere / sizeof *elsewhere };

/* Those of these names whose equivalent has another meaning or argument in other tools. */
static const char *const only_there[] = {"base", "tags", "unit"};

/* Our equivalent of NAME, or NULL. */
static const char *find(struct str name)
{
    for (size_t i = 0; i < ELSEWHERE; i++)
        if (str_equal(name, str_of(elsewhere[i].name)))
            return elsewhere[i].ours;
    return NULL;
}

static bool has(const struct options *known, struct str name)
{
    for (size_t i = 0; i < known->count; i++)
        if (str_equal(name, str_of(known->rows[i]->name)))
            return true;
    return false;
}

/* The option in OURS, starting at its dashes, if KNOWN has it; or NULL. */
static const char *own_option(const struct options *known, const char *ours)
{
    const char *option = strstr(ours, "--");
    if (option == NULL)
        return NULL;
    struct str name = {option + 2, strcspn(option + 2, "= ")};
    return has(known, name) ? option : NULL;
}

bool suggest_is_name(const struct options *known, struct str word)
{
    return word.n > 1 && !str_equal(word, STR("help")) && (find(word) != NULL || has(known, word));
}

bool suggest_is_elsewhere(struct str name)
{
    return find(name) != NULL;
}

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* The edit distance of A and B: letters changed, added, removed or swapped with a neighbour.
 * Both have at most NAME_MAX_LENGTH letters. */
static size_t distance(struct str a, struct str b)
{
    size_t rows[3][NAME_MAX_LENGTH + 1];
    for (size_t j = 0; j <= b.n; j++)
        rows[0][j] = j;
    for (size_t i = 1; i <= a.n; i++) {
        size_t *now = rows[i % 3], *before = rows[(i + 2) % 3], *earlier = rows[(i + 1) % 3];
        now[0] = i;
        for (size_t j = 1; j <= b.n; j++) {
            bool differ = a.p[i - 1] != b.p[j - 1];
            now[j] = smaller(before[j - 1] + differ, smaller(before[j], now[j - 1]) + 1);
            if (i > 1 && j > 1 && a.p[i - 1] == b.p[j - 2] && a.p[i - 2] == b.p[j - 1])
                now[j] = smaller(now[j], earlier[j - 2] + 1);
        }
    }
    return rows[a.n % 3][b.n];
}

/* The option most similar to NAME, with at most every third letter wrong; or NULL. */
static const char *nearest(const struct options *known, struct str name)
{
    size_t best = name.n < 6 ? 2 : name.n / 3 + 1;
    const char *found = NULL;
    for (size_t i = 0; i < known->count && name.n <= NAME_MAX_LENGTH; i++) {
        size_t d = distance(name, str_of(known->rows[i]->name));
        if (d < best && !known->rows[i]->is_old) {
            best = d;
            found = known->rows[i]->name;
        }
    }
    return found;
}

static void add(struct buf *text, const char *before, const char *what, const char *after)
{
    buf_add(text, str_of(before));
    buf_add(text, str_of(what));
    buf_add(text, str_of(after));
}

/* Whether OURS, our equivalent of NAME, is also right for TOOL. */
static bool holds_for(const struct tool *tool, struct str name, const char *ours)
{
    for (size_t i = 0; i < sizeof only_there / sizeof *only_there; i++)
        if (str_equal(name, str_of(only_there[i])))
            return str_starts(str_of(ours), str_of(tool->name));
    return true;
}

/* OURS is a tool with options, or a page. */
static void add_elsewhere(struct buf *text, const struct tool *tool, const struct options *known,
                          struct str name, const char *ours)
{
    const char *option = holds_for(tool, name, ours) ? own_option(known, ours) : NULL;
    if (option != NULL)
        add(text, ": did you mean ", option, "?");
    else if (strcmp(ours, tool->name) == 0)
        add(text, ": ", ours, " does that without an option");
    else if (ours[0] == '-') /* not every tool has it */
        return;
    else
        add(text, str_ends(str_of(ours), STR("(7)")) ? ": see " : ": try ", ours, "");
}

void suggest_add(struct buf *text, const struct tool *tool, const struct options *known,
                 struct str name)
{
    const char *ours = find(name);
    const char *meant = has(known, name) ? NULL : nearest(known, name);
    if (has(known, name)) { /* one dash is missing */
        buf_add(text, STR(": did you mean --"));
        buf_add(text, name);
        buf_add(text, STR("?"));
    } else if (ours != NULL) {
        add_elsewhere(text, tool, known, name, ours);
    } else if (meant != NULL) {
        add(text, ": did you mean --", meant, "?");
    }
}
