# Reading profiles: an object of class profpipe_profile.
#
# It is a list of data frames that have the names and columns of a database that ndjson2sqlite
# writes, with each stack once as a path of nodes. Values are columns of samples, so that a sample
# that is taken away or moved takes its values along; value_types says which columns these are.

# Tables that are kept as they stand in a database. The names of the others are in samples.
stored_tables <- c("meta", "sources", ".mappings", "functions", "locations", "nodes", "value_types",
                   "samples", "stored_labels", "stored_dotted", "sample_values_dotted",
                   "sample_locations_dotted", "dotted_rows", "row_runs")

# The columns of samples besides values.
own_columns <- c("sample_id", "source_id", "node_id", ".time", "labels_id", "dotted_id")

read_profile <- function(file, ..., options = character()) {
  files <- c(file, ...)
  if (!is.character(files) || length(files) == 0) profpipe_stop("expected names of files")
  state <- if (length(options) == 0) file_state(files)
  # what was warned of once need not be warned of by each tool
  database <- withCallingHandlers(read_database(files, options),
                                  profpipe_warning = function(warning) state <<- NULL)
  x <- object_of(database)
  attr(x, "stored")$state <- state
  x
}

# By this a file is known to be what it was.
file_state <- function(files) file.info(path.expand(files), extra_cols = FALSE)[c("size", "mtime")]

# The object of a database, which it keeps for the tools.
object_of <- function(database) {
  tables <- with_connection(database, read_tables)
  new_object(tables, database)
}

new_object <- function(tables, database = NULL) {
  tables <- lapply(tables, as_frame)
  stored <- new.env(parent = emptyenv())
  if (!is.null(database)) {
    stored$database <- database
    stored$tables <- tables
  }
  structure(tables, stored = stored, class = c("profpipe_profile", "profile_data"))
}

# A tibble where there is tibble, whose methods print it.
as_frame <- function(columns) {
  frame <- structure(columns, row.names = .set_row_names(length(columns[[1]])))
  class(frame) <- c(if (requireNamespace("tibble", quietly = TRUE)) c("tbl_df", "tbl"), "data.frame")
  frame
}

read_tables <- function(connection) {
  get <- function(sql) {
    frame <- DBI::dbGetQuery(connection, sql)
    frame[] <- lapply(frame, exact_numbers)
    frame
  }
  whole <- setdiff(stored_tables, "samples")
  tables <- sapply(whole, function(table)
    get(paste("SELECT * FROM", quote_name(table))), simplify = FALSE)
  tables$samples <- sample_columns(get, tables)
  tables <- tables[stored_tables]
  tables$nodes <- tables$nodes[c("node_id", "parent_id", "location_id", "level")]
  # an integer in one row must not make integers of all
  tables$sources$source_timestamp <-
    get("SELECT CAST(source_timestamp AS REAL) AS seconds FROM sources")$seconds
  labels <- tables$stored_labels
  if (any(is.na(labels$num) & is.na(labels$str))) stop_lowest("label")
  tables$value_types <- name_values(tables$value_types, names(tables$samples))
  values <- value_columns(get, tables$value_types, tables$samples$sample_id)
  tables$value_types$is_real <- values$is_real
  tables$samples <- place_values(tables$samples, values$frame)
  tables
}

# The tools number samples from 1, and most profiles have one source and no labels: a column that
# follows from this is not fetched, which would take most of the time.
sample_columns <- function(get, tables) {
  count <- get("SELECT count(*) AS count FROM samples")$count
  source_id <- tables$sources$source_id
  has_times <- nrow(get("SELECT 1 FROM samples WHERE \".time\" IS NOT NULL LIMIT 1")) > 0
  known <- Filter(Negate(is.null), list(
    sample_id = seq_len(count),
    source_id = if (length(source_id) == 1) rep(source_id, count),
    .time = if (!has_times) rep(NA_integer_, count),
    labels_id = if (nrow(tables$stored_labels) == 0) rep(NA_integer_, count),
    dotted_id = if (nrow(tables$stored_dotted) == 0) rep(NA_integer_, count)))
  fetched <- setdiff(own_columns, names(known))
  samples <- get(paste("SELECT", paste(quote_name(fetched), collapse = ", "), "FROM samples ORDER BY sample_id"))
  samples[names(known)] <- known
  samples[own_columns]
}

# Which column of samples a type has: its name, if that is one.
name_values <- function(types, taken) {
  long <- duplicated(types$type) | duplicated(types$type, fromLast = TRUE) | types$type %in% taken
  types$column <- ifelse(long, paste0(types$type, "/", types$unit), types$type)
  types
}

# The values of all samples that have any, with a column for each type; is_real says which types
# have reals only, so that 1.0 does not become 1.
value_columns <- function(get, types, sample_id) {
  kinds <- kinds_of_values(get, types)
  of_type <- function(type, value)
    sprintf("max(CASE type_id WHEN %d THEN %s END) AS v%d", type, value, type)
  of_samples <- function(columns)
    get(paste("SELECT", paste(columns, collapse = ", "), "FROM stored_values GROUP BY sample_id"))
  frame <- whole_matrix(get, types$type_id, sample_id)
  if (is.null(frame)) frame <- of_samples(c("sample_id", of_type(types$type_id, "CAST(value AS REAL)")))
  names(frame)[-1] <- types$column
  for (i in which(kinds$has_integers)) {
    rounded <- !is.na(frame[[i + 1]]) & abs(frame[[i + 1]]) >= 2^53
    if (!any(rounded)) next
    if (kinds$has_reals[i]) {
      profpipe_warn(types$type[i], ": rounded, since it has reals and integers beyond 2^53")
      next
    }
    exact <- of_samples(of_type(types$type_id[i], "value"))[[1]]
    if (any(is.na(exact) & rounded)) stop_lowest(types$type[i])
    frame[[i + 1]] <- exact
  }
  list(frame = frame, is_real = kinds$has_reals & !kinds$has_integers)
}

kinds_of_values <- function(get, types) {
  if (!get("SELECT EXISTS (SELECT 1 FROM stored_values WHERE typeof(value) = 'real') AS any")$any)
    return(list(has_integers = rep(TRUE, nrow(types)), has_reals = rep(FALSE, nrow(types))))
  kinds <- get("SELECT DISTINCT type_id, typeof(value) AS kind FROM stored_values")
  has <- function(kind) types$type_id %in% kinds$type_id[kinds$kind == kind]
  list(has_integers = has("integer"), has_reals = has("real"))
}

# Where all samples have all types, as those of Rprof do, one column of values is read, which takes
# half of the time.
whole_matrix <- function(get, type_id, sample_id) {
  cells <- length(sample_id) * length(type_id)
  if (is.unsorted(type_id) || cells == 0 || get("SELECT count(*) AS cells FROM stored_values")$cells != cells)
    return()
  value <- get("SELECT CAST(value AS REAL) AS value FROM stored_values ORDER BY sample_id, type_id")$value
  values <- matrix(value, ncol = length(type_id), byrow = TRUE)
  c(list(sample_id = sample_id), lapply(seq_along(type_id), function(i) values[, i]))
}

stop_lowest <- function(what) {
  profpipe_stop(what, ": R cannot hold the integer -9223372036854775808, which is its NA")
}

place_values <- function(samples, values) {
  row <- if (identical(values$sample_id, samples$sample_id)) seq_along(samples$sample_id)
    else match(samples$sample_id, values$sample_id)
  append(samples, lapply(values[-1], `[`, row), match("node_id", names(samples)))
}
