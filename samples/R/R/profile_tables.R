# Between a database and the tables of R's profile there are `parts`: the tables that read_tables()
# gives, with columns instead of the JSON objects in `dotted`. Those of samples are in `extra`.

read_parts <- function(database) {
  with_connection(database, function(connection) {
    parts <- read_tables(connection)
    parts$samples <- as_frame(parts$samples)
    split <- function(table, key) {
      rows <- paste("SELECT", key, "AS id, dotted AS members FROM", table)
      frame <- parts[[table]]
      frame$dotted <- NULL
      add_dotted(frame, connection, rows, frame[[key]])
    }
    parts$meta <- data.frame(key = "version", value = "2.0")
    parts$sources <- split("sources", "source_id")
    parts$sources$source_timestamp <- as.double(parts$sources$source_timestamp)
    parts$functions <- split("functions", "function_id")
    parts$locations <- split("locations", "location_id")
    for (column in c(".mapping_id", ".inlined_into"))
      if (all(is.na(parts$locations[[column]]))) parts$locations[[column]] <- NULL
    parts$extra <- read_extra(connection, parts)
    parts$dotted_values <- read_dotted_values(connection)
    c(parts[c("meta", "sources", "functions", "locations", "nodes", "value_types", "samples", "extra",
              "dotted_values")],
      read_dotted_tables(connection, parts))
  })
}

# The dotted columns of samples. Each set is stored once, and labels by themselves.
read_extra <- function(connection, parts) {
  samples <- parts$samples
  extra <- data.frame(row.names = seq_along(samples$sample_id))
  if (!all(is.na(samples$.time))) extra$.time <- small_integers(bit64::as.integer64(samples$.time))
  extra <- add_dotted(extra, connection, "SELECT dotted_id AS id, dotted AS members FROM stored_dotted",
                      samples$dotted_id)
  if (all(is.na(samples$labels_id))) return(extra)
  # json_patch leaves out what is NULL
  labels <- DBI::dbGetQuery(connection, "
    SELECT labels_id, '[' || group_concat(json_patch('{}', json_object(
      'key', \"key\", 'str', str, 'num', num, 'unit', unit))) || ']' AS json
    FROM (SELECT * FROM stored_labels ORDER BY labels_id, position) GROUP BY labels_id")
  json <- labels$json[match(samples$labels_id, labels$labels_id)]
  exact <- extra[[".labels"]] # of labels that are no UTF-8
  if (!is.null(exact)) json[!is.na(exact)] <- exact[!is.na(exact)]
  extra$.labels <- I(json)
  extra
}

# The dotted columns of values, beside their keys. What SQLite needs to print a value is left out.
read_dotted_values <- function(connection) {
  values <- DBI::dbGetQuery(connection, "SELECT sample_id, type FROM sample_values_dotted")
  add_dotted(values, connection, "
    SELECT sample_id || ' ' || type AS id,
      json_remove(dotted, '$.\".sqlite_digits\"', '$.\".sqlite_position\"') AS members
    FROM sample_values_dotted", paste(values$sample_id, values$type))
}

# Dotted tables. In .after is the sample that a row stands behind, 0 for none.
read_dotted_tables <- function(connection, parts) {
  mappings <- data.frame(mapping_id = parts$.mappings$mapping_id)
  mappings <- add_dotted(mappings, connection, "SELECT mapping_id AS id, members FROM \".mappings\"",
                         mappings$mapping_id)
  rows <- DBI::dbGetQuery(connection, "
    SELECT row_id, table_name, coalesce((SELECT max(last) FROM row_runs
      WHERE table_name = 'samples' AND run_id < (SELECT min(run_id) FROM row_runs
        WHERE table_name = 'dotted_rows' AND last >= row_id)), 0) AS after
    FROM dotted_rows ORDER BY row_id")
  names <- unique(rows$table_name)
  others <- lapply(names, function(name) {
    table <- rows[rows$table_name == name, ]
    query <- paste("SELECT row_id AS id, members FROM dotted_rows WHERE table_name =",
                   DBI::dbQuoteString(connection, name))
    frame <- add_dotted(data.frame(row.names = seq_along(table$row_id)), connection, query, table$row_id)
    frame$.after <- as.integer(table$after)
    frame
  })
  c(if (nrow(mappings) > 0) list(.mappings = mappings), stats::setNames(others, names))
}

# The nodes of stacks that stand in `location` one after another, each innermost first. All stacks
# climb at once, from their outermost frame, so that equal beginnings meet in one node.
plant <- function(location, depth) {
  last <- cumsum(depth)
  leaf <- rep(NA_integer_, length(depth))
  place <- match(location, unique(location))
  nodes <- list(data.frame(node_id = integer(), parent_id = integer(), location_id = integer()))
  count <- 0L
  for (level in seq_len(max(0L, depth))) {
    active <- which(depth >= level)
    at <- last[active] - level + 1L
    parent <- leaf[active]
    branch <- ifelse(is.na(parent), 0, parent) * (length(location) + 1) + place[at]
    first <- !duplicated(branch)
    id <- count + seq_len(sum(first))
    nodes[[level + 1L]] <- data.frame(node_id = id, parent_id = parent[first], location_id = location[at[first]])
    leaf[active] <- id[match(branch, branch[first])]
    count <- count + length(id)
  }
  list(leaf = leaf, nodes = do.call(rbind, nodes))
}

# A database of parts, for a tool to read.
write_parts <- function(parts) {
  dotted <- json_objects(collect_bytes(utf8_columns(parts$extra)))
  distinct <- unique(dotted[!is.na(dotted)])
  parts$samples$labels_id <- rep(NA_integer_, length(dotted))
  parts$samples$dotted_id <- match(dotted, distinct)
  values <- join_dotted(parts$dotted_values)
  tables <- list(
    meta = join_dotted(parts$meta), sources = join_dotted(parts$sources),
    functions = join_dotted(parts$functions), locations = write_locations(parts$locations),
    nodes = parts$nodes, value_types = parts$value_types, samples = parts$samples,
    stored_dotted = data.frame(dotted_id = seq_along(distinct), dotted = distinct),
    sample_values_dotted = values[!is.na(values$dotted), ])
  write_database(stored_form(c(tables, write_dotted_tables(parts))))
}

write_locations <- function(locations) {
  ids <- c(".mapping_id", ".inlined_into")
  locations <- join_dotted(locations, plain = ids)
  for (id in setdiff(ids, names(locations))) locations[[id]] <- rep(NA_integer_, nrow(locations))
  locations
}

write_dotted_tables <- function(parts) {
  mappings <- parts[[".mappings"]]
  names <- setdiff(names(parts)[startsWith(names(parts), ".")], ".mappings")
  rows <- do.call(rbind, c(
    list(data.frame(table_name = character(), members = character(), after = integer())),
    lapply(names, function(name) {
      table <- as.data.frame(parts[[name]])
      after <- if (is.null(table[[".after"]])) rep(0L, nrow(table)) else table$.after
      table$.after <- NULL
      data.frame(table_name = rep(name, nrow(table)), members = join_members(table), after = after)
    })))
  rows <- rows[order(rows$after), ]
  row_id <- seq_len(nrow(rows))
  # row_runs has samples and rows in turn
  runs <- data.frame(table_name = rep(c("samples", "dotted_rows"), nrow(rows)),
                     last = c(rbind(rows$after, row_id)))
  tables <- list(dotted_rows = cbind(row_id, rows[c("table_name", "members")]),
                 row_runs = cbind(run_id = seq_len(nrow(runs)), runs))
  if (!is.null(mappings)) tables$.mappings <- data.frame(
    mapping_id = mappings$mapping_id,
    members = join_members(mappings[names(mappings) != "mapping_id"]))
  tables
}
