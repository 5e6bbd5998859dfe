# The list that summaryRprof() returns, with its figures.

summary.profpipe_profile <- function(object, memory = c("none", "both", "tseries", "stats"),
                                     lines = c("hide", "show", "both"), index = 2, diff = TRUE,
                                     exclude = NULL, basenames = 1, type = NULL, ...) {
  memory <- match.arg(memory)
  lines <- match.arg(lines)
  if (memory != "none" && !all(memory_levels %in% names(object$samples)))
    profpipe_stop("the profile has no memory: record it with Rprof(memory.profiling = TRUE)")
  if (lines != "hide" && !has_lines(object))
    profpipe_stop("the profile has no lines: record it with Rprof(line.profiling = TRUE)")
  if (memory == "tseries") return(memory_series(object, index, diff, exclude))
  if (memory == "stats") return(memory_stats(object, index, diff, exclude))
  time_summary(object, with_memory = memory == "both", lines, basenames, type)
}

has_lines <- function(x) inherits(x, "profpipe_profile") && any(x$locations$line > 0, na.rm = TRUE)

memory_levels <- c("vsize_small", "vsize_large", "nodes")

time_summary <- function(x, with_memory, lines, basenames, type) {
  weight <- sample_weights(x, type)
  frames <- label_frames(x, lines, basenames)
  node <- match(x$samples$node_id, x$nodes$node_id)
  sums <- label_sums(frames, node, weight$value)
  digits <- if (weight$interval %in% NA || weight$interval >= 0.01) 2L else 3L
  table <- data.frame(
    self.time = round(sums$self / weight$per_second, digits),
    self.pct = round(100 * sums$self / weight$all, 2),
    total.time = round(sums$total / weight$per_second, digits),
    total.pct = round(100 * sums$total / weight$all, 2),
    row.names = sums$label)
  if (with_memory) table$mem.total <- round(label_sums(frames, node, x$samples$alloc_size)$total / 2^20, 1)
  by_self <- table[order(-sums$self, -sums$total), ]
  by_total <- table[order(-sums$total, -sums$self),
                    c("total.time", "total.pct", if (with_memory) "mem.total", "self.time", "self.pct")]
  by_line <- if (lines == "show") list(by.line = table[order_of_lines(sums$label), ])
  c(list(by.self = by_self[by_self$self.time > 0, ], by.total = by_total), by_line,
    sample.interval = weight$interval, sampling.time = weight$all / weight$per_second)
}

order_of_lines <- function(label) {
  line <- suppressWarnings(as.numeric(sub("^.*#", "", label)))
  order(sub("#[0-9]+$", "", label), ifelse(is.na(line), 0, line))
}

# What each sample with a stack stands for: its time, or its value of `type`. Sums are exact before
# they are divided. The interval is the shortest of all runs, by which times are rounded.
sample_weights <- function(x, type = NULL) {
  database <- object_database(x)
  shown <- run_table("profsum", c("-n", "1", if (!is.null(type)) paste0("--type=", type), database$path))
  if (nrow(shown) == 0) profpipe_stop("the profile has nothing to sum up")
  known <- match(shown$type[1], x$value_types$type)
  period <- database_query(database, paste0(
    "SELECT source_id, dotted ->> '$.\".period\".value' AS value FROM sources"))
  period <- as.numeric(period$value[match(x$samples$source_id, period$source_id)])
  value <- if (is.na(known)) x$samples$samples * period
    else as.double(x$samples[[x$value_types$column[known]]])
  value[is.na(value) | is.na(x$samples$node_id)] <- 0
  weight <- list(value = value, all = sum(value), type = shown$type[1], unit = shown$unit[1])
  per_second <- c(nanoseconds = 1e9, microseconds = 1e6, milliseconds = 1e3, seconds = 1)[weight$unit]
  if (is.na(per_second)) c(weight, per_second = 1, interval = NA_real_)
  else c(weight, per_second = per_second[[1]], interval = sort(period)[1] / 1e9)
}

# Up to two labels for each node, as summaryRprof() writes them: a function's name in quotes, and
# FILE#LINE for the line that was executed in it, which is the inner one.
label_frames <- function(x, lines, basenames) {
  place <- match(x$nodes$location_id, x$locations$location_id)
  location <- x$locations[place, ]
  called <- match(location$function_id, x$functions$function_id)
  name <- ifelse(is.na(called), NA, paste0('"', x$functions$name[called], '"'))
  file <- ifelse(is.na(called), toplevel_files(x)[place], x$functions$filename[called])
  line <- ifelse(location$line %in% c(0, NA), NA, paste0(last_parts(file, basenames), "#", location$line))
  parent <- match(x$nodes$parent_id, x$nodes$node_id)
  list(parent = parent, name = if (lines != "show") name, line = if (lines != "hide") line)
}

# Files of code outside of functions, such as the top level of a script.
toplevel_files <- function(x) {
  found <- database_query(object_database(x), paste(
    "SELECT location_id, dotted ->> '$.\".filename\"' AS file FROM locations"))
  found$file[match(x$locations$location_id, found$location_id)]
}

last_parts <- function(file, parts) {
  if (parts == 0) return(file)
  vapply(strsplit(file, "/", fixed = TRUE), function(folders)
    paste(utils::tail(folders, parts), collapse = "/"), "")
}

# Self and total of each label. `node` is the position of each sample's node.
label_sums <- function(frames, node, weight) {
  count <- length(frames$parent)
  own <- sum_at(node, weight, count)
  through <- add_up(frames$parent, own)
  labels <- Filter(Negate(is.null), frames[c("line", "name")])
  innermost <- inner_label(frames$parent, labels)
  nowhere <- sum(own[is.na(innermost)])
  label <- sort(unique(unlist(labels)))
  total <- numeric(length(label))
  for (one in labels) {
    counts <- which(!is.na(one) & !is_repeated(frames$parent, one))
    total <- total + sum_at(match(one[counts], label), through[counts], length(label))
  }
  self <- sum_at(match(innermost, label), own, length(label))
  if (nowhere > 0) {
    label <- c(label, "<no location>")
    self <- c(self, nowhere)
    total <- c(total, nowhere)
  }
  place <- order(label)
  list(label = label[place], self = self[place], total = total[place])
}

sum_at <- function(place, value, count) {
  sums <- rowsum(value[!is.na(place)], place[!is.na(place)])
  result <- numeric(count)
  result[as.integer(rownames(sums))] <- sums
  result
}

# Adds to each node what is inside of it, from the deepest level outwards.
add_up <- function(parent, value) {
  level <- levels_of(parent)
  for (deep in rev(seq_len(max(0L, level)))[-max(1L, level)]) {
    at <- which(level == deep)
    value <- value + sum_at(parent[at], value[at], length(value))
  }
  value
}

# The first label of each node, or that of the next outer node that has one.
inner_label <- function(parent, labels) {
  found <- labels[[1]]
  for (label in labels[-1]) found[is.na(found)] <- label[is.na(found)]
  own <- found
  up <- parent
  while (any(search <- is.na(found) & !is.na(up))) {
    found[search] <- own[up[search]]
    up[search] <- parent[up[search]]
  }
  found
}

# Whether a node further out has the same label.
is_repeated <- function(parent, label) {
  repeated <- rep(FALSE, length(parent))
  up <- parent
  while (any(there <- !is.na(up) & !repeated)) {
    repeated[there] <- (label[up[there]] == label[there]) %in% TRUE
    up[there] <- parent[up[there]]
  }
  repeated
}

# Memory of the samples that have a stack, as rows of summaryRprof(memory = "tseries").
memory_series <- function(x, index, diff, exclude) {
  samples <- x$samples[!is.na(x$samples$node_id), ]
  if (nrow(samples) == 0) profpipe_stop("no sample has a stack")
  memory <- data.frame(vsize.small = samples$vsize_small, vsize.large = samples$vsize_large,
                       nodes = samples$nodes, duplications = samples$duplications)
  if (diff) memory[-1, 1:3] <- lapply(memory[1:3], function(level) pmax(0, diff(level)))
  interval <- sample_weights(x)$interval
  labels <- lapply(index, function(index) stack_labels(x, samples$node_id, index, exclude))
  names(labels) <- paste0("stack:", index)
  data.frame(memory, labels, row.names = seq_len(nrow(memory)) * interval, check.names = FALSE)
}

memory_stats <- function(x, index, diff, exclude) {
  memory <- memory_series(x, index, diff, exclude)
  by(memory[1:4], memory[[5]], function(these) with(these, round(c(
    vsize.small = mean(vsize.small), max.vsize.small = max(vsize.small),
    vsize.large = mean(vsize.large), max.vsize.large = max(vsize.large),
    nodes = mean(nodes), max.nodes = max(nodes),
    duplications = mean(duplications), tot.duplications = sum(duplications),
    samples = nrow(these)))))
}

# The `index` outermost names of each stack, or the -`index` innermost ones, with `:` between.
stack_labels <- function(x, node_id, index, exclude) {
  distinct <- unique(node_id)
  path <- paths_of(x$nodes, distinct)
  name <- label_frames(x, "hide", 1)$name[path$node]
  keep <- !is.na(name) & !name %in% c(exclude, sprintf('"%s"', exclude))
  stacks <- split(name[keep], factor(path$start[keep], seq_along(distinct)))
  label <- vapply(stacks, function(stack)
    paste(utils::head(if (index > 0) rev(stack) else stack, abs(index)), collapse = ":"), "")
  unname(label)[match(node_id, distinct)]
}
