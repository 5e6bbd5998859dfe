# Tables that the tools make. `x` is an object of read_profile(), or names of files.

prof_sum <- function(x, by = "function", type = NULL, sort = c("self", "total"), max_rows = NULL,
                     min_share = NULL, rules = NULL, options = character()) {
  sort <- match.arg(sort)
  prof_table(x, c(option("by", paste(by, collapse = ",")), option("sort", sort)), type,
             max_rows, min_share, rules, options)
}

prof_callers <- function(x, name = NULL, type = NULL, max_rows = NULL, min_share = NULL,
                         rules = NULL, options = character()) {
  view <- if (is.null(name)) "--calls" else option("peek", one_of(name))
  prof_table(x, view, type, max_rows, min_share, rules, options)
}

prof_hot_paths <- function(x, type = NULL, max_depth = NULL, max_rows = NULL, min_share = NULL,
                           rules = NULL, options = character()) {
  prof_table(x, c("--hot-paths", option("max-depth", max_depth)), type, max_rows, min_share, rules, options)
}

prof_lines <- function(x, file = NULL, type = NULL, source_path = NULL, options = character()) {
  folders <- c(source_path, source_folders(x))
  table <- run_table("profsum", c("--list=.", option("source-path", paste(folders, collapse = ":")),
                                  option("type", type), options, inputs(x)))
  wanted <- !is.na(table$file) & !is.na(table$line)
  if (!is.null(file)) wanted <- wanted & (table$file %in% file | basename(table$file) %in% file)
  if (!any(wanted)) profpipe_stop(
    "no lines", if (!is.null(file)) paste(" of", file[1]),
    ": record them with Rprof(line.profiling = TRUE) and options(keep.source = TRUE)")
  table <- table[wanted, ]
  new_table(table[order(table$file, table$line), names(table) != "function"], "profpipe_table")
}

prof_table <- function(x, view, type = NULL, max_rows = NULL, min_share = NULL, rules = NULL,
                       options = character()) {
  table <- run_table("profsum", c(view, option("type", type), option("max-rows", max_rows),
                                  option("min-share", min_share), rule_options(rules), options, inputs(x)))
  new_table(table, "profpipe_table")
}

# What is equal in all rows becomes attributes.
new_table <- function(table, class) {
  facts <- intersect(c("compared", "measure", "base_runs", "new_runs", "all_new", "all_low", "all_high",
                       "all_p", "type", "unit", "all", "rows_left_out", "no_stack"), names(table))
  said <- lapply(table[facts], `[`, 1)
  table <- table[setdiff(names(table), facts)]
  attributes(table) <- c(attributes(table), said)
  class(table) <- c(class, class(table))
  table
}

print.profpipe_table <- function(x, n = 20, ...) {
  unit <- attr(x, "unit")
  scale <- if (isTRUE(unit == "nanoseconds")) 1e9 else 1
  cat(attr(x, "type"), " in ", if (scale > 1) "seconds" else unit, ", ",
      format(attr(x, "all") / scale), " in all\n", sep = "")
  shown <- utils::head(as.data.frame(x), n)
  sums <- intersect(c("self", "total"), names(shown))
  shown[sums] <- lapply(shown[sums], function(sum) as.double(sum) / scale)
  if (!is.null(shown$level)) # a tree
    shown$stack <- paste0(strrep("  ", shown$level - 1), vapply(split_stacks(shown$stack), utils::tail, "", 1))
  percents <- endsWith(names(shown), "_pct")
  shown[percents] <- lapply(shown[percents], round, 2)
  print(shown, row.names = FALSE, right = FALSE, ...)
  more <- nrow(x) - nrow(shown) + max(0, attr(x, "rows_left_out"), na.rm = TRUE)
  if (more > 0) cat("and", more, "more rows\n")
  invisible(x)
}

as.data.frame.profpipe_table <- function(x, row.names = NULL, optional = FALSE, ...) {
  class(x) <- "data.frame"
  x
}

# Steps are applied in the order in which they are given.
prof_filter <- function(x, ...) {
  rows <- tempfile("rows-", fileext = ".ndjson")
  on.exit(unlink(rows))
  run_tool("proffilter", c(steps(...), "-o", rows, inputs(x)))
  with_session(object_of(read_database(rows)), x)
}

steps <- function(...) {
  values <- list(...)
  if (length(values) > 0 && (is.null(names(values)) || any(names(values) == "")))
    profpipe_stop("prof_filter() expects named steps, such as focus = \"^lm$\"")
  unlist(Map(function(name, value) {
    option <- gsub("_", "-", name, fixed = TRUE)
    if (isTRUE(value)) return(paste0("--", option))
    if (!is.null(names(value))) value <- paste0(names(value), "=", value)
    option(option, value)
  }, names(values), values))
}

# --- arguments of tools ---

option <- function(name, value) if (length(value) > 0) paste0("--", name, "=", enc2native(as.character(value)))

inputs <- function(x) {
  if (inherits(x, "profpipe_profile")) return(object_database(x)$path)
  if (is.character(x) && length(x) > 0) return(file_arguments(x))
  profpipe_stop("expected an object of read_profile(), or names of files")
}

# An expression that matches these names and no others.
one_of <- function(names) {
  paste0("^(", paste(gsub("([][{}()+*^$|\\\\?.])", "\\\\\\1", names), collapse = "|"), ")$")
}

# `rules` are the name of a file, or what prof_rules() returns.
rule_options <- function(rules) {
  if (is.null(rules)) return()
  if (is.data.frame(rules)) {
    file <- tempfile("rules-", fileext = ".csv")
    utils::write.csv(rules[c("pattern", "group")], file, row.names = FALSE, fileEncoding = "UTF-8")
    rules <- file
  }
  option("rules", path.expand(rules))
}
