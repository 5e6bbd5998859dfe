# The rules of profiles. The first one that is broken is an error, which states it.

validate_profile <- function(x) {
  valid_tables(x)
  invisible(x)
}

# The tables of a profile, which keep all rules.
valid_tables <- function(x) {
  tables <- tables_of(x)
  stopifnot(
    "x must have the class profile_data or dm" = is.list(tables) && inherits(tables, "profile_data"),
    "meta must be a table with the columns key and value" = has_columns(tables$meta, c("key", "value")),
    "meta must have one row, whose key is version" =
      identical(as.vector(tables$meta$key), "version") && is.character(tables$meta$value))
  version <- package_version(tables$meta$value)
  if (version$major == 1) validate_v1(tables)
  else if (version$major == 2) validate_v2(tables)
  else stop("version ", version, " is not known: only 1.x and 2.x are", call. = FALSE)
  tables
}

validate_v1 <- function(x) {
  needed <- c("meta", "sample_types", "samples", "locations", "functions")
  stopifnot(
    "tables must be meta, sample_types, samples, locations and functions, then dotted ones" =
      has_names(names(x), needed),
    "each of these tables must be a data frame" = all(vapply(x[needed], is.data.frame, NA)),
    "sample_types must have the columns type and unit" = has_columns(x$sample_types, c("type", "unit")),
    "sample_types must have one row, samples and count" =
      identical(as.vector(x$sample_types$type), "samples") && identical(as.vector(x$sample_types$unit), "count"),
    "samples must have the columns value and locations" = has_columns(x$samples, c("value", "locations")),
    "samples$value must be integers above 0" = is.integer(x$samples$value) && all(x$samples$value > 0),
    "samples$locations must be a list of data frames" =
      is.list(x$samples$locations) && all(vapply(x$samples$locations, is.data.frame, NA)))
  validate_locations(x)
  stacks <- x$samples$locations
  ids <- lapply(stacks, .subset2, "location_id")
  stopifnot(
    "each of samples$locations must have one column, the integers location_id" =
      all(lengths(stacks) == 1) && all(vapply(ids, is.integer, NA)),
    "each location_id in samples$locations must be in locations" =
      all(unlist(ids, use.names = FALSE) %in% x$locations$location_id))
}

validate_v2 <- function(x) {
  stopifnot(
    "tables must be those of version 2.0; other names must begin with a dot" =
      setequal(names(x)[!startsWith(names(x), ".")], v2_tables),
    "each of these tables must be a data frame" = all(vapply(x[v2_tables], is.data.frame, NA)),
    "sources must have the columns source_id, source_type, source_uri and source_timestamp" =
      has_columns(x$sources, c("source_id", "source_type", "source_uri", "source_timestamp")),
    "sources$source_id must be integers from 1, each once" = are_ids(x$sources$source_id),
    "sources$source_type must be strings" = are_strings(x$sources$source_type),
    "sources$source_uri must be strings or NA" = is.character(x$sources$source_uri),
    "sources$source_timestamp must be numbers or NA" =
      is.numeric(x$sources$source_timestamp) && !any(is.infinite(x$sources$source_timestamp)),
    "samples must have the columns sample_id and source_id" =
      has_columns(x$samples, c("sample_id", "source_id")),
    "samples$sample_id must be integers from 1, each once" = are_ids(x$samples$sample_id),
    "each source_id in samples must be in sources" = all(x$samples$source_id %in% x$sources$source_id))
  validate_locations(x)
  validate_values(x$sample_values, x$samples)
  validate_stacks(x$sample_locations, x)
}

validate_locations <- function(x) {
  locations <- x$locations
  functions <- x$functions
  stopifnot(
    "locations must have the columns location_id, function_id and line" =
      has_columns(locations, c("location_id", "function_id", "line")),
    "locations$location_id must be integers from 1, each once" = are_ids(locations$location_id),
    "locations$line must be integers from 0 or NA" =
      is.integer(locations$line) && all(locations$line >= 0, na.rm = TRUE),
    "functions must have the columns function_id, name, system_name, filename and start_line" =
      has_columns(functions, c("function_id", "name", "system_name", "filename", "start_line")),
    "functions$function_id must be integers from 1, each once" = are_ids(functions$function_id),
    "functions$name must be strings that are not empty" =
      are_strings(functions$name) && all(nzchar(functions$name)),
    "functions$system_name must be strings that are not empty" =
      are_strings(functions$system_name) && all(nzchar(functions$system_name)),
    "functions$filename must be strings" = are_strings(functions$filename),
    "functions$start_line must be integers from 0" =
      is.integer(functions$start_line) && !anyNA(functions$start_line) && all(functions$start_line >= 0),
    "each function_id in locations must be an integer in functions, or NA" =
      is.integer(locations$function_id) &&
        all(is.na(locations$function_id) | locations$function_id %in% functions$function_id))
}

validate_values <- function(values, samples) {
  stopifnot(
    "sample_values must have the columns sample_id, type, unit and value" =
      has_columns(values, c("sample_id", "type", "unit", "value")),
    "each sample_id in sample_values must be in samples" = all(values$sample_id %in% samples$sample_id),
    "sample_values$type and sample_values$unit must be strings" =
      are_strings(values$type) && are_strings(values$unit),
    "sample_values$value must be finite numbers" = are_finite(values$value),
    "a sample must have one value of each type" =
      !anyDuplicated(values$sample_id + match(values$type, unique(values$type)) * (max(0, samples$sample_id) + 1)))
}

validate_stacks <- function(frames, x) {
  stopifnot(
    "sample_locations must have the columns sample_id, depth and location_id" =
      has_columns(frames, c("sample_id", "depth", "location_id")),
    "each sample_id in sample_locations must be in samples" = all(frames$sample_id %in% x$samples$sample_id),
    "each location_id in sample_locations must be in locations" =
      all(frames$location_id %in% x$locations$location_id))
  sorted <- order(frames$sample_id, frames$depth)
  stopifnot("the depths of a sample must be 1, 2, 3 and so on" =
    all(frames$depth[sorted] == sequence(rle(frames$sample_id[sorted])$lengths)))
}

# Whether names are those that are needed, in this order, and then dotted ones.
has_names <- function(names, needed) {
  identical(names[seq_along(needed)], needed) && all(startsWith(names[-seq_along(needed)], "."))
}

has_columns <- function(table, needed) is.data.frame(table) && has_names(names(table), needed)

are_strings <- function(column) is.character(column) && !anyNA(column)

are_ids <- function(column) {
  is.integer(column) && !anyNA(column) && all(column > 0) && !anyDuplicated(column)
}

are_finite <- function(column) {
  if (bit64::is.integer64(column)) !anyNA(column) else is.numeric(column) && all(is.finite(column))
}
