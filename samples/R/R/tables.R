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

prof_lines <- function(x, file = NULL, type = NULL, source_path = NULL) {
  if (is.character(x)) x <- read_profile(x)
  weight <- sample_weights(x, type)
  sums <- label_sums(label_frames(x, "show", 0), match(x$samples$node_id, x$nodes$node_id), weight$value)
  place <- regmatches(sums$label, regexec("^(.*)#([0-9]+)$", sums$label))
  place <- do.call(rbind, place[lengths(place) > 0])
  files <- if (!is.null(place)) setdiff(unique(place[, 2]), c("", "NA")) # typed code has no file
  if (!is.null(file)) files <- files[files %in% file | basename(files) %in% file]
  if (length(files) == 0) profpipe_stop(
    "no lines", if (!is.null(file)) paste(" of", file[1]),
    ": record them with Rprof(line.profiling = TRUE) and options(keep.source = TRUE)")
  parts <- lapply(files, function(file) {
    text <- source_text(x, file, source_path)
    line <- sort(union(as.integer(place[place[, 2] == file, 3]), seq_along(text)))
    at <- match(paste0(file, "#", line), sums$label)
    self <- ifelse(is.na(at), 0, sums$self[at])
    total <- ifelse(is.na(at), 0, sums$total[at])
    data.frame(file = file, line = line, text = text[line], self = self, self_pct = 100 * self / weight$all,
               total = total, total_pct = 100 * total / weight$all)
  })
  structure(do.call(rbind, parts), class = c("profpipe_table", "data.frame"),
            type = weight$type, unit = weight$unit, all = weight$all)
}

# The lines of a file: what came with the profile, or else the file itself, wherever it is found.
source_text <- function(x, file, folders) {
  kept <- x$source_lines[x$source_lines$file == file, ]
  if (NROW(kept) > 0) return(kept$text)
  folders <- c(folders, ".", dirname(stats::na.omit(x$sources$source_uri)))
  found <- Filter(file.exists, c(file, file.path(folders, file), file.path(folders, basename(file))))
  if (length(found) > 0) readLines(found[1], warn = FALSE) else character()
}

prof_table <- function(x, view, type = NULL, max_rows = NULL, min_share = NULL, rules = NULL,
                       options = character()) {
  table <- run_table("profsum", c(view, option("type", type), option("max-rows", max_rows),
                                  option("min-share", min_share), rule_options(rules), options, inputs(x)))
  new_table(table)
}

# What is equal in all rows becomes attributes.
new_table <- function(table, class = NULL) {
  facts <- intersect(c("compared", "measure", "base_runs", "new_runs", "all_new", "all_low", "all_high",
                       "all_p", "type", "unit", "all", "rows_left_out", "no_stack"), names(table))
  said <- lapply(table[facts], `[`, 1)
  table <- table[setdiff(names(table), facts)]
  attributes(table) <- c(attributes(table), said)
  class(table) <- c(class, "profpipe_table", "data.frame")
  table
}

print.profpipe_table <- function(x, n = 20, ...) {
  if (nrow(x) == 0) {
    cat("no rows\n")
    return(invisible(x))
  }
  unit <- attr(x, "unit")
  sums <- intersect(c("self", "total"), names(x)) # a part of a comparison has none
  scale <- if (isTRUE(unit == "nanoseconds") && length(sums) > 0) 1e9 else 1
  cat(attr(x, "type"), " in ", if (scale > 1) "seconds" else unit, ", ",
      format(attr(x, "all") / scale), " in all\n", sep = "")
  shown <- utils::head(as.data.frame(x), n)
  shown[sums] <- lapply(shown[sums], function(sum) as.double(sum) / scale)
  if (all(c("level", "stack") %in% names(shown))) # a tree
    shown$stack <- paste0(strrep(if (max(shown$level) > 10) " " else "  ", shown$level - 1),
                          vapply(split_stacks(shown$stack), utils::tail, "", 1))
  percents <- grepl("_pct(_|$)", names(shown))
  shown[percents] <- lapply(shown[percents], round, 2)
  numbers <- vapply(shown, is.numeric, NA)
  shown[numbers] <- lapply(shown[numbers], format)
  for (column in intersect(c("stack", "text"), names(shown))) shown <- clip(shown, column)
  print(shown, row.names = FALSE, right = FALSE, ...)
  more <- nrow(x) - nrow(shown) + max(0, attr(x, "rows_left_out"), na.rm = TRUE)
  if (more > 0) cat("and", more, "more rows\n")
  invisible(x)
}

# Cuts the cells of a column so that rows fit on a line.
clip <- function(shown, column) {
  width <- vapply(names(shown), function(name) max(nchar(c(name, shown[[name]]), "width"), na.rm = TRUE), 0)
  room <- max(20, getOption("width") - sum(width[names(width) != column] + 1) - 2)
  long <- which(nchar(shown[[column]], "width") > room)
  shown[[column]][long] <- paste0(strtrim(shown[[column]][long], room - 3), "...")
  shown
}

as.data.frame.profpipe_table <- function(x, row.names = NULL, optional = FALSE, ...) {
  attributes(x) <- attributes(x)[c("names", "row.names")]
  class(x) <- "data.frame"
  x
}

# A part of a table keeps what its values are, and what 100 % is, but not what belongs to all rows.
`[.profpipe_table` <- function(x, ...) {
  part <- as.data.frame(x)[...]
  if (!is.data.frame(part)) return(part)
  for (fact in c("type", "unit", "all")) attr(part, fact) <- attr(x, fact)
  class(part) <- setdiff(class(x), "profpipe_diff") # which prints a whole comparison
  part
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

option <- function(name, value) {
  if (length(value) > 0) paste0("--", name, "=", enc2native(as.character(value)))
}

# What a tool reads: the files that an object was read from, which is faster than its database, as
# long as neither has changed.
inputs <- function(x) {
  if (inherits(x, "profpipe_profile")) {
    stored <- attr(x, "stored")
    same <- !is.null(stored$state) && identical(stored$tables, object_tables(x)) &&
      identical(file_state(row.names(stored$state)), stored$state)
    return(if (same) file_arguments(row.names(stored$state)) else object_database(x)$path)
  }
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
