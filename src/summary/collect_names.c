/* What entries are called: for people a name, for programs one or several columns. */
#include "base/units.h"
#include "rows/emit.h"
#include "summary/collect.h"

#include <inttypes.h>
#include <stdio.h>

struct collect_key collect_key_of(const struct collect *c, uint32_t entry)
{
    struct collect_key key;
    memcpy(&key, intern_get(&c->entries, entry).p, sizeof key);
    return key;
}

const enum column_id *collect_columns(enum collect_by by)
{
    static const enum column_id columns[COLLECT_BY_LEVELS + 1][COLLECT_PARTS] = {
        [COLLECT_BY_FUNCTION] = {COLUMN_FUNCTION, COLUMN_NONE},
        [COLLECT_BY_GROUP] = {COLUMN_GROUP, COLUMN_NONE},
        [COLLECT_BY_PACKAGE] = {COLUMN_PACKAGE, COLUMN_NONE},
        [COLLECT_BY_FILEFUNCTION] = {COLUMN_FUNCTION, COLUMN_FILE, COLUMN_NONE},
        [COLLECT_BY_LINE] = {COLUMN_FUNCTION, COLUMN_FILE, COLUMN_LINE, COLUMN_NONE},
        [COLLECT_BY_ADDRESS] = {COLUMN_FUNCTION, COLUMN_FILE, COLUMN_LINE, COLUMN_ADDRESS,
                                COLUMN_NONE},
        [COLLECT_BY_FILE] = {COLUMN_FILE, COLUMN_NONE},
        [COLLECT_BY_MAPPING] = {COLUMN_MAPPING, COLUMN_NONE},
        [COLLECT_BY_LABEL] = {COLUMN_LABEL, COLUMN_NONE},
        [COLLECT_BY_STACK] = {COLUMN_STACK, COLUMN_NONE},
        [COLLECT_BY_SOURCE] = {COLUMN_SOURCE, COLUMN_NONE},
        [COLLECT_BY_TIME] = {COLUMN_TIME, COLUMN_NONE},
        [COLLECT_BY_SOURCE_LINE] = {COLUMN_NONE},
        [COLLECT_BY_FRAME] = {COLUMN_NONE},
        [COLLECT_BY_SITE] = {COLUMN_NONE},
        [COLLECT_BY_KEY] = {COLUMN_KEY, COLUMN_NONE},
        [COLLECT_BY_ANY] = {COLUMN_LABEL, COLUMN_NONE},
        [COLLECT_BY_LEVELS] = {COLUMN_NONE},
    };
    return columns[by];
}

struct str collect_path(const struct collect *c, uint32_t entry)
{
    const struct collect_key key = collect_key_of(c, entry);
    const bool has_path = c->by == COLLECT_BY_STACK && key.string == 0;
    return has_path ? intern_get(&c->paths, key.number) : STR("");
}

static void add_path(const struct collect *c, struct str path, struct buf *to)
{
    for (size_t i = path.n / sizeof(uint32_t); i-- > 0;) {
        buf_add(to, collect_path_name(c, path, i));
        buf_add(to, i > 0 ? STR(";") : STR(""));
    }
}

/* Where the instruction of KEY, an address, is. */
static struct collect_at at_of(const struct collect *c, struct collect_key key)
{
    struct collect_at at = {0};
    if (key.number != 0)
        memcpy(&at, intern_get(&c->paths, key.number).p, sizeof at);
    return at;
}

/* Appends FILE:LINE, without a LINE that is 0. */
static void add_place(const struct collect *c, uint32_t file, int64_t line, struct buf *to)
{
    buf_add(to, file != 0 || line == 0 ? profile_string_of(&c->profile, file) : NAMING_UNKNOWN);
    if (line == 0)
        return;
    buf_add(to, STR(":"));
    emit_number(to, line);
}

static void add_address(uint64_t address, struct buf *to)
{
    char text[24];
    const int n = snprintf(text, sizeof text, "0x%" PRIx64, address);
    buf_add(to, (struct str){text, (size_t)n});
}

/* Appends the name of KEY, an address: its function comes first, as in all names. */
static void add_instruction(const struct collect *c, struct collect_key key, struct buf *to)
{
    const struct collect_at at = at_of(c, key);
    buf_add(to, profile_string_of(&c->profile, key.string));
    if (at.file != 0 || at.line != 0) {
        buf_add(to, STR(" in "));
        add_place(c, at.file, at.line, to);
    }
    if (at.address != 0) {
        buf_add(to, STR(" at "));
        add_address(at.address, to);
    }
}

/* Appends the time of KEY in the unit of its level. */
static void add_time(const struct collect *c, struct collect_key key, struct buf *to)
{
    const struct str unit = c->time_level->unit;
    const struct wide size = wide_of(units_typed_nanoseconds(unit));
    decimal_write(to, decimal_divide(decimal_of(key.line), size));
    buf_add(to, STR(" "));
    buf_add(to, unit);
}

void collect_add_name_by(const struct collect *c, enum collect_by by, uint32_t entry,
                         struct buf *to)
{
    const struct collect_key key = collect_key_of(c, entry);
    const struct str path = collect_path(c, entry);
    if (path.n > 0) {
        add_path(c, path, to);
    } else if (by == COLLECT_BY_ADDRESS) {
        add_instruction(c, key, to);
    } else if (by == COLLECT_BY_TIME && key.string == 0) {
        add_time(c, key, to);
    } else if (by == COLLECT_BY_FILEFUNCTION) {
        buf_add(to, profile_string_of(&c->profile, key.string));
        buf_add(to, key.number != 0 ? STR(" in ") : STR(""));
        buf_add(to, profile_string_of(&c->profile, key.number));
    } else {
        add_place(c, key.string, key.line, to);
        naming_add_number(to, key.number);
    }
}

/* Appends the names of ENTRY at all levels. */
static void add_levels(const struct collect *c, uint32_t entry, struct buf *to)
{
    const size_t from = to->n;
    uint32_t items[COLLECT_LEVELS];
    collect_levels_at(c, entry, items);
    for (size_t i = 0; i < c->level_count; i++) {
        if (items[i] == 0)
            continue;
        buf_add(to, to->n > from ? STR(", ") : STR(""));
        collect_add_name_by(c, c->levels[i].by, items[i], to);
    }
}

void collect_add_name(const struct collect *c, uint32_t entry, struct buf *to)
{
    if (c->by == COLLECT_BY_LEVELS)
        add_levels(c, entry, to);
    else
        collect_add_name_by(c, c->by, entry, to);
}

static struct collect_owner owner_of(const struct collect *c, uint32_t entry)
{
    return entry <= c->owner_capacity ? c->owners[entry - 1] : (struct collect_owner){0};
}

uint32_t collect_function(const struct collect *c, uint32_t entry)
{
    return owner_of(c, entry).function;
}

void collect_add_part(const struct collect *c, enum collect_by by, uint32_t entry,
                      enum column_id column, struct buf *to)
{
    const struct collect_key key = collect_key_of(c, entry);
    struct collect_at at = {.line = key.line, .file = key.number};
    if (by == COLLECT_BY_ADDRESS)
        at = at_of(c, key);
    else if (by == COLLECT_BY_LINE)
        at.file = key.line != 0 ? key.string : 0;
    const bool is_line = by == COLLECT_BY_LINE && key.line != 0; /* else a stand-in */
    if (column == COLUMN_TIME) {
        if (key.string == 0)
            emit_number(to, key.line);
    } else if (collect_columns(by)[1] == COLUMN_NONE)
        collect_add_name_by(c, by, entry, to);
    else if (column == COLUMN_FUNCTION)
        buf_add(to,
                profile_string_of(&c->profile, is_line ? collect_function(c, entry) : key.string));
    else if (column == COLUMN_FILE)
        buf_add(to, profile_string_of(&c->profile, at.file));
    else if (column == COLUMN_LINE && at.line > 0)
        emit_number(to, at.line);
    else if (column == COLUMN_ADDRESS && at.address != 0)
        add_address(at.address, to);
}

/* --- columns --- */

/* Adds a column about LEVEL to the COUNT in COLUMNS; returns how many these are then. */
static size_t add_column(struct collect_column *columns, size_t count, size_t level,
                         struct collect_column column)
{
    size_t i = 0;
    while (i < count && (columns[i].id != column.id || !str_equal(columns[i].words, column.words)))
        i++;
    if (i == count)
        columns[count++] = column;
    columns[i].levels |= 1u << level;
    return count;
}

/* Whether the name of a function is that of a level, which a line knows less exactly. */
static bool has_functions(const struct collect *c)
{
    bool has = false;
    for (size_t i = 0; i < c->level_count; i++)
        has |= c->levels[i].by == COLLECT_BY_FUNCTION || c->levels[i].by == COLLECT_BY_ADDRESS ||
               c->levels[i].by == COLLECT_BY_FILEFUNCTION;
    return has;
}

size_t collect_name_columns(const struct collect *c, struct collect_column columns[COLLECT_COLUMNS])
{
    size_t count = 0;
    for (const enum column_id *id = collect_columns(c->by); *id != COLUMN_NONE; id++)
        columns[count++] = (struct collect_column){.id = *id, .words = STR("")};
    for (size_t i = 0; i < c->level_count; i++) {
        const struct collect_level *level = &c->levels[i];
        if (level->by == COLLECT_BY_LABEL) {
            count = add_column(columns, count, i,
                               (struct collect_column){COLUMN_LABELS, level->label.key, 0});
            continue;
        }
        for (const enum column_id *id = collect_columns(level->by); *id != COLUMN_NONE; id++)
            if (level->by != COLLECT_BY_LINE || *id != COLUMN_FUNCTION || !has_functions(c))
                count = add_column(columns, count, i, (struct collect_column){*id, STR(""), 0});
    }
    return count;
}

void collect_add_column(const struct collect *c, uint32_t entry,
                        const struct collect_column *column, struct buf *to)
{
    uint32_t items[COLLECT_LEVELS];
    if (c->by != COLLECT_BY_LEVELS) {
        collect_add_part(c, c->by, entry, column->id, to);
        return;
    }
    collect_levels_at(c, entry, items);
    size_t level = c->level_count; /* the innermost that has it */
    while (level > 0 && ((column->levels & 1u << (level - 1)) == 0 || items[level - 1] == 0))
        level--;
    if (level > 0)
        collect_add_part(c, c->levels[level - 1].by, items[level - 1], column->id, to);
}

void collect_add_function(const struct collect *c, uint32_t entry, struct buf *to)
{
    const struct collect_owner owner = owner_of(c, entry);
    if (owner.function != 0)
        buf_add(to, profile_string_of(&c->profile, owner.function));
    if (owner.others == 0)
        return;
    buf_add(to, STR(" and "));
    emit_number(to, owner.others);
    buf_add(to, STR(" more"));
}
