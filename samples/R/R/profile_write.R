# The writers of R's profile.

write_rprof <- function(x, path) write_as(x, path, "ndjson2rprof")

# Rows of version "1.0" stay rows; equal samples of version "2.0" are added up, as pprof does.
write_pprof <- function(x, path) write_as(x, path, "ndjson2pprof", v1_options = "--no-aggregate")

write_as <- function(x, path, tool, v1_options = NULL) {
  check_path(path)
  tables <- valid_tables(x)
  database <- write_parts(parts_of(tables))
  run_tool(tool, c(if (is_v1(tables)) v1_options, "-o", path.expand(path), database$path))
  invisible(x)
}

check_path <- function(path) {
  if (!is.character(path) || length(path) != 1 || is.na(path))
    stop("path must be the name of one file", call. = FALSE)
}
