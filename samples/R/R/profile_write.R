# The writers of R's profile.

write_rprof <- function(x, path) write_as(x, path, "ndjson2rprof")

# Version "1.0" keeps its rows; equal samples of version "2.0" are added up, as pprof does.
write_pprof <- function(x, path) {
  write_as(x, path, "ndjson2pprof", if (is_v1(tables_of(x))) "--no-aggregate")
}

write_as <- function(x, path, tool, args = NULL) {
  stopifnot("path must be the name of one file" = is.character(path) && length(path) == 1 && !is.na(path))
  database <- write_parts(parts_of(x))
  run_tool(tool, c(args, "-o", path.expand(path), database$path))
  invisible(x)
}
