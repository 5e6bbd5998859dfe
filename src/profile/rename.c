#include "profile/rename.h"

#include "base/mem.h"
#include "rows/emit.h"
#include "rows/members.h"
#include "rows/text.h"

/* The value in r->known for a location that matches no line. */
#define NO_GROUP UINT32_MAX

/* The new value of a dotted column: JSON; n is 0 to remove it. */
struct change {
    struct str name, value;
};

/* --- rules --- */

static void note_word(void *with, uint32_t line)
{
    struct rename *r = with;
    r->rounds[line] = r->round;
}

/* Whether LINE can match a text of this round. */
static bool may_match(const struct rename *r, size_t line)
{
    return r->rounds[line] >= r->round;
}

/* Applies the lines of KIND to TEXT, one after the other; false if none matches.  Once the text
 * is empty it is unknown, and stays so. */
static bool apply(struct rename *r, enum rules_kind kind, struct buf *text)
{
    bool has_matched = false;
    r->round++;
    needles_find(&r->words[kind], buf_str(text), note_word, r);
    for (size_t i = 0; i < r->rules->count && text->n > 0; i++) {
        struct rules_line *line = &r->rules->lines[i];
        r->made.n = 0;
        if (line->kind != kind || !may_match(r, i) ||
            !match_replace(&r->matches[i], buf_str(text), line->replacement, r->sink.flow->where,
                           &r->made))
            continue;
        struct buf before = *text;
        *text = r->made;
        r->made = before;
        line->has_matched = has_matched = true;
        needles_find(&r->words[kind], buf_str(text), note_word,
                     r); /* the words in the new text, too */
    }
    return has_matched;
}

/* The number of the group of a frame with TEXTS, from the first line that matches: 0 if that
 * line says "no group"; NO_GROUP if none matches. */
static uint32_t find_group(struct rename *r, const struct match_texts *texts)
{
    const struct str places[] = {texts->name, texts->file, texts->mapping};
    r->round++;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        needles_find(&r->words[RULES_GROUP], places[i], note_word, r);
    for (size_t i = 0; i < r->rules->count; i++) {
        struct rules_line *line = &r->rules->lines[i];
        r->made.n = 0;
        if (line->kind != RULES_GROUP || !may_match(r, i) ||
            !match_expand(&r->matches[i], texts, line->replacement, &r->made))
            continue;
        line->has_matched = true;
        return r->made.n == 0 ? 0 : intern_add(&r->groups, buf_str(&r->made), NULL);
    }
    return NO_GROUP;
}

/* --- rows --- */

/* Stores the bytes of the column NAME of a row, with the text TEXT, in TO; BYTES is its
 * `.bytes`. */
static struct str read_column(struct buf *to, struct str name, struct str text, struct str bytes)
{
    to->n = 0;
    text_exact(to, text, bytes, name);
    return buf_str(to);
}

/* The `.bytes` of ROW; p is NULL if it has none. */
static struct str bytes_of(const struct row *row)
{
    struct member m;
    return members_get(row, MEMBER_ID_BYTES, &m) ? m.value : (struct str){NULL, 0};
}

/* Stores the JSON value for BYTES, a string in a dotted column, in TO; empty if BYTES are. */
static struct str string_value(struct rename *r, struct buf *to, struct str name, struct str bytes)
{
    to->n = 0;
    if (bytes.n > 0)
        emit_string(to, emit_text(&r->made, &r->inexact, name, bytes));
    return buf_str(to);
}

static const struct change *change_of(const struct change *changes, size_t count, struct str name)
{
    for (size_t i = 0; i < count; i++)
        if (str_equal(changes[i].name, name))
            return &changes[i];
    return NULL;
}

/* Adds to r->inexact the entries of BYTES, the `.bytes` of ROW, for columns that stay. */
static void keep_bytes(struct rename *r, const struct row *row, struct str bytes,
                       const struct change *changes, size_t count)
{
    struct str rest = text_inside(bytes), name, value, hex;
    while (text_next_member(&rest, &name, &value)) {
        bool is_read = *name.p != '.' && members_is_string(row, name);
        if (is_read || change_of(changes, count, name) != NULL || !text_is_string(value, &hex))
            continue;
        r->made.n = 0;
        text_unhex(&r->made, hex);
        emit_bytes(&r->inexact, name, buf_str(&r->made));
    }
}

/* Applies the COUNT CHANGES to the dotted columns of ROW.  Changed columns keep their places;
 * new ones come last. emit_text was called for all strings of ROW that are columns. */
static void rewrite(struct rename *r, struct row *row, const struct change *changes, size_t count)
{
    struct members walk = members_of(row, r->sink.flow->where, NULL);
    struct member m;
    unsigned made = 0; /* the changes made, as bits */
    r->extra.n = 0;
    while (members_next(&walk, &m)) {
        const struct change *change = change_of(changes, count, m.name);
        if (m.value.p == NULL) /* a member of the site, which is not changed */
            continue;
        if (m.id == MEMBER_ID_BYTES) {
            keep_bytes(r, row, m.value, changes, count);
            continue;
        }
        made |= change == NULL ? 0 : 1u << (change - changes);
        struct str value = change == NULL ? m.value : change->value;
        if (value.n > 0) {
            emit_member(&r->extra, m.name);
            buf_add(&r->extra, value);
        }
    }
    for (size_t i = 0; i < count; i++)
        if ((made & 1u << i) == 0 && changes[i].value.n > 0) {
            emit_member(&r->extra, changes[i].name);
            buf_add(&r->extra, changes[i].value);
        }
    emit_bytes_column(&r->extra, &r->inexact);
    row->extra = buf_str(&r->extra);
}

/* Stores the texts of the row ID of T, unless the merge will reject the row. */
static void note_texts(struct rename *r, struct rename_table *t, int64_t id, struct str name,
                       struct str file)
{
    if (!r->has_groups || idmap_get(&t->ids, (uint64_t)id) != 0)
        return;
    t->texts = mem_array(t->texts, &t->capacity, t->count + 1, sizeof *t->texts);
    t->texts[t->count++] =
        (struct rename_texts){arena_copy(&r->arena, name), arena_copy(&r->arena, file)};
    idmap_put(&t->ids, (uint64_t)id, (uint32_t)t->count);
}

/* --- functions --- */

/* Applies rules to r->name and r->system.  Stores in *REPEATS whether the two are the same, or
 * become so.  False if no rule matches. */
static bool rename_names(struct rename *r, bool *repeats)
{
    bool is_same = *repeats || str_equal(buf_str(&r->name), buf_str(&r->system));
    bool has_matched = apply(r, RULES_NAME, &r->name);
    if (!is_same) {
        has_matched |= apply(r, RULES_NAME, &r->system);
        *repeats = r->system.n == 0;
    }
    if (is_same || *repeats) {
        r->system.n = 0;
        buf_add(&r->system, buf_str(&r->name));
    }
    return has_matched;
}

/* Applies rules to the file that the function ROW belongs to and stores the result in CHANGE;
 * false if none matches. */
static bool rename_binary(struct rename *r, const struct row *row, struct str bytes,
                          struct change *change)
{
    struct member m;
    if (!members_get_role(row, ROLE_BINARY, &m))
        return false;
    read_column(&r->file, m.name, m.text, bytes);
    if (!apply(r, RULES_MAPPING, &r->file))
        return false;
    *change = (struct change){m.name, string_value(r, &r->group_text, m.name, buf_str(&r->file))};
    return true;
}

static void take_function(struct rename *r, struct row *row)
{
    struct str bytes = bytes_of(row);
    struct change changes[3], *end = changes;
    bool no_name = members_flag(row, MEMBER_ID_NO_NAME);
    bool unmangled = members_flag(row, MEMBER_ID_UNMANGLED), repeats = unmangled;
    r->inexact.n = 0;
    bool has_changed = rename_binary(r, row, bytes, end);
    end += has_changed;
    read_column(&r->name, STR("name"), no_name ? STR("") : row->function.name, bytes);
    read_column(&r->system, STR("system_name"), row->function.system_name, bytes);
    read_column(&r->file, STR("filename"), row->function.filename, bytes);
    has_changed |= rename_names(r, &repeats);
    has_changed |= apply(r, RULES_FILE, &r->file);
    note_texts(r, &r->functions, row->function.function_id, buf_str(&r->name), buf_str(&r->file));
    if (!has_changed)
        return;
    if (idmap_get(&r->changed, (uint64_t)row->function.function_id) == 0)
        idmap_put(&r->changed, (uint64_t)row->function.function_id, 1);
    bool has_name = r->name.n > 0;
    if (no_name == has_name)
        *end++ = (struct change){STR(".no_name"), has_name ? STR("") : STR("true")};
    if (repeats != unmangled)
        *end++ = (struct change){STR(".unmangled"), STR("true")};
    struct str stand_in = ROW_NO_NAME;
    row->function.name =
        emit_text(&r->name_text, &r->inexact, STR("name"), has_name ? buf_str(&r->name) : stand_in);
    row->function.system_name = emit_text(&r->system_text, &r->inexact, STR("system_name"),
                                          r->system.n > 0 ? buf_str(&r->system) : stand_in);
    row->function.filename =
        emit_text(&r->file_text, &r->inexact, STR("filename"), buf_str(&r->file));
    rewrite(r, row, changes, (size_t)(end - changes));
}

/* --- mappings --- */

static void take_mapping(struct rename *r, struct row *row)
{
    struct member m;
    struct change change = {STR("filename"), STR("")};
    r->file.n = 0;
    if (members_get(row, MEMBER_ID_MAPPED_FILE, &m))
        text_inner_bytes(&r->file, m.value);
    bool has_changed = apply(r, RULES_MAPPING, &r->file);
    note_texts(r, &r->mappings, row->mapping.mapping_id, STR(""), buf_str(&r->file));
    if (!has_changed)
        return;
    if (r->file.n > 0) {
        r->file_text.n = 0;
        emit_inner_string(&r->file_text, &r->made, buf_str(&r->file));
        change.value = buf_str(&r->file_text);
    }
    r->inexact.n = 0;
    rewrite(r, row, &change, 1);
}

/* --- locations --- */

/* The group of the location ROW.  FILE is its own file, for locations without a function (p is
 * NULL: none). */
static uint32_t group_of(struct rename *r, const struct row *row, struct str file)
{
    struct member m;
    uint32_t function = 0, mapping = 0, group;
    struct match_texts texts = {.file = file, .line = row->location.line};
    if (row->location.function_id != ROW_NULL)
        function = idmap_get(&r->functions.ids, (uint64_t)row->location.function_id);
    if (members_get(row, MEMBER_ID_MAPPING, &m) && m.integer != ROW_NULL)
        mapping = idmap_get(&r->mappings.ids, (uint64_t)m.integer);
    uint64_t key = (uint64_t)function << 32 | mapping;
    bool is_known =
        function != 0 && !r->has_lines; /* the group of the function's other locations */
    if (is_known && (group = idmap_get(&r->known, key)) != 0)
        return group == NO_GROUP ? group : group - 1;
    if (function != 0) {
        texts.name = r->functions.texts[function - 1].name;
        texts.file = r->functions.texts[function - 1].file;
    }
    if (mapping != 0)
        texts.mapping = r->mappings.texts[mapping - 1].file;
    if (function == 0 && file.n == 0 && texts.mapping.n == 0)
        texts.name = STR(""); /* so that .* names frames of which nothing is known, too */
    group = find_group(r, &texts);
    if (is_known)
        idmap_put(&r->known, key, group == NO_GROUP ? NO_GROUP : group + 1);
    return group;
}

static void take_location(struct rename *r, struct row *row)
{
    struct str bytes = bytes_of(row), file = {NULL, 0};
    struct change changes[3], *end = changes;
    struct member m;
    bool has_changed = row->location.function_id != ROW_NULL &&
                       idmap_get(&r->changed, (uint64_t)row->location.function_id) != 0;
    r->inexact.n = 0;
    if (row->location.function_id == ROW_NULL && members_get(row, MEMBER_ID_FILENAME, &m)) {
        read_column(&r->file, m.name, m.text, bytes);
        has_changed = apply(r, RULES_FILE, &r->file);
        if (has_changed)
            *end++ =
                (struct change){m.name, string_value(r, &r->file_text, m.name, buf_str(&r->file))};
        if (r->file.n > 0)
            file = buf_str(&r->file);
    }
    if (has_changed && members_get_role(row, ROLE_SPELLING, &m))
        *end++ = (struct change){m.name, STR("")};
    uint32_t group = r->has_groups ? group_of(r, row, file) : NO_GROUP;
    if (group != NO_GROUP) {
        struct str name = STR(".group");
        struct str called = group == 0 ? STR("") : intern_get(&r->groups, group);
        *end++ = (struct change){name, string_value(r, &r->group_text, name, called)};
    }
    if (end > changes)
        rewrite(r, row, changes, (size_t)(end - changes));
}

/* --- the stage --- */

static void forget(struct rename_table *t)
{
    idmap_clear(&t->ids);
    t->count = 0;
}

static void take_row(struct sink *to, struct row *row)
{
    struct rename *r = (struct rename *)to;
    switch (row->table) {
    case TABLE_META:
        forget(&r->functions);
        forget(&r->mappings);
        idmap_clear(&r->changed);
        idmap_clear(&r->known);
        arena_clear(&r->arena);
        break;
    case TABLE_FUNCTIONS: take_function(r, row); break;
    case TABLE_MAPPINGS: take_mapping(r, row); break;
    case TABLE_LOCATIONS: take_location(r, row); break;
    default: break;
    }
    sink_row(r->next, row);
}

static void take_sample(struct sink *to, struct sample *sample)
{
    sink_sample(((struct rename *)to)->next, sample);
}

struct rename rename_of(struct sink *next, struct rules *rules)
{
    struct rename r = {.sink = {next->flow, take_row, take_sample}, .next = next, .rules = rules};
    r.matches = mem_alloc_zeroed((rules->count + 1) * sizeof *r.matches);
    r.rounds = mem_alloc_zeroed((rules->count + 1) * sizeof *r.rounds);
    r.room = regex_room_open();
    for (size_t i = 0; i < rules->count; i++) {
        const struct rules_line *line = &rules->lines[i];
        bool is_group = line->kind == RULES_GROUP;
        match_open_line(&r.matches[i], line->where, line->expression, is_group, r.room);
        bool has_line = r.matches[i].where == MATCH_LINE;
        r.has_groups |= is_group;
        r.has_lines |= has_line;
        struct str word = match_word(line->expression, is_group);
        if (word.n >= NEEDLES_MIN && !has_line)
            needles_add(&r.words[line->kind], word, (uint32_t)i);
        else
            r.rounds[i] = UINT64_MAX;
    }
    for (unsigned kind = 0; kind < RULES_KIND_COUNT; kind++)
        needles_ready(&r.words[kind]);
    return r;
}

void rename_free(struct rename *r)
{
    for (size_t i = 0; i < r->rules->count; i++)
        match_free(&r->matches[i]);
    mem_free(r->matches);
    mem_free(r->rounds);
    regex_room_free(r->room);
    for (unsigned kind = 0; kind < RULES_KIND_COUNT; kind++)
        needles_free(&r->words[kind]);
    idmap_free(&r->functions.ids);
    idmap_free(&r->mappings.ids);
    mem_free(r->functions.texts);
    mem_free(r->mappings.texts);
    arena_free(&r->arena);
    idmap_free(&r->changed);
    idmap_free(&r->known);
    intern_free(&r->groups);
    BUF_FREE(&r->name, &r->system, &r->file, &r->made, &r->name_text, &r->system_text,
             &r->file_text, &r->group_text, &r->inexact, &r->extra);
}
