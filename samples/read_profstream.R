# Profile rows for R: from a stream to a named list of data frames, and back.
#
#   source("read_profstream.R")
#   profile <- read_profstream("x.ndjson")    # or a connection: file("stdin"), gzfile(...)
#   aggregate(value ~ type, profile$sample_values, sum)
#   write_profstream(profile, "y.ndjson")
#
# A stream has one profile. Each table becomes a data frame of the same name, with the
# number of each row's line as its row name: write_profstream puts rows back in that order,
# and by tables where row names have been lost (profsort makes a stream of that).
#
# What comes back is the same, to the byte if it was canonical (as all tools write it):
#   - A column of numbers is numeric if R's doubles hold every one of them, and print it as
#     it stood. Otherwise it keeps the text of its numbers, as I(character()): as.numeric()
#     rounds them where that does no harm.
#   - NA is null in the columns of the row model, and "not there" in dotted columns.
#   - Lists, objects, and columns of several types keep their JSON text, as I(character()):
#     jsonlite::fromJSON() decodes it.
#   - The stacks of version 1.0, samples$locations, are a list of data frames.
#
# As a program it says how many rows of which table a file has:
#
#   Rscript read_profstream.R x.ndjson

library(jsonlite)

.json_string <- '"(?:[^"\\\\]|\\\\.)*+"'
.json_simple <- paste0("(?:", .json_string, "|[-+.0-9A-Za-z]++)")
.json_nested <- paste0(
  "(?<nested>\\[(?:[^][\"{}]++|", .json_string, "|(?&nested))*+\\]",
  "|\\{(?:[^][\"{}]++|", .json_string, "|(?&nested))*+\\})")
.json_member <- paste0(.json_string, "\\s*:\\s*(?:", .json_simple, "|", .json_nested, ")")

# --- from JSON text to columns ---

# The same for each distinct item of X, once.
.each_distinct <- function(x, f) {
  distinct <- unique(x)
  f(distinct)[match(x, distinct)]
}

.number_text <- function(x) .each_distinct(x, function(x) {
  whole <- !is.na(x) & x == trunc(x) & abs(x) <= 2^53
  text <- sprintf("%.0f", x)
  text[!whole] <- sprintf("%.17g", x[!whole])
  for (digits in 16:15) {
    shorter <- sprintf("%.*g", digits, x)
    fits <- !whole & !is.na(x) & suppressWarnings(as.numeric(shorter)) == x
    text[fits] <- shorter[fits]
  }
  text
})

.string_text <- function(x) .each_distinct(x, function(x) {
  text <- gsub('"', '\\"', gsub("\\", "\\\\", x, fixed = TRUE), fixed = TRUE)
  short <- c("\b" = "\\b", "\t" = "\\t", "\n" = "\\n", "\f" = "\\f", "\r" = "\\r")
  if (any(grepl("[\001-\037]", text))) for (code in 1:31) {
    control <- intToUtf8(code)
    escape <- if (control %in% names(short)) short[[control]] else sprintf("\\u%04x", code)
    text <- gsub(control, escape, text, fixed = TRUE)
  }
  paste0('"', text, '"')
})

.stack_text <- function(stacks) {
  vapply(stacks, function(stack) {
    items <- sprintf('{"location_id":%.0f}', stack$location_id)
    paste0("[", paste(items, collapse = ","), "]")
  }, "")
}

# One column: TEXT has the JSON text of each row's value, NA where the row has none.
.decode <- function(text, is_stack) {
  there <- !is.na(text)
  known <- text[there]
  if (is_stack) {
    ids <- lapply(regmatches(known, gregexpr("[0-9]+", known)), as.numeric)
    stacks <- lapply(ids, function(i) {
      structure(list(location_id = i), class = "data.frame", row.names = .set_row_names(length(i)))
    })
    if (all(there) && identical(.stack_text(stacks), known)) return(I(stacks))
  }
  first <- unique(substr(known, 1, 1))
  if (all(first %in% c("-", 0:9))) {
    if (all(grepl("^(0|-?[1-9][0-9]{0,14})$", known))) return(as.numeric(text))
    number <- suppressWarnings(as.numeric(text))
    if (identical(.number_text(number)[there], known)) return(number)
  } else if (all(first == '"')) {
    distinct <- unique(known)
    string <- fromJSON(paste0("[", paste(distinct, collapse = ","), "]"))
    if (identical(.string_text(string), distinct)) return(string[match(text, distinct)])
  } else if (all(known %in% c("true", "false"))) {
    return(text == "true")
  }
  I(text)
}

.encode <- function(column) {
  if (is.list(column)) return(.stack_text(column))
  text <- if (inherits(column, "AsIs")) as.character(column)
    else if (is.logical(column) && any(!is.na(column))) ifelse(column, "true", "false")
    else if (is.numeric(column) || is.logical(column)) .number_text(column)
    else .string_text(enc2utf8(as.character(column)))
  text[is.na(column)] <- NA
  text
}

# --- tables ---

# All members in the order of rows, where they do not contradict each other.
.merge_names <- function(rows) {
  names <- character()
  for (row in rows) {
    at <- 0
    for (name in row) {
      if (!(name %in% names)) names <- append(names, name, at)
      at <- match(name, names)
    }
  }
  names
}

# The members of LINES as a list of columns of JSON text, NA where a line has none. Lines with
# the same members, which most are, are taken apart together.
.split_members <- function(lines) {
  shapes <- list()
  left <- seq_along(lines)
  while (length(left) > 0) {
    members <- regmatches(lines[left[1]], gregexpr(.json_member, lines[left[1]], perl = TRUE))[[1]]
    name <- regmatches(members, regexpr(paste0("^", .json_string), members, perl = TRUE))
    literal <- gsub("([[:punct:]])", "\\\\\\1", name)
    member <- paste0(literal, "\\s*:\\s*(", .json_simple, "|(?&nested))")
    pattern <- paste0("^\\s*\\{\\s*", paste(member, collapse = "\\s*,\\s*"), "\\s*\\}\\s*$(?(DEFINE)",
                      .json_nested, ")")
    found <- regexpr(pattern, lines[left], perl = TRUE)
    here <- found > 0
    if (!here[1]) stop("expected a JSON object: ", lines[left[1]], call. = FALSE)
    start <- attr(found, "capture.start")[here, seq_along(name), drop = FALSE]
    end <- start + attr(found, "capture.length")[here, seq_along(name), drop = FALSE] - 1
    line <- lines[left[here]]
    value <- lapply(seq_along(name), function(i) substring(line, start[, i], end[, i]))
    shapes <- c(shapes, list(list(name = name, line = left[here], value = value)))
    left <- left[!here]
  }
  columns <- .merge_names(unique(lapply(shapes, `[[`, "name")))
  text <- rep(list(rep(NA_character_, length(lines))), length(columns))
  names(text) <- columns
  for (shape in shapes)
    for (i in seq_along(shape$name)) text[[shape$name[i]]][shape$line] <- shape$value[[i]]
  text
}

.read_table <- function(table, lines, numbers) {
  columns <- .split_members(lines)
  columns[['"table"']] <- NULL
  label <- vapply(names(columns), fromJSON, "", USE.NAMES = FALSE)
  frame <- Map(function(text, label) {
    # only the columns of the row model are always there
    if (!startsWith(table, ".") && !startsWith(label, ".")) text[text == "null"] <- NA
    .decode(text, table == "samples" && label == "locations")
  }, columns, label)
  names(frame) <- label
  structure(frame, class = "data.frame", row.names = as.integer(numbers))
}

.table_lines <- function(table, frame) {
  text <- rep(paste0('{"table":', .string_text(table)), nrow(frame))
  for (label in names(frame)) {
    value <- .encode(frame[[label]])
    if (!startsWith(table, ".") && !startsWith(label, ".")) value[is.na(value)] <- "null"
    member <- paste0(",", .string_text(label), ":", value)
    member[is.na(value)] <- ""
    text <- paste0(text, member)
  }
  paste0(text, rep("}", nrow(frame)))
}

# --- streams ---

.check_lines <- function(lines, numbers) {
  if (validate(paste0("[", paste(lines, collapse = ","), "]"))) return(invisible())
  good <- vapply(lines, function(line) isTRUE(validate(line)[1]), NA, USE.NAMES = FALSE)
  stop("line ", numbers[!good][1], ": expected a JSON object", call. = FALSE)
}

.check_profile <- function(tables, lines) {
  if (NROW(tables$meta) != 1)
    stop("one profile expected, found ", NROW(tables$meta), call. = FALSE)
  promised <- isTRUE(tables$meta$.ends)
  ended <- NROW(tables$.end) > 0
  if (promised && !ended) stop("the profile is truncated: its .end row is missing", call. = FALSE)
  if (isTRUE(tables$.end$more))
    stop("one profile expected, found the promise of another", call. = FALSE)
}

# The profile in CON, a path or a connection, as a named list of data frames.
read_profstream <- function(con) {
  lines <- readLines(con, encoding = "UTF-8", warn = FALSE)
  numbers <- which(!grepl("^[ \t\r]*$", lines))
  lines <- lines[numbers]
  .check_lines(lines, numbers)
  name <- regexpr('(?<="table":)\\s*"(?:[^"\\\\]|\\\\.)*"', lines, perl = TRUE)
  if (any(name < 0)) stop("line ", numbers[name < 0][1], ": expected a table", call. = FALSE)
  table <- regmatches(lines, name)
  distinct <- unique(table)
  label <- fromJSON(paste0("[", paste(distinct, collapse = ","), "]"))
  tables <- lapply(seq_along(distinct), function(i) {
    rows <- table == distinct[i]
    .read_table(label[i], lines[rows], numbers[rows])
  })
  names(tables) <- label
  .check_profile(tables, lines)
  tables
}

# Writes TABLES, as read_profstream returns them, to CON, a path or a connection.
write_profstream <- function(tables, con = stdout()) {
  lines <- unlist(lapply(names(tables), function(table) .table_lines(table, tables[[table]])))
  number <- suppressWarnings(as.integer(unlist(lapply(tables, row.names))))
  if (!anyNA(number) && !anyDuplicated(number)) lines <- lines[order(number)]
  if (is.character(con)) {
    con <- file(con, "wb")
    on.exit(close(con))
  }
  writeLines(lines, con, useBytes = TRUE)
}

if (sys.nframe() == 0) {
  for (path in commandArgs(trailingOnly = TRUE)) {
    tables <- read_profstream(path)
    cat(sprintf("%-20s %d\n", names(tables), vapply(tables, nrow, 0L)), sep = "")
  }
}
