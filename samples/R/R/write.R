# Back from data frames to a database, and from there to files of all formats.

write_profile <- function(x, file) {
  need_profile(x)
  run_tool("profpipe", c("convert", "--force", object_database(x)$path, file_arguments(file)))
  invisible(x)
}

need_profile <- function(x) {
  if (inherits(x, "profpipe_profile")) return(x)
  profpipe_stop("expected a profile of read_profile() or prof(), found ", class(x)[1])
}

# The database of an object: the one that it came from, if nothing has changed.
object_database <- function(x) {
  stored <- attr(x, "stored")
  tables <- object_tables(x)
  if (identical(stored$tables, tables) && file.exists(stored$database$path))
    return(stored$database)
  database <- write_database(stored_form(tables))
  # its file must stay while a tool reads it; copies of an object share `stored`
  stored$kept <- c(stored$kept, database)
  if (is.null(stored$tables)) {
    stored$database <- database
    stored$tables <- tables
  }
  database
}

object_tables <- function(x) {
  tables <- unclass(x)
  attributes(tables) <- list(names = names(tables))
  tables
}

# Values go back from columns of samples to rows.
stored_form <- function(tables) {
  types <- tables$value_types
  missing <- setdiff(types$column, names(tables$samples))
  if (length(missing) > 0)
    profpipe_stop("samples has no column ", missing[1], ", which value_types names")
  samples <- tables$samples
  unknown <- setdiff(names(samples), c(own_columns, types$column))
  if (length(unknown) > 0)
    profpipe_warn("not written: column ", unknown[1], " of samples, which value_types does not name")
  tables$samples <- samples[intersect(own_columns, names(samples))]
  tables$value_types <- types[c("type_id", "type", "unit")]
  tables$stored_values <- stored_values(samples, types)
  tables[c(stored_tables, "stored_values")]
}

# Two data frames, of integers and of reals: a column of R cannot have both.
stored_values <- function(samples, types) {
  rows <- Map(function(column, type_id, is_real) {
    value <- samples[[column]]
    if (any(is.nan(value) | is.infinite(value)))
      profpipe_stop("samples: column ", column, " has NaN or an infinite number, which is no value")
    whole <- if (bit64::is.integer64(value)) !is.na(value)
      else !is.na(value) & !is_real %in% TRUE & value == trunc(value) & abs(value) <= 2^53
    real <- !is.na(value) & !whole
    frame <- function(rows, value)
      data.frame(sample_id = samples$sample_id[rows], type_id = rep(type_id, sum(rows)), value = value)
    list(whole = frame(whole, bit64::as.integer64(value[whole])),
         real = frame(real, I(as.double(value[real]))))
  }, types$column, types$type_id, types$is_real)
  empty <- data.frame(sample_id = integer(), type_id = integer(), value = integer())
  lapply(c("whole", "real"), function(kind) {
    frame <- do.call(rbind, c(list(empty), unname(lapply(rows, `[[`, kind))))
    frame[order(frame$sample_id, frame$type_id), ] # as SQLite stores them
  })
}
