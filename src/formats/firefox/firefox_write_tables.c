/* The tables of a file of the Firefox Profiler, which all its threads share, and its libraries. */
#include "formats/firefox/firefox_write.h"
#include "profile/naming.h"
#include "rows/emit.h"

/* A column of a table: appends the value of row I. */
struct column {
    struct str name;
    void (*add)(struct firefox_writer *w, size_t i);
};

/* Appends the table NAME of COUNT rows. */
static void add_table(struct firefox_writer *w, struct str name, size_t count,
                      const struct column *columns, size_t column_count)
{
    firefox_add(w, str_equal(name, STR("stackTable")) ? STR("\"") : STR(",\n\""));
    firefox_add(w, name);
    firefox_add(w, STR("\":{"));
    for (size_t c = 0; c < column_count; c++) {
        firefox_add(w, STR("\""));
        firefox_add(w, columns[c].name);
        firefox_add(w, STR("\":["));
        for (size_t i = 0; i < count; i++) {
            firefox_add(w, i == 0 ? STR("") : STR(","));
            if (columns[c].add == NULL)
                firefox_add(w, STR("null"));
            else
                columns[c].add(w, i);
            firefox_flush(w, FIREFOX_FLUSH);
        }
        firefox_add(w, STR("],"));
    }
    firefox_add(w, STR("\"length\":"));
    emit_number(&w->text, (int64_t)count);
    firefox_add(w, STR("}"));
}

static const struct stack_node *out_stack(const struct firefox_writer *w, size_t i)
{
    return firefox_stack_at(w, w->out_stacks.items[i]);
}

static const struct firefox_frame *out_frame(const struct firefox_writer *w, size_t i)
{
    return firefox_frame_at(w, w->out_frames.items[i]);
}

static const struct firefox_func *out_func(const struct firefox_writer *w, size_t i)
{
    return firefox_func_at(w, w->out_funcs.items[i]);
}

static const struct profile_mapping *out_lib(const struct firefox_writer *w, size_t i)
{
    return &w->profile.mappings[w->out_libs.items[i] - 1];
}

static struct str lib_name(const struct firefox_writer *w, size_t i)
{
    return naming_base_name(profile_string_of(&w->profile, out_lib(w, i)->filename));
}

static int64_t string_position(const struct firefox_writer *w, uint32_t string)
{
    return firefox_position(&w->out_strings, string + 1);
}

static void stack_frame(struct firefox_writer *w, size_t i)
{
    emit_number(&w->text, firefox_position(&w->out_frames, out_stack(w, i)->frame));
}

static void stack_offset(struct firefox_writer *w, size_t i)
{
    uint32_t above = out_stack(w, i)->parent;
    emit_number(&w->text, above == 0 ? 0 : (int64_t)i - firefox_position(&w->out_stacks, above));
}

static void frame_address(struct firefox_writer *w, size_t i)
{
    const struct firefox_frame *frame = out_frame(w, i);
    if (frame->has_address)
        decimal_write(&w->text, (struct decimal){wide_of_unsigned(frame->address), 0});
    else
        firefox_add(w, STR("-1"));
}

static void frame_depth(struct firefox_writer *w, size_t i)
{
    emit_number(&w->text, out_frame(w, i)->depth);
}

static uint32_t category_number(const struct firefox_writer *w, const struct firefox_frame *frame)
{
    uint32_t key[] = {frame->category == 0 ? w->other : frame->category, 0};
    return intern_find(&w->category_keys, (struct str){(const char *)key, sizeof key});
}

static void frame_category(struct firefox_writer *w, size_t i)
{
    emit_number(&w->text, category_number(w, out_frame(w, i)) - 1);
}

static void frame_part(struct firefox_writer *w, size_t i)
{
    const struct firefox_frame *frame = out_frame(w, i);
    uint32_t key[] = {category_number(w, frame), frame->part};
    uint32_t part = frame->part == 0
                        ? 0
                        : intern_find(&w->part_keys, (struct str){(const char *)key, sizeof key});
    emit_number(&w->text, part == 0 ? 0 : w->parts[part - 1].number);
}

static void frame_func(struct firefox_writer *w, size_t i)
{
    emit_number(&w->text, firefox_position(&w->out_funcs, out_frame(w, i)->func));
}

static void frame_line(struct firefox_writer *w, size_t i)
{
    firefox_add_or_null(w, out_frame(w, i)->line, out_frame(w, i)->line != 0);
}

static void frame_column(struct firefox_writer *w, size_t i)
{
    firefox_add_or_null(w, out_frame(w, i)->column, out_frame(w, i)->column != 0);
}

static void func_name(struct firefox_writer *w, size_t i)
{
    emit_number(&w->text, string_position(w, out_func(w, i)->name));
}

static void func_is_js(struct firefox_writer *w, size_t i)
{
    firefox_add(w, out_func(w, i)->is_js ? STR("true") : STR("false"));
}

static void func_resource(struct firefox_writer *w, size_t i)
{
    uint32_t mapping = out_func(w, i)->mapping;
    emit_number(&w->text, mapping == 0 ? -1 : firefox_position(&w->out_libs, mapping));
}

static void func_source(struct firefox_writer *w, size_t i)
{
    uint32_t file = out_func(w, i)->file;
    firefox_add_or_null(w, file == 0 ? 0 : firefox_position(&w->out_files, file), file != 0);
}

static void func_line(struct firefox_writer *w, size_t i)
{
    firefox_add_or_null(w, out_func(w, i)->line, out_func(w, i)->line != 0);
}

static void func_column(struct firefox_writer *w, size_t i)
{
    firefox_add_or_null(w, out_func(w, i)->column, out_func(w, i)->column != 0);
}

static void own_index(struct firefox_writer *w, size_t i)
{
    emit_number(&w->text, (int64_t)i);
}

static void resource_name(struct firefox_writer *w, size_t i)
{
    emit_number(&w->text, string_position(w, profile_string(&w->profile, lib_name(w, i))));
}

static void file_name(struct firefox_writer *w, size_t i)
{
    emit_number(&w->text, string_position(w, w->out_files.items[i] - 1));
}

static void zero(struct firefox_writer *w, size_t i)
{
    (void)i;
    firefox_add(w, STR("0"));
}

static void one(struct firefox_writer *w, size_t i)
{
    (void)i;
    firefox_add(w, STR("1"));
}

static void no(struct firefox_writer *w, size_t i)
{
    (void)i;
    firefox_add(w, STR("false"));
}

void firefox_write_shared(struct firefox_writer *w)
{
#define TABLE(name, count, ...)                                                                    \
    do {                                                                                           \
        static const struct column columns[] = {__VA_ARGS__};                                      \
        add_table(w, STR(name), count, columns, sizeof columns / sizeof *columns);                 \
    } while (0)
    firefox_add(w, STR(",\n\"shared\":{"));
    TABLE("stackTable", w->out_stacks.count, {STR("frame"), stack_frame},
          {STR("prefixOffset"), stack_offset});
    TABLE("frameTable", w->out_frames.count, {STR("address"), frame_address},
          {STR("inlineDepth"), frame_depth}, {STR("category"), frame_category},
          {STR("subcategory"), frame_part}, {STR("func"), frame_func}, {STR("nativeSymbol"), NULL},
          {STR("innerWindowID"), zero}, {STR("line"), frame_line}, {STR("column"), frame_column},
          {STR("originalLocation"), NULL});
    TABLE("funcTable", w->out_funcs.count, {STR("name"), func_name}, {STR("isJS"), func_is_js},
          {STR("relevantForJS"), no}, {STR("resource"), func_resource},
          {STR("source"), func_source}, {STR("lineNumber"), func_line},
          {STR("columnNumber"), func_column}, {STR("originalLocation"), NULL});
    TABLE("resourceTable", w->out_libs.count, {STR("lib"), own_index}, {STR("name"), resource_name},
          {STR("host"), NULL}, {STR("type"), one});
    TABLE("nativeSymbols", 0, {STR("libIndex"), NULL}, {STR("address"), NULL}, {STR("name"), NULL},
          {STR("functionSize"), NULL});
    TABLE("sources", w->out_files.count, {STR("id"), NULL}, {STR("filename"), file_name},
          {STR("startLine"), one}, {STR("startColumn"), one}, {STR("sourceMapURL"), NULL},
          {STR("content"), NULL});
    TABLE("sourceLocationTable", 0, {STR("source"), NULL}, {STR("line"), NULL},
          {STR("column"), NULL});
#undef TABLE
    firefox_add(w, STR(",\n\"stringArray\":["));
    for (size_t i = 0; i < w->out_strings.count; i++) {
        firefox_add(w, i == 0 ? STR("") : STR(","));
        firefox_add_string(w, profile_string_of(&w->profile, w->out_strings.items[i] - 1));
        firefox_flush(w, FIREFOX_FLUSH);
    }
    firefox_add(w, STR("]}"));
}

static void add_address(struct firefox_writer *w, struct str name, uint64_t address)
{
    emit_member(&w->text, name);
    firefox_add(w, STR("\""));
    emit_address(&w->text, address);
    firefox_add(w, STR("\""));
}

/* Writes the files that frames are mapped from. What a mapping has besides is ours. */
void firefox_write_libs(struct firefox_writer *w)
{
    for (size_t i = 0; i < w->out_libs.count; i++) {
        const struct profile_mapping *m = out_lib(w, i);
        struct str path = profile_string_of(&w->profile, m->filename),
                   build = profile_string_of(&w->profile, m->build_id);
        firefox_add(w, i == 0 ? STR("\n{\"arch\":\"\"") : STR(",\n{\"arch\":\"\""));
        firefox_add_string_member(w, STR("name"), lib_name(w, i));
        firefox_add_string_member(w, STR("path"), path);
        firefox_add_string_member(w, STR("debugName"), lib_name(w, i));
        firefox_add_string_member(w, STR("debugPath"), path);
        firefox_add(w, STR(",\"breakpadId\":\"\",\"codeId\":"));
        if (build.n > 0)
            firefox_add_string(w, build);
        else
            firefox_add(w, STR("null"));
        emit_member(&w->text, FIREFOX_MARK);
        size_t start = w->text.n;
        add_address(w, STR("memory_start"), m->start);
        add_address(w, STR("memory_limit"), m->limit);
        add_address(w, STR("file_offset"), m->offset);
        firefox_add_flag(w, STR("has_functions"), m->has_functions);
        firefox_add_flag(w, STR("has_filenames"), m->has_filenames);
        firefox_add_flag(w, STR("has_line_numbers"), m->has_line_numbers);
        firefox_add_flag(w, STR("has_inline_frames"), m->has_inline_frames);
        emit_make_object(&w->text, start);
        firefox_add(w, STR("}"));
        firefox_flush(w, FIREFOX_FLUSH);
    }
    firefox_add(w, STR("]"));
}
