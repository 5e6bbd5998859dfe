#include "tools/common.h"

#include "tools/options.h"
#include "tools/tool.h"

struct tool_common tool_common;

const char *const common_versions[2] = {"2.0", "1.0"};

const char *const common_errors[2] = {"text", "json"};

const struct common_row common_rows[COMMON_ROWS] = {
    {0, {"help", NULL, "print this help", .letter = 'h', .each = options_show_help}, NULL},
    {0, {"version", NULL, "print the version", .letter = 'V', .each = options_show_version}, NULL},
    {0,
     {"output", "FILE", "write to FILE instead of standard output", .letter = 'o',
      .text = &tool_common.output},
     "FILE is whole or untouched."},
    {0, {"quiet", NULL, "print errors only", .letter = 'q', .each = options_be_quiet}, NULL},
    {0,
     {"verbose", NULL, "list by name what was lost or kept in part", .letter = 'v',
      .each = options_be_verbose},
     NULL},
    {0,
     {"errors", "FORMAT", "print messages as", .each = options_set_errors,
      OPTION_VALUES(common_errors), .preset = "text"},
     "Section MESSAGES FOR PROGRAMS describes json."},
    {0,
     {"progress", "[=auto]", "draw a progress bar on a terminal when the work is long",
      .flag = &tool_common.progress},
     NULL},
    {0,
     {"files-from", "FILE", "read the names of the inputs from FILE, one on each line",
      .text = &tool_common.files_from},
     "The name - is standard input."},
    {0,
     {"null", NULL, "names in the FILE of --files-from end in NUL", .flag = &tool_common.null},
     NULL},
    {0,
     {"threads", "N", "work on N threads (default: as the machine's cores allow)",
      .text = &tool_common.threads},
     "From 2 on, inputs are read and inflated ahead, and output is compressed behind."},
    {0,
     {"timeout", "SECONDS", "fail with status 3 when SECONDS are over",
      .text = &tool_common.timeout},
     "Time spent waiting for other programs counts."},
    {COMMON_KEEP_GOING,
     {"keep-going", NULL, "report bad inputs and bad lines, skip them, fail at the end",
      .letter = 'k', .flag = &tool_common.keep_going},
     "The status is then 1."},
    {COMMON_STRICT,
     {"strict", NULL, "treat cut samples and a torn last line as errors",
      .flag = &tool_common.strict},
     "Real profilers leave both behind."},
    {COMMON_LOSSLESS,
     {"lossless", NULL, "fail if anything has no place in the output",
      .flag = &tool_common.lossless},
     "The status is then 1."},
    {COMMON_MAX_SIZE,
     {"max-size", "SIZE", "hold at most SIZE bytes of a file (default 4G)",
      .text = &tool_common.max_size},
     "Bytes are counted decompressed. The file may also stand for at most SIZE more bytes than it "
     "spells "
     "out (default 32M). K, M or G may follow."},
    {COMMON_PERF,
     {"perf", "PROGRAM", "read recordings of perf with PROGRAM, or no", .text = &tool_common.perf},
     "PROGRAM is perf if PROFPIPE_PERF does not name another, or no. It is run only for a file "
     "that "
     "is named as an operand, as perf script, before anything is read."},
    {COMMON_ALLOW_EMPTY,
     {"allow-empty", NULL, "accept an input without any profile", .flag = &tool_common.allow_empty},
     "Such an input is an empty file."},
    {COMMON_RULES,
     {"rules", "FILE", "first rename and group frames, as the lines of FILE say",
      .each = tool_add_rules},
     "FILE is a path, or builds: rules for names that change from build to build. The option may "
     "be "
     "repeated."},
    {COMMON_LABELS,
     {"add-label", "KEY=VALUE", "first give each sample this label; repeatable",
      .each = tool_add_label},
     "A sample keeps the labels that it has."},
    {COMMON_LABELS,
     {"label-from-name", "RE", "first give samples what groups of RE find in their file's name",
      .each = tool_add_label_from_name},
     "Each group with a name is a label: (?<day>[0-9]+) is the label day. The name is the one that "
     "was given. The option may be repeated."},
    {COMMON_FORCE,
     {"force", NULL, "write to a terminal, too", .letter = 'f', .flag = &tool_common.force},
     NULL},
    {COMMON_CONVERT,
     {"source-uri", "URI", "name the sources URI instead of the input file",
      .text = &tool_common.source_uri},
     NULL},
    {COMMON_CONVERT,
     {"timestamp", "SECONDS", "date the sources: seconds since 1970, or mtime of the file",
      .text = &tool_common.timestamp},
     NULL},
    {COMMON_CONVERT,
     {"profile-version", "VERSION", "write rows of version", .text = &tool_common.profile_version,
      OPTION_VALUES(common_versions), .preset = "2.0"},
     NULL},
};
