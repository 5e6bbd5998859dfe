# Dotted columns. A database has those of a row as one JSON object; in R each is a column. Text,
# numbers, TRUE and FALSE are columns of that type, and all else is JSON text, marked by I(). NA
# stands for a member that is not there.

# Adds the members of JSON objects to `frame`. `rows` is a query for the columns id and members;
# `ids` are the ids of the rows of `frame`.
add_dotted <- function(frame, connection, rows, ids) {
  found <- DBI::dbGetQuery(connection, paste0("
    SELECT rows.id, item.key, item.type, CASE item.type WHEN 'text' THEN item.atom END AS text,
      CASE item.type
        WHEN 'true' THEN 'true' WHEN 'false' THEN 'false' WHEN 'null' THEN 'null'
        WHEN 'text' THEN json_quote(item.atom)
        WHEN 'integer' THEN CAST(item.atom AS TEXT)
        WHEN 'real' THEN printf('%!.17g', item.atom)
        ELSE item.value END AS json
    FROM (", rows, ") AS rows, json_each(members) AS item
    WHERE item.key NOT IN ('.ends', '.bytes')"))
  for (key in unique(found$key)) {
    members <- found[found$key == key, ]
    frame[[key]] <- member_column(members)[match(ids, members$id)]
  }
  restore_bytes(frame, connection, rows, ids)
}

member_column <- function(members) {
  kinds <- unique(members$type)
  if (identical(kinds, "text")) members$text
  else if (all(kinds %in% c("true", "false"))) members$type == "true"
  else if (identical(kinds, "integer")) small_integers(bit64::as.integer64(members$json))
  else if (all(kinds %in% c("integer", "real"))) as.double(members$json)
  else I(members$json)
}

# Integers as R's own where they fit.
small_integers <- function(column) {
  column <- exact_numbers(column)
  fits <- is.double(column) && !bit64::is.integer64(column) && all_whole(column) &&
    all(is.na(column) | abs(column) <= .Machine$integer.max)
  if (fits) as.integer(column) else column
}

# Strings that are no UTF-8 have U+FFFD for each wrong byte, and their bytes in .bytes. R keeps
# the bytes themselves, except where there is a NUL.
restore_bytes <- function(frame, connection, rows, ids) {
  bytes <- DBI::dbGetQuery(connection, paste0("
    SELECT rows.id, members -> '$.\".bytes\"' AS json, item.key, item.atom AS hex
    FROM (", rows, ") AS rows, json_each(members, '$.\".bytes\"') AS item"))
  kept <- grepl("^(..)*00", bytes$hex) | !(bytes$key %in% names(frame))
  kept <- bytes$id %in% bytes$id[kept]
  if (any(kept)) frame$.bytes <- I(bytes$json[kept][match(ids, bytes$id[kept])])
  for (i in which(!kept))
    frame[[bytes$key[i]]][which(ids == bytes$id[i])] <- string_of_hex(bytes$hex[i])
  frame
}

string_of_hex <- function(hex) {
  starts <- seq(1, nchar(hex), 2)
  string <- rawToChar(as.raw(strtoi(substring(hex, starts, starts + 1), 16)))
  Encoding(string) <- "bytes"
  string
}

# Text as UTF-8; what is none is left as bytes.
as_utf8 <- function(text) {
  if (length(text) == 0) return(text)
  text[Encoding(text) == "latin1"] <- enc2utf8(text[Encoding(text) == "latin1"])
  other <- !is.na(text) & !validUTF8(text) & Encoding(text) == "unknown"
  if (any(other) && !l10n_info()[["UTF-8"]]) {
    native <- iconv(text[other], "", "UTF-8")
    text[other] <- ifelse(is.na(native), text[other], native)
  }
  valid <- is.na(text) | validUTF8(text)
  Encoding(text)[valid] <- "UTF-8"
  Encoding(text)[!valid] <- "bytes"
  text
}

show_bytes <- function(text) {
  wrong <- Encoding(text) == "bytes"
  if (!any(wrong)) return(text)
  bytes <- text[wrong]
  Encoding(bytes) <- "UTF-8"
  text[wrong] <- iconv(bytes, "UTF-8", "UTF-8", sub = "\ufffd")
  text
}

# `frame` as a database has it: its dotted columns, except `plain`, are JSON objects in `dotted`.
join_dotted <- function(frame, plain = character()) {
  frame <- collect_bytes(utf8_columns(frame))
  dotted <- setdiff(names(frame)[startsWith(names(frame), ".")], plain)
  members <- json_objects(frame[dotted])
  frame <- show_columns(frame[setdiff(names(frame), dotted)])
  frame$dotted <- members
  frame
}

# A table whose columns are all members, as JSON objects.
join_members <- function(frame) {
  members <- json_objects(collect_bytes(utf8_columns(frame)))
  ifelse(is.na(members), "{}", members)
}

# Each row as a JSON object, NA without members.
json_objects <- function(frame) {
  members <- character(nrow(frame))
  for (column in names(frame)) {
    json <- json_of(frame[[column]], column)
    there <- which(!is.na(json))
    members[there] <- paste0(members[there], ",", json_strings(column), ":", json[there])
  }
  ifelse(nzchar(members), paste0("{", substring(members, 2), "}"), NA_character_)
}

utf8_columns <- function(frame) {
  frame <- as.data.frame(frame)
  frame[] <- lapply(frame, function(column) {
    if (is.factor(column)) column <- as.character(column)
    if (!is.character(column)) column
    else if (inherits(column, "AsIs")) I(as_utf8(unclass(column)))
    else as_utf8(column)
  })
  frame
}

show_columns <- function(frame) {
  is_text <- vapply(frame, is.character, NA)
  frame[is_text] <- lapply(frame[is_text], show_bytes)
  frame
}

# Adds the column .bytes for strings that are no UTF-8.
collect_bytes <- function(frame) {
  members <- character(nrow(frame))
  for (column in names(frame)[vapply(frame, is.character, NA)]) {
    wrong <- which(Encoding(frame[[column]]) == "bytes")
    hex <- vapply(frame[[column]][wrong], function(string) paste(charToRaw(string), collapse = ""), "")
    members[wrong] <- paste0(members[wrong], ",", json_strings(column), ":\"", hex, "\"")
  }
  wrong <- which(nzchar(members))
  if (length(wrong) > 0) {
    if (is.null(frame$.bytes)) frame$.bytes <- I(rep(NA_character_, nrow(frame)))
    frame$.bytes[wrong] <- paste0("{", substring(members[wrong], 2), "}")
  }
  frame
}

# A column as JSON text, NA where that is NA.
json_of <- function(column, name) {
  if (inherits(column, "AsIs") && is.character(column)) return(as.character(column))
  if (is.character(column)) return(json_strings(show_bytes(column)))
  if (is.logical(column)) return(ifelse(column, "true", "false"))
  if (is.numeric(column)) return(json_numbers(column))
  stop("column ", name, " has the class ", class(column)[1],
       ": dotted columns hold text, numbers, TRUE and FALSE, and JSON text in I()", call. = FALSE)
}

json_strings <- function(text) {
  json <- gsub("([\\\\\"])", "\\\\\\1", text)
  for (code in which(vapply(1:31, function(code) any(grepl(intToUtf8(code), json, fixed = TRUE)), NA)))
    json <- gsub(intToUtf8(code), sprintf("\\u%04x", code), json, fixed = TRUE)
  ifelse(is.na(text), NA, paste0("\"", json, "\""))
}

json_numbers <- function(numbers) {
  if (bit64::is.integer64(numbers)) return(as.character(numbers))
  if (any(is.nan(numbers) | is.infinite(numbers)))
    stop("NaN and infinite numbers have no place in a profile", call. = FALSE)
  numbers <- as.double(numbers)
  text <- sprintf("%.15g", numbers)
  rounded <- which(!is.na(numbers) & suppressWarnings(as.double(text)) != numbers)
  text[rounded] <- sprintf("%.17g", numbers[rounded])
  ifelse(is.na(numbers), NA, text)
}
