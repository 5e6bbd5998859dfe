# The readers of R's profile.

read_rprof <- function(path, ..., version = "1.0", source_uri = NULL) {
  read_as(path, "rprof", version, source_uri)
}

read_pprof <- function(path, ..., version = "1.0", source_uri = NULL) {
  read_as(path, "pprof", version, source_uri)
}

read_as <- function(path, type, version, source_uri) {
  check_path(path)
  stopifnot(
    "version must be \"1.0\" or \"2.0\"" = identical(version, "1.0") || identical(version, "2.0"),
    "source_uri must be one string" =
      is.null(source_uri) || (is.character(source_uri) && length(source_uri) == 1))
  parts <- read_parts(explain_cut_stacks(read_database(path)))
  other <- setdiff(parts$sources$source_type, type)
  if (length(other) > 0)
    profpipe_stop(path, " is of the format ", other[1], ", not ", type, ": read_profile() reads all formats")
  if (!is.null(source_uri)) parts$sources$source_uri[] <- source_uri
  profile <- if (version == "1.0") v1_of_parts(parts, type) else v2_of_parts(parts)
  validate_profile(profile)
  profile
}

# R itself cuts long stacks: the warning says how to prevent that.
explain_cut_stacks <- function(database) {
  withCallingHandlers(database, profpipe_warning = function(warning) {
    if (!grepl("samples cut", conditionMessage(warning), fixed = TRUE)) return()
    profpipe_warn("Incomplete sampling information, increase bufsize in `Rprof()` or ",
                  "`start_profiler()` call: ", conditionMessage(warning))
    invokeRestart("muffleWarning")
  })
}

