# What R users expect of an object.

# Long tables of the model that are made when they are asked for.
long_tables <- c("sample_values", "sample_locations")

`$.profpipe_profile` <- function(x, name) x[[name]]

`[[.profpipe_profile` <- function(x, i, ...) {
  if (identical(i, "sample_values")) sample_values(x)
  else if (identical(i, "sample_locations")) sample_locations(x)
  else unclass(x)[[i, ...]]
}

`$<-.profpipe_profile` <- function(x, name, value) {
  x[[name]] <- value
  x
}

`[[<-.profpipe_profile` <- function(x, i, value) {
  if (i %in% long_tables)
    profpipe_stop(i, " is made from samples and nodes: change those")
  class <- oldClass(x)
  x <- unclass(x)
  x[[i]] <- value
  structure(x, stored = new.env(parent = emptyenv()), class = class)
}

sample_values <- function(x) {
  types <- x$value_types
  columns <- unclass(x$samples)[types$column]
  if (any(vapply(columns, bit64::is.integer64, NA))) columns <- lapply(columns, bit64::as.integer64)
  count <- length(x$samples$sample_id)
  # the values of a sample stand together
  value <- if (length(columns) > 0) do.call(c, unname(columns)) else numeric()
  place <- as.vector(matrix(seq_along(value), nrow = length(columns), byrow = TRUE))
  place <- place[!is.na(value[place])]
  type <- (place - 1L) %/% count + 1L
  as_frame(list(sample_id = x$samples$sample_id[(place - 1L) %% count + 1L],
                type = types$type[type], unit = types$unit[type], value = value[place]))
}

sample_locations <- function(x) {
  path <- paths_of(x$nodes, x$samples$node_id)
  as_frame(list(sample_id = x$samples$sample_id[path$start], depth = path$depth,
                location_id = x$nodes$location_id[path$node]))
}

# The paths from nodes to their outermost frames, innermost first. `start` and `node` are
# positions: in node_id and in nodes. All paths grow by one frame at a time.
paths_of <- function(nodes, node_id) {
  parent <- match(nodes$parent_id, nodes$node_id)
  at <- match(node_id, nodes$node_id)
  depth <- ifelse(is.na(at), 0L, levels_of(parent)[at])
  before <- cumsum(depth) - depth
  node <- integer(sum(depth))
  for (step in seq_len(max(0L, depth))) {
    inside <- which(!is.na(at))
    node[before[inside] + step] <- at[inside]
    at <- parent[at]
  }
  list(start = rep(seq_along(node_id), depth), depth = sequence(depth), node = node)
}

# How many frames each node and those outside of it are.
levels_of <- function(parent) {
  level <- rep(1L, length(parent))
  up <- parent
  while (any(there <- !is.na(up))) {
    level[there] <- level[there] + 1L
    up[there] <- parent[up[there]]
  }
  level
}

format.profpipe_profile <- function(x, ...) {
  lines <- run_tool("profinfo", c("-q", object_database(x)$path))
  lines <- grep("^  (format|source)  ", lines, value = TRUE, invert = TRUE) # those of the database
  names <- unique(source_names(x))
  if (length(names) > 3) names <- c(names[1:3], paste(length(names) - 3, "more"))
  lines[1] <- paste("Profile of", paste(names, collapse = ", "))
  lines
}

print.profpipe_profile <- function(x, ...) {
  writeLines(format(x))
  invisible(x)
}

source_names <- function(x) {
  uri <- x$sources$source_uri
  ifelse(is.na(uri), paste("source", x$sources$source_id), basename(uri))
}

# x[i, source =, label =]: samples by position or condition, of sources by number or name, and with
# labels such as c(user = "anna"). x["samples"] is a list of tables.
`[.profpipe_profile` <- function(x, i, source = NULL, label = NULL) {
  if (!missing(i) && is.character(i)) return(object_tables(x)[i])
  samples <- x$samples
  keep <- rep(TRUE, nrow(samples))
  if (!missing(i)) {
    position <- seq_len(nrow(samples))
    if (if (is.logical(i)) length(i) != nrow(samples) else any(abs(i) > nrow(samples)))
      profpipe_stop("expected positions or conditions of ", nrow(samples), " samples")
    keep <- position %in% position[i]
  }
  if (!is.null(label) && (is.null(names(label)) || any(names(label) == "")))
    profpipe_stop("label: expected a named value, such as label = c(user = \"anna\")")
  tables <- object_tables(x)
  if (!is.null(source)) {
    called <- sources_called(x, source)
    keep <- keep & samples$source_id %in% called
    tables <- with_sources(tables, called)
  }
  for (key in names(label)) keep <- keep & samples$labels_id %in% labels_with(x, key, label[[key]])
  tables$samples <- samples[keep, ]
  new_object(without_unused(tables))
}

# With these sources, and what is said of them or of none.
with_sources <- function(tables, source_id) {
  tables$sources <- tables$sources[tables$sources$source_id %in% source_id, ]
  rows <- tables$dotted_rows$members # objects of JSON
  about <- regmatches(rows, regexec("[{,]\"source_id\":([0-9]+)[,}]", rows))
  about <- as.numeric(vapply(about, `[`, "", 2))
  tables$dotted_rows <- tables$dotted_rows[is.na(about) | about %in% source_id, ]
  tables
}

sources_called <- function(x, source) {
  known <- x$sources
  found <- if (is.character(source))
    known$source_uri %in% source | source_names(x) %in% source
    else known$source_id %in% source
  if (!any(found)) profpipe_stop("no source is called ", source[1])
  known$source_id[found]
}

labels_with <- function(x, key, value) {
  labels <- x$stored_labels
  if (!key %in% labels$key) profpipe_stop("no sample has a label ", key)
  same <- labels$key == key & (labels$str %in% value | as.character(labels$num) %in% as.character(value))
  labels$labels_id[same]
}

# Takes away frames that no sample has any more.
without_unused <- function(tables) {
  nodes <- tables$nodes
  parent <- match(nodes$parent_id, nodes$node_id)
  used <- rep(FALSE, nrow(nodes))
  at <- unique(match(tables$samples$node_id, nodes$node_id))
  while (length(at <- at[!is.na(at) & !used[at]]) > 0) {
    used[at] <- TRUE
    at <- unique(parent[at])
  }
  kept <- nodes$node_id[used]
  tables$nodes <- nodes[used, ]
  tables$nodes$node_id <- seq_along(kept) # sqlite2ndjson takes no gaps
  tables$nodes$parent_id <- match(tables$nodes$parent_id, kept)
  tables$samples$node_id <- match(tables$samples$node_id, kept)
  locations <- tables$locations
  location <- unique(tables$nodes$location_id)
  repeat { # a frame that is inlined refers to the one around it
    around <- locations$.inlined_into[match(location, locations$location_id)]
    around <- setdiff(around, c(NA, location))
    if (length(around) == 0) break
    location <- c(location, around)
  }
  tables$locations <- locations[locations$location_id %in% location, ]
  tables$functions <- tables$functions[
    tables$functions$function_id %in% tables$locations$function_id, ]
  tables
}

# Profiles after each other, with all their sources; what is equal is there once.
c.profpipe_profile <- function(...) {
  databases <- lapply(list(...), function(x) object_database(need_profile(x)))
  object_of(read_database(vapply(databases, `[[`, "", "path")))
}

# One row for each sample, as profsum --samples has it, with a list of stacks, outermost first.
as.data.frame.profpipe_profile <- function(x, row.names = NULL, optional = FALSE, ...) {
  frame <- run_table("profsum", c("--samples", object_database(x)$path))
  stacks <- unique(frame$stack)
  frame$stack <- I(split_stacks(stacks)[match(frame$stack, stacks)])
  frame
}

# Frames have `;` between them, and a backslash before each `;` and backslash of a name.
split_stacks <- function(stacks) {
  names <- regmatches(stacks, gregexpr("(?:[^;\\\\]|\\\\.)+", stacks, perl = TRUE))
  lapply(names, gsub, pattern = "\\\\(.)", replacement = "\\1")
}

as_tibble.profpipe_profile <- function(x, ...) {
  tibble::as_tibble(as.data.frame(x), ...)
}
