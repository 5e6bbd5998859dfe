#include "filters/agg_entries.h"

#include "base/mem.h"
#include "profile/naming.h"
#include "rows/emit.h"

/* Identifies an entry. No padding: equal keys are equal bytes. Strings are numbers in the profile;
 * 0: none. */
struct key {
    uint32_t function; /* its row; 0: none */
    uint32_t file;     /* if there is no function */
    uint32_t mapping;  /* its row; 0: none */
    uint32_t unused;
    int64_t line; /* as in a row */
};

/* Identifies a function. */
struct function_key {
    uint32_t name, system_name, file;
};

/* --- rows --- */

/* Sets e->extra to the dotted columns of a row; e->inexact has its strings that are not valid
 * text. */
static struct str take_extra(struct agg_entries *e)
{
    emit_bytes_column(&e->extra, &e->inexact);
    return buf_str(&e->extra);
}

/* The function KEY. Pushes the row of a new one. */
static uint32_t function_of(struct agg_entries *e, struct function_key key)
{
    bool is_new;
    uint32_t id = intern_add(&e->functions, (struct str){(const char *)&key, sizeof key}, &is_new);
    if (!is_new)
        return id;
    struct buf system = {0}, file = {0};
    struct row row = {.table = TABLE_FUNCTIONS, .function = {.function_id = id}};
    e->extra.n = 0;
    if (key.system_name == 0)
        buf_add(&e->extra, STR(",\".unmangled\":true"));
    struct str name = profile_string_of(&e->profile, key.name);
    struct str system_name =
        key.system_name == 0 ? name : profile_string_of(&e->profile, key.system_name);
    row.function.name = emit_text(&e->name, &e->inexact, STR("name"), name);
    row.function.system_name = emit_text(&system, &e->inexact, STR("system_name"), system_name);
    row.function.filename =
        emit_text(&file, &e->inexact, STR("filename"), profile_string_of(&e->profile, key.file));
    row.extra = take_extra(e);
    sink_row(e->next, &row);
    buf_free(&system);
    buf_free(&file);
    return id;
}

/* The function called NAME in FILE. */
static uint32_t named(struct agg_entries *e, uint32_t name, uint32_t file)
{
    return function_of(e, (struct function_key){.name = name, .file = file});
}

/* The entry KEY. Pushes the row of a new one. */
static uint32_t entry_of(struct agg_entries *e, struct key key)
{
    bool is_new;
    uint32_t id = intern_add(&e->entries, (struct str){(const char *)&key, sizeof key}, &is_new);
    if (!is_new)
        return id;
    struct row row = {
        .table = TABLE_LOCATIONS,
        .location = {id, key.function == 0 ? ROW_NULL : (int64_t)key.function, key.line}};
    e->extra.n = 0;
    if (key.file != 0) {
        emit_member(&e->extra, STR(".filename"));
        emit_string(&e->extra, emit_text(&e->name, &e->inexact, STR(".filename"),
                                         profile_string_of(&e->profile, key.file)));
    }
    row.extra = take_extra(e);
    row.site.mapping_id = key.mapping;
    sink_row(e->next, &row);
    return id;
}

/* The row for mappings of the file NAME. Pushes it if it is new. */
static uint32_t mapping_of(struct agg_entries *e, uint32_t name)
{
    e->mappings = mem_array_zeroed(e->mappings, &e->mapping_capacity, name, sizeof *e->mappings);
    uint32_t *id = &e->mappings[name - 1];
    if (*id != 0)
        return *id;
    *id = ++e->mapping_count;
    e->extra.n = 0;
    emit_member(&e->extra, STR("filename"));
    emit_inner_string(&e->extra, &e->name, profile_string_of(&e->profile, name));
    sink_row(e->next,
             &(struct row){.table = TABLE_MAPPINGS, .mapping = {*id}, .extra = buf_str(&e->extra)});
    return *id;
}

/* --- entries --- */

static uint32_t by_mapping(struct agg_entries *e, const struct profile_location *l)
{
    uint32_t file = naming_mapped_file(&e->profile, l);
    if (file == 0)
        return entry_of(
            e, (struct key){.function = named(e, profile_string(&e->profile, NAMING_UNKNOWN), 0)});
    uint32_t function = named(e, file, 0); /* each may push a row, in this order */
    return entry_of(e, (struct key){.mapping = mapping_of(e, file), .function = function});
}

static uint32_t by_file(struct agg_entries *e, const struct profile_location *l)
{
    uint32_t file = naming_file(&e->profile, l);
    uint32_t name = file != 0 ? file : profile_string(&e->profile, NAMING_UNKNOWN);
    return entry_of(e, (struct key){.function = named(e, name, file)});
}

/* Top-level code without a package keeps its file, as it does by function. */
static uint32_t by_package(struct agg_entries *e, const struct profile_location *l)
{
    uint32_t package = naming_package(&e->profile, l);
    if (package == 0)
        return entry_of(e,
                        (struct key){.file = l->filename, .line = l->filename == 0 ? l->line : 0});
    return entry_of(e, (struct key){.function = named(e, package, 0)});
}

/* The entry by function, by group if there is one, or by line. Code without a line keeps its file,
 * which tells that it is machine code. */
static uint32_t by_function(struct agg_entries *e, const struct profile_location *l)
{
    bool has_lines = e->by == AGG_BY_LINE;
    if (e->by == AGG_BY_GROUP && l->group != 0)
        return entry_of(e, (struct key){.function = named(e, l->group, 0)});
    if (naming_is_toplevel(l))
        return entry_of(e, (struct key){.file = l->filename,
                                        .line = has_lines || l->filename == 0 ? l->line : 0});
    const struct profile_function none = {0}, *f = &none;
    if (l->function != 0)
        f = &e->profile.functions[l->function - 1];
    struct function_key key = {.name = f->name != 0 ? f->name : naming_stand_in(&e->profile, l)};
    if (has_lines) {
        key.system_name = f->system_name;
        key.file = f->filename;
    }
    bool has_line = has_lines && l->line > 0;
    uint32_t file = has_lines && !has_line ? naming_mapped_file(&e->profile, l) : 0;
    uint32_t function = function_of(e, key); /* each may push a row, in this order */
    return entry_of(e, (struct key){.mapping = file == 0 ? 0 : mapping_of(e, file),
                                    .function = function,
                                    .line = has_line ? l->line : 0});
}

static uint32_t entry_of_location(struct agg_entries *e, const struct profile_location *l)
{
    switch (e->by) {
    case AGG_BY_PACKAGE: return by_package(e, l);
    case AGG_BY_FILE: return by_file(e, l);
    case AGG_BY_MAPPING: return by_mapping(e, l);
    case AGG_BY_SOURCE: return 0;
    default: return by_function(e, l);
    }
}

static uint32_t entry_of_source(struct agg_entries *e, const struct profile_source *of)
{
    const uint32_t name = naming_numbered_source(&e->names, &e->profile, of);
    return entry_of(e, (struct key){.function = named(e, name, 0)});
}

static void add_source(struct agg_entries *e, const struct row *row)
{
    const struct profile_source *of = profile_add_source(&e->profile, row, e->next->flow->where);
    size_t id = e->profile.source_count;
    e->sources = mem_array(e->sources, &e->source_capacity, id, sizeof *e->sources);
    e->sources[id - 1] = e->by == AGG_BY_SOURCE ? entry_of_source(e, of) : 0;
}

static void add_location(struct agg_entries *e, const struct row *row)
{
    const struct profile_location *l = profile_add_location(&e->profile, row, e->next->flow->where);
    size_t id = (size_t)row->location.location_id;
    e->locations = mem_array(e->locations, &e->location_capacity, id, sizeof *e->locations);
    e->locations[id - 1] = entry_of_location(e, l);
}

void agg_entries_add(struct agg_entries *e, const struct row *row)
{
    e->profile.keep = profile_keep_all;
    switch (row->table) {
    case TABLE_SOURCES: add_source(e, row); break;
    case TABLE_MAPPINGS: profile_add_mapping(&e->profile, row, e->next->flow->where); break;
    case TABLE_FUNCTIONS: profile_add_function(&e->profile, row, e->next->flow->where); break;
    default: add_location(e, row);
    }
}

size_t agg_entries_stack(const struct agg_entries *e, const struct sample *sample, int64_t *frames)
{
    if (e->by == AGG_BY_SOURCE) {
        frames[0] = e->sources[sample->source_id - 1];
        return 1;
    }
    for (size_t i = 0; i < sample->depth; i++)
        frames[i] = e->locations[sample->locations[i] - 1];
    return sample->depth;
}

void agg_entries_free(struct agg_entries *e)
{
    profile_free(&e->profile);
    intern_free(&e->functions);
    intern_free(&e->entries);
    naming_free_sources(&e->names);
    mem_free(e->mappings);
    mem_free(e->locations);
    mem_free(e->sources);
    buf_free(&e->name);
    buf_free(&e->extra);
    buf_free(&e->inexact);
}
