# Profiles as a dm, with keys.

dm_from_profile <- function(x) {
  tables <- valid_tables(x)
  if (inherits(x, "dm")) return(x)
  if (!requireNamespace("dm", quietly = TRUE))
    profpipe_stop("dm_from_profile() needs the package dm: install.packages(\"dm\")")
  dm_of_tables(if (is_v1(tables)) relations_of_v1(tables) else tables)
}

# Version "1.0" as tables without lists.
relations_of_v1 <- function(x) {
  stacks <- lapply(x$samples$locations, .subset2, "location_id")
  samples <- x$samples[names(x$samples) != "locations"]
  sample_id <- seq_along(stacks)
  list(samples = as_frame(cbind(sample_id, as.data.frame(samples))),
       locations = x$locations, functions = x$functions,
       samples_locations = as_frame(data.frame(
         sample_id = rep(sample_id, lengths(stacks)),
         location_id = as.integer(unlist(stacks, use.names = FALSE)))))
}

primary_keys <- list(
  meta = "key", sources = "source_id", functions = "function_id", locations = "location_id",
  samples = "sample_id", sample_values = c("sample_id", "type"), sample_locations = c("sample_id", "depth"))

foreign_keys <- list(
  c("locations", "function_id", "functions"), c("samples", "source_id", "sources"),
  c("sample_values", "sample_id", "samples"), c("sample_locations", "sample_id", "samples"),
  c("sample_locations", "location_id", "locations"), c("samples_locations", "sample_id", "samples"),
  c("samples_locations", "location_id", "locations"))

# dm takes the names of tables and columns as they stand in a call.
dm_of_tables <- function(tables) {
  model <- do.call(dm::dm, unclass(tables))
  for (table in intersect(names(tables), names(primary_keys))) {
    columns <- as.call(c(quote(c), lapply(primary_keys[[table]], as.name)))
    model <- eval(bquote(dm::dm_add_pk(model, .(as.name(table)), .(columns))))
  }
  for (key in foreign_keys) if (all(c(key[1], key[3]) %in% names(tables))) {
    name <- lapply(key, as.name)
    if (key[2] %in% names(tables[[key[1]]]))
      model <- eval(bquote(dm::dm_add_fk(model, .(name[[1]]), .(name[[2]]), .(name[[3]]))))
  }
  model
}
