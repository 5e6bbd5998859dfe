# Reading and writing the databases that ndjson2sqlite writes and sqlite2ndjson reads.

# Reads any files that the tools know into a temporary database, which goes with the object.
read_database <- function(files, args = character()) {
  database <- new_database()
  run_tool("ndjson2sqlite", c(args, "-o", database$path, file_arguments(files)))
  database
}

# A database is an environment, so that its file can be removed when nothing refers to it any more.
new_database <- function() {
  database <- new.env(parent = emptyenv())
  database$path <- tempfile("profile-", fileext = ".db")
  reg.finalizer(database, function(database) unlink(database$path), onexit = TRUE)
  database
}

with_connection <- function(database, work) {
  connection <- DBI::dbConnect(RSQLite::SQLite(), database$path)
  on.exit(DBI::dbDisconnect(connection))
  work(connection)
}

# The result of a query, its integers exact.
database_query <- function(database, sql) {
  result <- with_connection(database, function(connection) DBI::dbGetQuery(connection, sql))
  result[] <- lapply(result, exact_numbers)
  result
}

database_table <- function(database, table) {
  database_query(database, paste("SELECT * FROM", quote_name(table)))
}

database_has <- function(database, table) {
  table %in% with_connection(database, DBI::dbListTables)
}

quote_name <- function(name) paste0('"', gsub('"', '""', name, fixed = TRUE), '"')

# By these sqlite2ndjson finds rows.
database_keys <- list(
  meta = "key", sources = "source_id", functions = "function_id", locations = "location_id",
  .mappings = "mapping_id", samples = "sample_id", sample_values = c("sample_id", "type"),
  sample_locations = c("sample_id", "depth"), nodes = "node_id", value_types = "type_id",
  row_runs = "run_id", dotted_rows = "row_id", stored_values = c("sample_id", "type_id"),
  stored_labels = c("labels_id", "position"), stored_dotted = "dotted_id",
  sample_values_dotted = c("sample_id", "type"), sample_locations_dotted = c("sample_id", "depth"))

# Writes a named list of data frames as a database: tables as they are in one, plain or compact. The
# rows of a table may stand in several data frames of the same columns, in a list.
write_database <- function(tables, database = new_database()) {
  with_connection(database, function(connection) {
    DBI::dbExecute(connection, "PRAGMA synchronous = OFF")
    DBI::dbWithTransaction(connection, for (table in names(tables))
      write_table(connection, table, tables[[table]]))
  })
  database
}

write_table <- function(connection, table, frames) {
  if (is.data.frame(frames)) frames <- list(frames)
  if (length(frames) == 0) return()
  frame <- frames[[1]]
  key <- database_keys[[table]]
  # BLOB means that SQLite keeps each cell as it is
  types <- ifelse(names(frame) == key[1] & length(key) == 1 & table != "meta",
                  "INTEGER PRIMARY KEY", "BLOB")
  keys <- if (length(key) > 1 || table == "meta")
    paste0(", PRIMARY KEY (", paste(quote_name(key), collapse = ", "), ")")
  DBI::dbExecute(connection, paste0(
    "CREATE TABLE ", quote_name(table), " (",
    paste(quote_name(names(frame)), types, collapse = ", "), keys, ")"))
  for (frame in frames) if (nrow(frame) > 0)
    DBI::dbAppendTable(connection, table, as.data.frame(lapply(frame, stored_column), optional = TRUE))
}

# Whole numbers become integers of SQLite, exactly, but not if they stand in I().
stored_column <- function(column) {
  if (is.factor(column)) column <- as.character(column)
  if (is.character(column)) return(enc2utf8(column))
  if (inherits(column, "AsIs")) return(unclass(column))
  if (is.double(column) && !bit64::is.integer64(column) && all_whole(column))
    return(bit64::as.integer64(column))
  column
}

all_whole <- function(x) all(is.na(x) | (x == trunc(x) & abs(x) <= 2^53))
