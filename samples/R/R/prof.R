# Recording profiles in this session, and comparing code.

prof <- function(expr, interval = 0.005, memory = TRUE, gc = TRUE, lines = TRUE, reps = 1) {
  check_interval(interval)
  expression <- substitute(expr)
  frame <- parent.frame()
  folder <- new_folder()
  typed <- name_typed(expression, frame)
  on.exit({
    unlink(folder, recursive = TRUE)
    for (source in typed) source$filename <- ""
  })
  runs <- vapply(seq_len(reps), function(rep)
    record(expression, frame, file.path(folder, paste("run", rep)), 1, interval, memory, gc, lines), "")
  database <- read_database(runs)
  # the frames around the expression are no part of what all is
  with_connection(database, function(connection)
    DBI::dbExecute(connection, "DELETE FROM dotted_rows WHERE table_name = '.left_out'"))
  x <- object_of(database)
  if (nrow(x$samples) == 0)
    profpipe_warn("no samples: the expression used less than ", interval, " seconds of CPU time, ",
                  "in which waiting does not count; repeat it, such as by for (i in 1:1000)")
  tables <- object_tables(x)
  tables$session <- session_table(interval, reps)
  tables$source_lines <- source_lines(x, expression, frame)
  new_object(tables, attr(x, "stored")$database)
}

# Rprof() ends R if its timer refuses an interval.
check_interval <- function(interval) {
  if (!is.numeric(interval) || length(interval) != 1 || !isTRUE(interval >= 1e-6 && interval <= 3600))
    profpipe_stop("interval: expected a number of seconds, such as 0.005, found ", deparse(interval)[1])
}

new_folder <- function() {
  folder <- tempfile("prof-")
  dir.create(folder)
  folder
}

# Evaluates an expression under Rprof. Returns a file of rows, named after the run, without the
# frames of this package.
record <- function(expression, frame, file, times, interval, memory, gc, lines) {
  raw <- paste0(file, ".out")
  utils::Rprof(raw, interval = interval, memory.profiling = memory, gc.profiling = gc, line.profiling = lines)
  tryCatch(for (i in seq_len(times)) evaluate_profiled(expression, frame), finally = utils::Rprof(NULL))
  all <- paste0(file, ".all")
  rows <- paste0(file, ".ndjson")
  run_tool("rprof2ndjson", c(option("source-uri", basename(file)), "--timestamp=mtime", "-o", all, raw))
  run_tool("proffilter", c("--keep-sources", "--trim-root=name:^evaluate_profiled$", "--trim-root=3",
                           "-o", rows, all))
  rows
}

# Its name, and two of eval(), are what record() cuts.
evaluate_profiled <- function(expression, frame) eval(expression, frame)

session_table <- function(interval, reps) {
  session <- utils::sessionInfo()
  packages <- c(session$otherPkgs, session$loadedOnly)
  versions <- vapply(packages, `[[`, "", "Version")
  as_frame(list(
    key = c("R", "platform", "running", "time", "interval", "reps", names(versions)),
    value = c(session$R.version$version.string, session$platform, session$running,
              format(Sys.time(), tz = "UTC", usetz = TRUE), interval, reps, unname(versions))))
}

# The source of all files that the profile names, from the session or else from the file.
source_lines <- function(x, expression, frame) {
  known <- known_sources(expression, frame)
  files <- setdiff(unique(c(x$functions$filename, toplevel_files(x))), c("", NA))
  lines <- lapply(files, function(file) {
    if (!is.null(known[[file]])) getSrcLines(known[[file]], 1, Inf)
    else if (file.exists(file)) readLines(file, warn = FALSE)
  })
  count <- lengths(lines)
  as_frame(list(file = rep(files, count), line = sequence(count), text = as.character(unlist(lines))))
}

# Rprof() knows no lines of code without a file, such as a function that was typed: for a while, its
# file is called as the function is.
name_typed <- function(expression, frame) {
  sources <- sources_of(expression, frame)
  typed <- sources[vapply(sources, function(source) identical(source$filename, ""), NA)]
  for (name in names(typed)) typed[[name]]$filename <- paste(name, "(typed)")
  typed
}

known_sources <- function(expression, frame) {
  sources <- sources_of(expression, frame)
  stats::setNames(sources, vapply(sources, `[[`, "", "filename"))
}

# Where the expression and the functions around it were read from, each once, by their names.
sources_of <- function(expression, frame) {
  functions <- Filter(is.function, c(as.list(globalenv()), as.list(frame)))
  sources <- c(list(code = attr(expression, "srcfile")),
               lapply(functions, function(one) attr(attr(one, "srcref"), "srcfile")))
  sources <- Filter(function(source) is.environment(source) && is.character(source$filename), sources)
  sources[!duplicated(sources)]
}

# Session and source go from an object to what is made of it.
with_session <- function(object, from) {
  if (!inherits(from, "profpipe_profile")) return(object)
  database <- attr(object, "stored")$database
  tables <- object_tables(object)
  tables$session <- from$session
  tables$source_lines <- from$source_lines
  new_object(tables, database)
}

# Where profsum --list finds the source: what came with the profile, then beside its files.
source_options <- function(x) {
  kept <- kept_source(x)
  folders <- unique(c(kept, ".", dirname(stats::na.omit(x$sources$source_uri))))
  c(option("source-path", paste(folders, collapse = ":")),
    if (!is.null(kept)) "--trim-path=/") # absolute names are below the folder, too
}

# The source that prof() kept, as files in a folder.
kept_source <- function(x) {
  kept <- x$source_lines
  if (NROW(kept) == 0) return()
  folder <- new_folder()
  for (file in unique(kept$file)) {
    path <- file.path(folder, file)
    dir.create(dirname(path), recursive = TRUE, showWarnings = FALSE)
    writeLines(enc2utf8(kept$text[kept$file == file]), path, useBytes = TRUE)
  }
  folder
}

# Compares two expressions, or profiles: objects, or names of files.
prof_diff <- function(old, new, reps = 5, times = NULL, interval = 0.005, by = "function", type = NULL,
                      sort = c("self", "total"), rules = NULL, options = character()) {
  sort <- match.arg(sort)
  check_interval(interval)
  frame <- parent.frame()
  sides <- list(old = substitute(old), new = substitute(new))
  folder <- new_folder()
  on.exit(unlink(folder, recursive = TRUE))
  if (all(vapply(sides, is_code, NA, frame))) {
    runs <- record_both(sides, frame, folder, reps, times, interval)
    options <- c("--allow-equal", options) # short runs may be equal by chance
  } else runs <- list(old = inputs_of_side(old), new = inputs_of_side(new))
  args <- c(option("by", by), option("sort", sort), option("type", type), rule_options(rules), options,
            runs$old, "--", runs$new)
  table <- new_table(run_table("profdiff", args), "profpipe_diff")
  attr(table, "text") <- run_tool("profdiff", c("-q", args))
  attr(table, "evaluations") <- runs$times
  table
}

# Profiles are given as a constant, a variable, or a call of c(), list() or read_profile().
is_code <- function(expression, frame) {
  if (is.symbol(expression)) {
    value <- eval(expression, frame)
    return(!is.character(value) && !has_profiles(value))
  }
  makes_profiles <- c("c", "list", "read_profile", "Sys.glob", "list.files")
  is.call(expression) && !deparse(expression[[1]])[1] %in% makes_profiles
}

has_profiles <- function(x) {
  inherits(x, "profile_data") ||
    is.list(x) && length(x) > 0 && all(vapply(x, inherits, NA, "profile_data"))
}

# Runs alternate, and change who is first, so that what changes with time meets both.
record_both <- function(sides, frame, folder, reps, times, interval) {
  # the first evaluation compiles and fills caches; the second says how long one takes
  seconds <- vapply(sides, function(side) {
    check_code(eval(side, frame), side)
    system.time(eval(side, frame))[["elapsed"]]
  }, 0)
  if (is.null(times)) times <- evaluations(seconds, interval)
  runs <- list(old = character(), new = character())
  for (rep in seq_len(reps)) for (side in if (rep %% 2 == 1) c("old", "new") else c("new", "old"))
    runs[[side]][rep] <- record(sides[[side]], frame, file.path(folder, paste(side, rep)), times,
                                interval, memory = FALSE, gc = TRUE, lines = FALSE)
  c(runs, times = times)
}

# Code is evaluated and not compared if it makes something to be compared.
check_code <- function(value, side) {
  what <- deparse(side, nlines = 1)[1]
  if (is.function(value)) profpipe_stop(what, " is a function: call it")
  if (has_profiles(value))
    profpipe_stop(what, " makes a profile: put that in a variable first, and name the variable")
}

# Enough for 20 samples of the faster side, as far as a run of the slower takes no more than 2 s.
evaluations <- function(seconds, interval) {
  seconds <- pmax(seconds, 0.0005) # the clock shows no less
  max(1, min(ceiling(20 * interval / min(seconds)), floor(2 / max(seconds))))
}

inputs_of_side <- function(x) {
  if (is.character(x)) return(file_arguments(x))
  if (inherits(x, "profpipe_profile")) x <- list(x)
  unlist(lapply(x, inputs))
}

print.profpipe_diff <- function(x, ...) {
  writeLines(c(verdict(x), attr(x, "text")))
  invisible(x)
}

# What the comparison of whole runs says, in words.
verdict <- function(x) {
  facts <- attributes(x)
  if (is.null(facts$all) || !isTRUE(facts$all > 0)) return()
  runs <- if (facts$base_runs == facts$new_runs) count_of(facts$new_runs, "run")
    else paste(facts$base_runs, "and", count_of(facts$new_runs, "run"))
  if (!is.null(facts$evaluations))
    runs <- paste(runs, "of", count_of(facts$evaluations, "evaluation"))
  if (facts$base_runs == facts$new_runs) runs <- paste(runs, "on each side")
  if (is.na(facts$all_p)) return(paste0("nothing is proved by ", runs, ": each side needs three"))
  percent <- function(value) paste(format(100 * abs(value) / facts$all, digits = 2), "%")
  change <- facts$all_new - facts$all
  p <- paste0("(p = ", format(facts$all_p, digits = 2), "; ", runs, ")")
  if (facts$all_p >= 0.05) return(paste0("no difference was found ", p, "; a change of ",
                                         percent(least_change(facts)), " would have been"))
  time <- facts$unit %in% c("nanoseconds", "microseconds", "milliseconds", "seconds")
  if (time) word <- if (change > 0) "slower" else "faster"
  else word <- paste(if (change > 0) "more" else "less", facts$type)
  paste("new", if (time) "is" else "has", percent(change), word, "than old", p)
}

count_of <- function(count, what) paste0(count, " ", what, if (count != 1) "s")

# The change that is found in four of five comparisons, from the range that is true in 95 of 100.
least_change <- function(facts) {
  df <- facts$base_runs + facts$new_runs - 2
  error <- (facts$all_high - facts$all_low) / 2 / stats::qt(0.975, df)
  (stats::qt(0.975, df) + stats::qt(0.8, df)) * error
}
