# Profiles of chance, and what two profiles have in common whatever their ids are.

skip_without_tools <- function() {
  found <- tryCatch(nzchar(find_tool("ndjson2sqlite")), profpipe_error = function(error) FALSE)
  testthat::skip_if_not(found, "needs the tools of profpipe")
}

bytes_of <- function(file) readBin(file, "raw", file.size(file))

odd_strings <- function() {
  strings <- c("f", "lm.fit", "[.data.frame", "say \"hi\"", "a\\b", "tab\tnl\n", "\u00e9", "\u65e5\u672c", "NA",
               "null", "<GC>", "\001\037", "\U1F600", "\xff\xfe", "ok\xe9", "\xe2\x82")
  Encoding(strings)[14:16] <- "bytes"
  strings
}

# A profile of version "2.0", with ids that have gaps and rows in any order.
random_profile <- function(seed) {
  set.seed(seed)
  pick <- function(count, from) from[sample.int(length(from), count, TRUE)]
  ids <- function(count) sample.int(3 * count + 1, count)
  strings <- odd_strings()
  function_id <- ids(sample(0:9, 1))
  location_id <- ids(if (length(function_id) > 0) sample(0:12, 1) else 0)
  sample_id <- ids(sample(c(0:3, 20), 1))
  source_id <- ids(sample(1:3, 1))
  functions <- length(function_id)
  locations <- length(location_id)
  tables <- list(
    meta = list(key = "version", value = "2.0"),
    sources = list(
      source_id = source_id, source_type = pick(length(source_id), c("manual", "rprof", "\u00e9")),
      source_uri = pick(length(source_id), c(NA, "", strings)),
      source_timestamp = pick(length(source_id), c(NA, 0, 1.7e9, 1795220398.746572367))),
    samples = list(sample_id = sample_id, source_id = pick(length(sample_id), source_id)),
    sample_values = random_values(seed, sample_id, pick),
    locations = list(location_id = location_id, function_id = as.integer(pick(locations, c(NA, function_id))),
                     line = as.integer(pick(locations, c(NA, 0:40)))),
    functions = list(function_id = function_id, name = pick(functions, strings),
                     system_name = pick(functions, strings), filename = pick(functions, c("", strings)),
                     start_line = sample.int(50, functions, TRUE) - 1L))
  depth <- if (locations > 0) sample(0:5, length(sample_id), TRUE) else integer(length(sample_id))
  tables$sample_locations <- list(sample_id = rep(sample_id, depth), depth = sequence(depth),
                                  location_id = pick(sum(depth), location_id))
  if (seed %% 3 == 0) {
    tables$functions$.text <- pick(functions, c(strings, NA))
    tables$functions$.flag <- pick(functions, c(TRUE, FALSE, NA))
  }
  if (seed %% 4 == 0) {
    tables$locations$.number <- pick(locations, c(NA, 1.5, -0.1, 1e300))
    tables$locations$.large <- pick(locations, bit64::as.integer64(c(NA, "9007199254740993")))
  }
  if (seed %% 5 == 0) tables$samples$.labels <- I(pick(length(sample_id), c(
    NA, "[{\"key\":\"user\",\"str\":\"anna\"}]", "[{\"key\":\"n\",\"num\":3,\"unit\":\"bytes\"}]")))
  shuffled <- lapply(tables, function(table) {
    order <- sample.int(length(table[[1]]))
    lapply(table, `[`, order)
  })
  do.call(new_profile_v2, shuffled)
}

random_values <- function(seed, sample_id, pick) {
  types <- sample(1:3, 1)
  rows <- rep(sample_id, types)
  type <- rep(c("samples", "cpu", "alloc size")[seq_len(types)], each = length(sample_id))
  unit <- c(samples = "count", cpu = "nanoseconds", "alloc size" = "bytes")[type]
  kept <- sample.int(length(rows), sample.int(length(rows) + 1, 1) - 1)
  value <- switch(seed %% 3 + 1,
    as.double(sample.int(1000, length(kept), TRUE)),
    pick(length(kept), c(0, -1, 0.1, 1e-300, 2^52, 1 / 3)),
    pick(length(kept), bit64::as.integer64(c("9223372036854775807", "-9223372036854775807", "0", "12"))))
  list(sample_id = rows[kept], type = type[kept], unit = unname(unit)[kept], value = value)
}

# What each row says, without its ids: columns that are NA everywhere say nothing.
row_texts <- function(table, ids) {
  table <- as.data.frame(table)
  table <- table[setdiff(names(table), ids)]
  table <- table[sort(names(table)[!vapply(table, function(column) all(is.na(column)), NA)])]
  if (length(table) == 0) return(rep("", nrow(table)))
  columns <- Map(function(column, name) paste(name, text_of(column)), table, names(table))
  do.call(paste, c(columns, sep = "|"))
}

text_of <- function(column) {
  if (is.numeric(column)) json_numbers(column)
  else vapply(as.character(column), function(string)
    if (is.na(string)) "-" else paste(charToRaw(string), collapse = ""), "")
}

# All that a profile of version "2.0" says.
content_of <- function(x) {
  x <- tables_of(x)
  functions <- row_texts(x$functions, "function_id")
  frames <- paste(row_texts(x$locations, c("location_id", "function_id")),
                  functions[match(x$locations$function_id, x$functions$function_id)], recycle0 = TRUE)
  sources <- row_texts(x$sources, "source_id")
  samples <- x$samples[order(x$samples$sample_id), ]
  of_samples <- function(texts, sample_id)
    as.vector(tapply(texts, factor(sample_id, samples$sample_id), paste, collapse = "\n"))
  stacks <- x$sample_locations[order(x$sample_locations$sample_id, x$sample_locations$depth), ]
  values <- x$sample_values[order(x$sample_values$sample_id, x$sample_values$type), ]
  list(sources = sources[order(x$sources$source_id)], functions = unique(sort(functions)),
       frames = unique(sort(frames)),
       samples = paste(row_texts(samples, c("sample_id", "source_id")),
                       sources[match(samples$source_id, x$sources$source_id)], recycle0 = TRUE),
       stacks = of_samples(frames[match(stacks$location_id, x$locations$location_id)], stacks$sample_id),
       values = of_samples(row_texts(values, "sample_id"), values$sample_id))
}
