# Version "1.0": a list of tables, in which each row of `samples` is a run of equal samples.

new_profile_data <- function(tables) {
  structure(lapply(tables, as_frame), class = "profile_data")
}

print.profile_data <- function(x, ...) {
  cat(format(x, ...), sep = "\n")
  invisible(x)
}

format.profile_data <- function(x, ...) paste0("Profile data: ", nrow(x$samples), " samples")

# The table that has the sources of a format.
hidden_tables <- c(rprof = ".rprof", pprof = ".msg")

# Version "1.0" of parts. Values that it does not know are dotted columns of samples, named
# .TYPE/UNIT; with these no samples are joined.
v1_of_parts <- function(parts, type) {
  others <- other_values(parts)
  extra <- c(parts$extra, others)
  if (nrow(parts$sources) > 1) extra$.source_id <- parts$samples$source_id
  count <- sample_counts(parts)
  counted <- which(count > 0)
  if (length(counted) < length(count)) profpipe_warn(
    "left out: ", length(count) - length(counted), " samples whose samples/count is no whole number from 1; ",
    "version = \"2.0\" keeps them")
  node <- parts$samples$node_id
  run <- if (length(others) > 0) seq_along(counted)
    else run_numbers(lapply(c(list(node), extra), `[`, counted))
  value <- as.vector(rowsum(count[counted], run, reorder = FALSE))
  if (any(value > .Machine$integer.max)) profpipe_stop(
    "a row stands for ", max(value), " samples, too many for version \"1.0\": use version = \"2.0\"")
  first <- counted[!duplicated(run)]
  samples <- list(value = as.integer(value), locations = stack_tables(node[first], parts$nodes))
  tables <- list(
    meta = list(key = "version", value = "1.0"), sample_types = list(type = "samples", unit = "count"),
    samples = c(samples, lapply(extra, `[`, first)),
    locations = parts$locations, functions = parts$functions)
  tables[[hidden_tables[[type]]]] <- parts$sources
  new_profile_data(c(tables, parts[startsWith(names(parts), ".")]))
}

is_count <- function(types) types$type == "samples" & types$unit == "count"

# How many samples each row of samples stands for: 0 where it is no whole number from 1.
sample_counts <- function(parts) {
  column <- parts$value_types$column[is_count(parts$value_types)]
  if (length(column) == 0) return(rep(1, length(parts$samples$sample_id)))
  count <- rounded(parts$samples[[column]])
  count[is.na(count)] <- 1
  ifelse(count >= 1 & count == trunc(count), count, 0)
}

other_values <- function(parts) {
  types <- parts$value_types[!is_count(parts$value_types), ]
  stats::setNames(unclass(parts$samples)[types$column], value_names(types))
}

value_names <- function(types) paste0(".", types$type, "/", types$unit, recycle0 = TRUE)

# Numbers rows; neighbours that are equal have the same number.
run_numbers <- function(columns) {
  if (length(columns[[1]]) == 0) return(integer())
  differs <- lapply(columns, function(column) diff(match(column, unique(column))) != 0)
  cumsum(c(TRUE, Reduce(`|`, differs)))
}

# A table of locations for each node. Equal stacks share one.
stack_tables <- function(node, nodes) {
  leaves <- unique(node)
  path <- paths_of(nodes, leaves)
  stacks <- split(nodes$location_id[path$node], factor(path$start, seq_along(leaves)))
  tables <- lapply(unname(stacks), function(location_id) as_frame(list(location_id = location_id)))
  tables[match(node, leaves)]
}

# Parts, for writing. With `expand` each sample has a row of its own.
parts_of_v1 <- function(x, expand = FALSE) {
  stacks <- lapply(x$samples$locations, .subset2, "location_id")
  tree <- plant(as.integer(unlist(stacks, use.names = FALSE)), lengths(stacks))
  samples <- unclass(x$samples)
  times <- if (expand) samples$value else rep(1L, length(samples$value))
  row <- rep(seq_along(times), times)
  sources <- sources_of_v1(x)
  values <- samples[grepl("^[.].*/", names(samples))]
  extra <- samples[setdiff(names(samples), c(names(values), "value", "locations", ".source_id"))]
  values <- lapply(values, share_out, times = times)
  if (has_counts(sources))
    values <- c(list(".samples/count" = if (expand) rep(1, length(row)) else samples$value), values)
  types <- types_table(sub("^[.](.*)/.*$", "\\1", names(values)), sub("^.*/", "", names(values)))
  source <- samples[[".source_id"]]
  if (is.null(source)) source <- rep(sources$source_id[1], length(times))
  hidden <- names(x)[startsWith(names(x), ".") & vapply(x, is.data.frame, NA)]
  c(list(
    meta = data.frame(key = "version", value = "2.0"), sources = sources,
    functions = functions_of_v1(x), locations = x$locations, nodes = tree$nodes,
    value_types = types,
    samples = as_frame(c(list(sample_id = seq_along(row), source_id = source[row], node_id = tree$leaf[row]),
                         stats::setNames(values, types$column))),
    extra = structure(lapply(extra, `[`, row), row.names = seq_along(row), class = "data.frame"),
    dotted_values = data.frame(sample_id = integer(), type = character())),
    lapply(x[setdiff(hidden, hidden_tables)], place_rows, if (!expand) cumsum(as.double(samples$value))))
}

# .after counts samples: where a row of samples stands for several, those up to `ends`.
place_rows <- function(table, ends) {
  if (!is.null(table[[".after"]]) && !is.null(ends)) table$.after <- findInterval(table$.after, ends)
  table
}

# As read_tables() has value_types. Columns are named by number, so that no type has the name of
# another column of samples.
types_table <- function(type, unit) {
  data.frame(type_id = seq_along(type), type = type, unit = unit,
             column = paste0("/", seq_along(type), recycle0 = TRUE), is_real = rep(FALSE, length(type)))
}

# In .rprof R's profile has a list of lines, and in name `lm_fit` for the function lm.fit.
functions_of_v1 <- function(x) {
  if (!is.null(x[[".rprof"]]) && !is.data.frame(x[[".rprof"]])) x$functions$name <- x$functions$system_name
  x$functions
}

# A hidden table that is not from here only tells the format.
sources_of_v1 <- function(x) {
  hidden <- intersect(hidden_tables, names(x))
  for (table in hidden)
    if (is.data.frame(x[[table]]) && "source_id" %in% names(x[[table]])) return(as.data.frame(x[[table]]))
  type <- names(hidden_tables)[match(hidden[1], hidden_tables)]
  data.frame(source_id = 1L, source_type = if (is.na(type)) "manual" else type,
             source_uri = NA_character_, source_timestamp = NA_real_)
}

# Whether samples count, which those of a heap profile do not.
has_counts <- function(sources) {
  listed <- sources[[".value_types"]]
  is.null(listed) || anyNA(listed) ||
    any(grepl("\"type\":\"samples\",\"unit\":\"count\"", listed, fixed = TRUE))
}

# Divides each value among as many samples, so that sums stay: integers into integers, the first
# ones larger.
share_out <- function(value, times) {
  row <- rep(seq_along(value), times)
  if (all(times == 1)) return(value[row])
  whole <- if (bit64::is.integer64(value)) value %/% times else trunc(value / times)
  rest <- value - whole * times
  fraction <- !bit64::is.integer64(value) & value != trunc(value)
  whole[which(fraction)] <- (value / times)[which(fraction)]
  rest[which(fraction)] <- 0
  whole[row] + sign(rest[row]) * (sequence(times) <= abs(rest[row]))
}
