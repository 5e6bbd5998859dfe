# Version "2.0": one table for samples, one for their values, one for their stacks, and their sources.
# It is a dm where that package is installed, else a list of the same tables.

v2_tables <- c("meta", "sources", "samples", "sample_values", "sample_locations", "locations", "functions")

new_profile_v2 <- function(sources, samples, sample_values, sample_locations, locations, functions,
                           meta = data.frame(key = "version", value = "2.0"), ...) {
  tables <- new_profile_data(list(
    meta = meta, sources = sources, samples = samples, sample_values = sample_values,
    sample_locations = sample_locations, locations = locations, functions = functions, ...))
  if (requireNamespace("dm", quietly = TRUE)) dm_of_tables(tables) else tables
}

profile_v2_from_v1 <- function(x) {
  x <- valid_tables(x)
  stopifnot("x must be a profile of version \"1.0\"" = is_v1(x))
  v2_of_parts(parts_of_v1(x, expand = TRUE))
}

# The tools merge them: what is equal is there once, and ids are new.
combine_profiles <- function(...) {
  stopifnot("combine_profiles() needs at least one profile" = ...length() > 0)
  databases <- lapply(list(...), function(x) write_parts(parts_of(valid_tables(x))))
  v2_of_parts(read_parts(read_database(vapply(databases, function(database) database$path, ""))))
}

is_v1 <- function(tables) startsWith(tables$meta$value[1], "1.")

# The tables of version "1.0" or "2.0" of any profile.
tables_of <- function(x) {
  if (inherits(x, "profpipe_profile")) x <- v2_of_parts(read_parts(object_database(x)))
  if (inherits(x, "dm")) structure(dm::dm_get_tables(x), class = "profile_data") else x
}

parts_of <- function(tables) if (is_v1(tables)) parts_of_v1(tables) else parts_of_v2(tables)

v2_of_parts <- function(parts) {
  values <- sample_values(with_one_kind(parts))
  dotted <- parts$dotted_values
  if (length(dotted) > 2) {
    row <- match(paste(values$sample_id, values$type), paste(dotted$sample_id, dotted$type))
    values[names(dotted)[-(1:2)]] <- lapply(dotted[-(1:2)], `[`, row)
  }
  do.call(new_profile_v2, c(
    parts[c("meta", "sources", "functions", "locations")],
    list(samples = c(unclass(parts$samples)[c("sample_id", "source_id")], parts$extra),
         sample_values = values, sample_locations = sample_locations(parts)),
    parts[startsWith(names(parts), ".")]))
}

# One column cannot have fractions and integers that doubles would round.
with_one_kind <- function(parts) {
  values <- unclass(parts$samples)[parts$value_types$column]
  large <- vapply(values, bit64::is.integer64, NA)
  if (!any(large) || all(vapply(values[!large], all_whole, NA))) return(parts)
  profpipe_warn(paste(parts$value_types$type[large], collapse = ", "),
                ": rounded, since other values have fractions; read_profile() keeps both")
  parts$samples[parts$value_types$column[large]] <- lapply(values[large], rounded)
  parts
}

# bit64 warns, too, where it rounds.
rounded <- function(values) suppressWarnings(as.double(values))

parts_of_v2 <- function(tables) {
  samples <- tables$samples[order(tables$samples$sample_id), ]
  frames <- tables$sample_locations[order(tables$sample_locations$sample_id, tables$sample_locations$depth), ]
  tree <- plant(frames$location_id, tabulate(match(frames$sample_id, samples$sample_id), nrow(samples)))
  values <- tables$sample_values
  name <- value_names(values)
  distinct <- which(!duplicated(name))
  types <- types_table(values$type[distinct], values$unit[distinct])
  columns <- lapply(name[distinct], function(one) {
    rows <- which(name == one)
    values$value[rows][match(samples$sample_id, values$sample_id[rows])]
  })
  dotted <- names(values)[startsWith(names(values), ".")]
  c(list(
    meta = tables$meta, sources = tables$sources, functions = tables$functions, locations = tables$locations,
    nodes = tree$nodes,
    value_types = types,
    samples = as_frame(c(list(sample_id = samples$sample_id, source_id = samples$source_id,
                              node_id = tree$leaf), stats::setNames(columns, types$column))),
    extra = as.data.frame(samples[startsWith(names(samples), ".")]),
    dotted_values = as.data.frame(values[if (length(dotted) > 0) TRUE else 0, c("sample_id", "type", dotted)])),
    tables[startsWith(names(tables), ".")])
}
