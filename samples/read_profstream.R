# Profile rows for R: from a stream to a named list of data frames, and back.
#
#   source("read_profstream.R")
#   profile <- read_profstream("x.ndjson")    # or a connection: file("stdin"), gzfile(...)
#   aggregate(value ~ type, profile$sample_values, sum)
#   write_profstream(profile, "y.ndjson")
#
# A stream has one profile. Each table becomes a data frame of the same name, with the
# number of each row's line as its row name: write_profstream puts rows back in that order,
# and by tables where row names have been lost (profsort makes a stream of that). Rows whose
# columns have another order than most are noted in attr(, "column_order") of the list.
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
# A database of SQLite, as ndjson2sqlite writes one, is read as well, by DBI and RSQLite, and
# much faster. Its data frames have the columns of the model; dotted columns stand together in
# `dotted`, as JSON text. dm_profstream() makes a dm of either, with its keys, for dm_draw(),
# dm_flatten_to_tbl() and the like:
#
#   dm::dm_draw(dm_profstream(read_profstream("x.db")))
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

.first_tables <- c("meta", "sources", "functions", "locations", "samples", "sample_values",
                   "sample_locations")

.stop_at <- function(number, ...) stop("line ", number, ": ", ..., call. = FALSE)

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
  if (is.numeric(column) && any(is.nan(column) | is.infinite(column)))
    stop("NaN and infinite numbers have no place in a row", call. = FALSE)
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
# the same members, which most are, are taken apart together. Lines whose order of members is
# not that of the columns are in attr(, "column_order").
.split_members <- function(lines, numbers) {
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
    if (!here[1]) .stop_at(numbers[left[1]], "expected a JSON object")
    if (anyDuplicated(name))
      .stop_at(numbers[left[1]], "member ", name[duplicated(name)][1], " appears twice")
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
  odd <- Filter(function(shape) is.unsorted(match(shape$name, columns)), shapes)
  attr(text, "column_order") <- lapply(odd, function(shape) {
    list(columns = shape$name, rows = numbers[shape$line])
  })
  text
}

.read_table <- function(table, lines, numbers) {
  columns <- .split_members(lines, numbers)
  column_order <- attr(columns, "column_order")
  columns <- columns[names(columns) != '"table"']
  label <- vapply(names(columns), fromJSON, "", USE.NAMES = FALSE)
  frame <- Map(function(text, label) {
    # only the columns of the row model are always there
    if (!startsWith(table, ".") && !startsWith(label, ".")) {
      if (anyNA(text)) .stop_at(numbers[is.na(text)][1], "expected a column ", label)
      text[text == "null"] <- NA
    }
    .decode(text, table == "samples" && label == "locations")
  }, columns, label)
  names(frame) <- label
  frame <- structure(frame, class = "data.frame", row.names = as.integer(numbers))
  list(frame = frame, column_order = column_order)
}

.table_lines <- function(table, frame, column_order) {
  if (nrow(frame) == 0) return(character())
  members <- Map(function(column, label) {
    value <- .encode(column)
    if (!startsWith(table, ".") && !startsWith(label, ".")) value[is.na(value)] <- "null"
    member <- paste0(",", .string_text(label), ":", value)
    member[is.na(value)] <- ""
    member
  }, unclass(frame), names(frame))
  names(members) <- .string_text(names(frame))
  open <- paste0('{"table":', .string_text(table))
  text <- do.call(paste0, c(list(rep(open, nrow(frame))), unname(members), "}"))
  for (odd in column_order) {
    rows <- which(row.names(frame) %in% odd$rows)
    if (length(rows) == 0) next
    order <- union(intersect(odd$columns, names(members)), names(members))
    some <- lapply(unname(members[order]), `[`, rows)
    text[rows] <- do.call(paste0, c(list(rep(open, length(rows))), some, "}"))
  }
  text
}

# --- streams ---

.check_lines <- function(lines, numbers) {
  # two broken lines can be one good value when they are joined
  good <- validUTF8(lines) & grepl("^\\s*\\{.*\\}\\s*$", lines, perl = TRUE, useBytes = TRUE)
  if (all(good) && validate(paste0("[", paste(lines, collapse = ","), "]")))
    return(invisible())
  good[good] <- vapply(lines[good], function(line) isTRUE(validate(line)[1]), NA)
  .stop_at(numbers[!good][1], "expected a JSON object")
}

# The JSON text of each line's table. Only a first member is found without taking apart the
# line: further on the same text may stand inside of a value.
.find_table <- function(lines, numbers) {
  name <- regexpr(paste0('^\\{"table":\\K', .json_string), lines, perl = TRUE)
  table <- rep(NA_character_, length(lines))
  table[name > 0] <- regmatches(lines, name)
  other <- is.na(table)
  if (any(other)) {
    found <- .split_members(lines[other], numbers[other])[['"table"']]
    if (!is.null(found)) table[other] <- found
  }
  bad <- is.na(table) | !startsWith(table, '"')
  if (any(bad)) .stop_at(numbers[bad][1], "expected a table")
  table
}

.check_profile <- function(tables) {
  if (NROW(tables$meta) != 1)
    stop("one profile expected, found ", NROW(tables$meta), call. = FALSE)
  promised <- isTRUE(tables$meta$.ends)
  ended <- NROW(tables[[".end"]]) > 0
  if (promised && !ended) stop("the profile is truncated: its .end row is missing", call. = FALSE)
  if (isTRUE(tables[[".end"]]$more))
    stop("one profile expected, found the promise of another", call. = FALSE)
}

# --- databases ---

.is_database <- function(con) {
  is.character(con) && file.exists(con) &&
    identical(readBin(con, "raw", 16), c(charToRaw("SQLite format 3"), as.raw(0)))
}

# The rows of sample_locations that SAMPLES, with a node_id, have in a database that stores each
# stack once: all samples climb one frame at a time.
.climb <- function(samples, nodes) {
  parent <- match(nodes$parent_id, nodes$node_id)
  node <- match(samples$node_id, nodes$node_id)
  depth <- ifelse(is.na(node), 0L, nodes$level[node])
  before <- cumsum(depth) - depth
  location <- numeric(sum(depth))
  for (step in seq_len(max(0L, depth))) {
    inside <- which(!is.na(node))
    location[before[inside] + step] <- nodes$location_id[node[inside]]
    node <- parent[node]
  }
  data.frame(sample_id = rep(samples$sample_id, depth), depth = sequence(depth),
             location_id = location)
}

# Sets of labels, as the dotted column of samples spells them.
.labels_as_json <- "
  SELECT labels_id, '\".labels\":[' || group_concat(CASE
      WHEN str IS NOT NULL THEN json_object('key', \"key\", 'str', str)
      WHEN unit IS NULL THEN json_object('key', \"key\", 'num', num)
      ELSE json_object('key', \"key\", 'num', num, 'unit', unit) END) || ']' AS members
  FROM (SELECT * FROM stored_labels ORDER BY labels_id, position) GROUP BY labels_id"

# Tables of the model as the database has them: those of how it is stored are left aside. Integers
# beyond those of R are of class integer64, from bit64.
.read_database <- function(path) {
  con <- DBI::dbConnect(RSQLite::SQLite(), path, flags = RSQLite::SQLITE_RO)
  on.exit(DBI::dbDisconnect(con))
  there <- DBI::dbGetQuery(con, "SELECT name FROM sqlite_master")$name
  read <- function(table) DBI::dbGetQuery(con, paste0('SELECT * FROM "', table, '"'))
  names <- intersect(c(.first_tables, ".mappings", "dotted_rows"), there)
  if ("nodes" %in% there) names <- setdiff(names, "sample_locations")
  tables <- sapply(names, read, simplify = FALSE)
  if ("nodes" %in% there) {
    once <- read("stored_dotted")
    tables$sample_locations <- .climb(tables$samples, read("nodes"))
    # databases of earlier versions have what is rare in samples, and labels in stored_dotted
    rare <- tables$samples[["dotted"]]
    labels <- if ("stored_labels" %in% there) DBI::dbGetQuery(con, .labels_as_json)
    tables$samples <- within(tables$samples, {
      dotted <- once$dotted[match(dotted_id, once$dotted_id)]
      if (!is.null(rare)) dotted <- ifelse(is.na(dotted_id), as.character(rare), dotted)
      if (!is.null(labels)) {
        first <- labels$members[match(labels_id, labels$labels_id)]
        first[grepl('".labels":', dotted, fixed = TRUE)] <- NA # there to the byte
        dotted <- ifelse(is.na(first), dotted,
                         ifelse(is.na(dotted), paste0("{", first, "}"),
                                paste0("{", first, ",", substring(dotted, 2))))
        first <- labels_id <- NULL
      }
      node_id <- NULL
      dotted_id <- NULL
    })
  }
  if (NROW(tables$meta) != 1)
    stop("one profile expected, found ", NROW(tables$meta), call. = FALSE)
  tables
}

# --- keys ---

.primary_keys <- list(meta = "key", sources = "source_id", functions = "function_id",
                      locations = "location_id", samples = "sample_id",
                      sample_values = c("sample_id", "type"),
                      sample_locations = c("sample_id", "depth"))
.foreign_keys <- list(c("locations", "function_id", "functions"),
                      c("samples", "source_id", "sources"),
                      c("sample_values", "sample_id", "samples"),
                      c("sample_locations", "sample_id", "samples"),
                      c("sample_locations", "location_id", "locations"))

# TABLES, as read_profstream returns them, as a dm.
dm_profstream <- function(tables) {
  frames <- lapply(tables[intersect(.first_tables, names(tables))], function(frame) {
    row.names(frame) <- NULL
    frame
  })
  model <- do.call(dm::dm, frames)
  # dm takes the names of tables and columns as they stand in a call
  for (table in names(frames)) {
    columns <- as.call(c(quote(c), lapply(.primary_keys[[table]], as.name)))
    model <- eval(bquote(dm::dm_add_pk(model, .(as.name(table)), .(columns))))
  }
  for (key in .foreign_keys) if (all(key[c(1, 3)] %in% names(frames))) {
    name <- lapply(key, as.name)
    model <- eval(bquote(dm::dm_add_fk(model, .(name[[1]]), .(name[[2]]), .(name[[3]]))))
  }
  model
}

# The profile in CON, a path or a connection, as a named list of data frames.
read_profstream <- function(con) {
  if (.is_database(con)) return(.read_database(con))
  lines <- readLines(con, encoding = "UTF-8", warn = FALSE)
  numbers <- which(!grepl("^[ \t\r]*$", lines))
  lines <- lines[numbers]
  .check_lines(lines, numbers)
  table <- .find_table(lines, numbers)
  distinct <- unique(table)
  label <- fromJSON(paste0("[", paste(distinct, collapse = ","), "]"))
  read <- lapply(seq_along(distinct), function(i) {
    rows <- table == distinct[i]
    .read_table(label[i], lines[rows], numbers[rows])
  })
  tables <- lapply(read, `[[`, "frame")
  names(tables) <- label
  column_order <- lapply(read, `[[`, "column_order")
  names(column_order) <- label
  attr(tables, "column_order") <- column_order[lengths(column_order) > 0]
  .check_profile(tables)
  end <- which(label[match(table, distinct)] == ".end")
  if (length(end) > 0 && end[1] < length(lines))
    .stop_at(numbers[end[1] + 1], "expected nothing behind the .end row")
  tables
}

# Writes TABLES, as read_profstream returns them, to CON, a path or a connection.
write_profstream <- function(tables, con = stdout()) {
  column_order <- attr(tables, "column_order")
  place <- match(names(tables), .first_tables, length(.first_tables) + 1)
  tables <- tables[order(names(tables) == ".end", place)]
  lines <- unlist(lapply(names(tables), function(table) {
    .table_lines(table, tables[[table]], column_order[[table]])
  }))
  number <- suppressWarnings(as.integer(unlist(lapply(tables, row.names))))
  # what R makes up for a new row may be a number that no line had: nothing follows .end
  kept <- !anyNA(number) && !anyDuplicated(number) &&
    (NROW(tables[[".end"]]) == 0 || which.max(number) == length(number))
  if (kept) lines <- lines[order(number)]
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
