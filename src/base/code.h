/* code.h - exit statuses, and the codes of messages.
 *
 * Every message has a code: a word that stays the same when the text is reworded, for programs
 * that read messages (--errors=json).  profpipe(7) lists the codes from this table. */
#ifndef PROFPIPE_CODE_H
#define PROFPIPE_CODE_H

/* The exit status of every tool. Where several apply, it is 3 before 1 before 4: after 4, all
 * inputs have been read. */
enum status {
    STATUS_OK = 0,
    STATUS_INPUT = 1,  /* the input is invalid or truncated */
    STATUS_USAGE = 2,  /* the command line is wrong */
    STATUS_SYSTEM = 3, /* open, read, write, disk or memory failed */
    STATUS_CHECK = 4,  /* a check that was asked for has failed */
};

/* CODE(constant, word, status of a tool that ends with it, meaning). With STATUS_OK it is a code
 * of warnings and details only; a warning may have any code. */
#define CODES(CODE)                                                                                \
    CODE(INVALID, "invalid", STATUS_INPUT, "the input breaks a rule of its format")                \
    CODE(TORN, "torn", STATUS_INPUT, "the input ends too early")                                   \
    CODE(CUT, "cut", STATUS_INPUT, "the profiler cut a stack or its last sample")                  \
    CODE(NOT_A_PROFILE, "not-a-profile", STATUS_INPUT,                                             \
         "the input has another format than expected")                                             \
    CODE(NO_INPUT, "no-input", STATUS_INPUT, "there is no input, or no profile in it")             \
    CODE(BAD_LINE, "bad-line", STATUS_INPUT, "a line is wrong and was skipped")                    \
    CODE(OUT_OF_ORDER, "out-of-order", STATUS_INPUT, "rows need the order that profsort makes")    \
    CODE(TOO_LARGE, "too-large", STATUS_INPUT, "the input exceeds a limit")                        \
    CODE(OVERFLOW, "overflow", STATUS_INPUT, "a sum or a number does not fit 64 bits")             \
    CODE(NO_SUCH_TYPE, "no-such-type", STATUS_INPUT, "no input has the value type asked for")      \
    CODE(NO_SUCH_LABEL, "no-such-label", STATUS_INPUT, "no sample has the label asked for")        \
    CODE(NO_SUCH_FUNCTION, "no-such-function", STATUS_INPUT, "no function is called so")           \
    CODE(WRONG_TYPE, "wrong-type", STATUS_INPUT, "a value type cannot be summed or converted")     \
    CODE(NO_TIME, "no-time", STATUS_INPUT, "the input does not say when, or how long")             \
    CODE(DUPLICATE_RUN, "duplicate-run", STATUS_INPUT, "two runs are the same run")                \
    CODE(LOST_VALUES, "lost-values", STATUS_INPUT, "the output cannot hold all of the input")      \
    CODE(LEFT_OUT, "left-out", STATUS_INPUT, "bad inputs were left out (-k)")                      \
    CODE(FINDING, "finding", STATUS_INPUT, "profvalidate has found something wrong")               \
    CODE(SQL_FAILED, "sql-failed", STATUS_INPUT, "an SQL statement failed on this database")       \
    CODE(UNKNOWN_OPTION, "unknown-option", STATUS_USAGE, "there is no such option")                \
    CODE(BAD_ARGUMENT, "bad-argument", STATUS_USAGE, "an option's argument is wrong or missing")   \
    CODE(OPTIONS_CLASH, "options-clash", STATUS_USAGE, "options do not go together")               \
    CODE(BAD_OPERANDS, "bad-operands", STATUS_USAGE, "too many or too few files or words")         \
    CODE(UNKNOWN_TOOL, "unknown-tool", STATUS_USAGE, "there is no such tool or task")              \
    CODE(BAD_EXPRESSION, "bad-expression", STATUS_USAGE, "a regular expression is wrong")          \
    CODE(BAD_RULE, "bad-rule", STATUS_USAGE, "a line of a --rules file is wrong")                  \
    CODE(BAD_SQL, "bad-sql", STATUS_USAGE, "an SQL statement is wrong, or does not only read")     \
    CODE(SAME_FILE, "same-file", STATUS_USAGE, "a file is named twice, or is input and output")    \
    CODE(EXISTS, "exists", STATUS_USAGE, "the output exists and would be replaced")                \
    CODE(TERMINAL, "terminal", STATUS_USAGE, "standard input or output is a terminal")             \
    CODE(NOT_FOUND, "not-found", STATUS_SYSTEM, "a file or folder does not exist")                 \
    CODE(DENIED, "denied", STATUS_SYSTEM, "permission to a file was denied")                       \
    CODE(IS_FOLDER, "is-folder", STATUS_SYSTEM, "a file was expected, and there is a folder")      \
    CODE(LOCKED, "locked", STATUS_SYSTEM, "another program uses the database")                     \
    CODE(DISK_FULL, "disk-full", STATUS_SYSTEM, "there is no space left for the output")           \
    CODE(IO, "io", STATUS_SYSTEM, "reading or writing failed in another way")                      \
    CODE(MEMORY, "memory", STATUS_SYSTEM, "there is not enough memory")                            \
    CODE(TOO_MANY, "too-many", STATUS_SYSTEM, "there are more different things than can be held")  \
    CODE(TIMEOUT, "timeout", STATUS_SYSTEM, "the time of --timeout is over")                       \
    CODE(CHECK_FAILED, "check-failed", STATUS_CHECK, "a limit of --fail-if is exceeded")           \
    CODE(INCOMPLETE, "incomplete", STATUS_CHECK, "the sources are not those of --expect")          \
    CODE(DUPLICATE_SOURCE, "duplicate-source", STATUS_CHECK, "a source comes twice")               \
    CODE(NOT_CHECKED, "not-checked", STATUS_CHECK, "--fail-if could not judge")                    \
    CODE(NO_MATCH, "no-match", STATUS_OK, "an expression, rule, label or type matches nothing")    \
    CODE(OTHER_TYPES, "other-types", STATUS_OK, "there are values that are not shown")             \
    CODE(GUESSED, "guessed", STATUS_OK, "a value was assumed; an option sets it")                  \
    CODE(UNSAFE_COMPARISON, "unsafe-comparison", STATUS_OK, "base and new may not be comparable")  \
    CODE(NOT_SHOWN, "not-shown", STATUS_OK, "a part of the picture or list could not be made")     \
    CODE(DETAIL, "detail", STATUS_OK, "a detail that -v adds")

enum code {
#define CODE(constant, word, status, meaning) CODE_##constant,
    CODES(CODE)
#undef CODE
        CODE_COUNT
};

/* The word, exit status and meaning of each code. */
struct code_facts {
    const char *word;
    enum status status;
    const char *meaning;
};
extern const struct code_facts code_facts[CODE_COUNT];

/* The code of the system's error NUMBER (errno). */
enum code code_of_errno(int number);

#endif
