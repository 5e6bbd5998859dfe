#!/usr/bin/env Rscript
# Measures how fast the R package reads 100,000 samples of R, beside what else reads them:
#
#   [PEERS=FOLDER] read_profile.R [SAMPLES]
#
# The tools are those on the PATH, and the package profpipe is installed. jsonlite reads the rows as
# one data frame, and row by row: a part of these, whose time is scaled to all. R's profile is read
# from PEERS, as profile/. Each time is the best of five, or of one for what is slow.
# Ratios are of processor time, of R and the tools, so that they hold where the machine does other
# work, too; the clock is shown beside it. Ends with status 1 where a ratio is missed.
library(profpipe)

RUNS <- 5
ROWS_ALONE <- 20000

took <- function(work, runs = RUNS) {
  best <- c(clock = Inf, cpu = Inf)
  for (run in seq_len(runs)) {
    gc()
    time <- system.time(work())
    cpu <- sum(time[c("user.self", "sys.self", "user.child", "sys.child")])
    best <- pmin(best, c(time[["elapsed"]], cpu))
  }
  best
}

row <- function(what, time) {
  cat(sprintf("  %-50s %8.3f s clock %8.3f s CPU\n", what, time[["clock"]], time[["cpu"]]))
}

missed <- FALSE
holds <- function(what, slow, fast, least) {
  ratio <- slow / fast
  held <- ratio[["cpu"]] >= least
  cat(sprintf("  %-50s %8.0f x clock %8.0f x CPU (>= %d) %s\n", what, ratio[["clock"]],
              ratio[["cpu"]], least, if (held) "holds" else "MISSED"))
  if (!held) missed <<- TRUE
}

# Samples that R takes here for some seconds, over and over.
make_samples <- function(file, count) {
  Rprof(file, interval = 0.004)
  end <- proc.time()[["user.self"]] + 5
  while (proc.time()[["user.self"]] < end) {
    summary(lm(mpg ~ wt + factor(cyl), mtcars))
    means <- aggregate(mpg ~ cyl + gear, mtcars, mean)
    merge(mtcars, means, by = c("cyl", "gear"))
    parts <- split(mtcars, mtcars$carb)
    do.call(rbind, lapply(parts, function(part) data.frame(mpg = mean(part$mpg))))
  }
  Rprof(NULL)
  lines <- readLines(file)
  writeLines(c(lines[1], rep_len(lines[-1], count)), file)
  c(samples = count, distinct = length(unique(lines[-1])))
}

# Its reader, from source: the package itself would replace methods of ours.
peer_profile <- function() {
  folder <- file.path(Sys.getenv("PEERS"), "profile", "R")
  if (!dir.exists(folder)) return()
  code <- new.env(parent = asNamespace("rlang"))
  for (file in list.files(folder, full.names = TRUE)) sys.source(file, code)
  code$read_rprof
}

count <- as.integer(c(commandArgs(TRUE), 100000)[1])
work <- tempfile("bench-")
dir.create(work)
file <- file.path(work, "x.out")
made <- make_samples(file, count)
cat(sprintf("A profile of %d samples, %d distinct\n", made[["samples"]], made[["distinct"]]))

x <- read_profile(file) # loads what reading needs
ours <- took(function() x <<- read_profile(file))
row("read_profile()", ours)
all <- took(function() {
  x <- read_profile(file)
  list(x$sample_values, x$sample_locations)
})
row("read_profile() and the long tables", all)
sums <- took(function() prof_sum(x))
row("prof_sum() of what was read", sums)

if (requireNamespace("jsonlite", quietly = TRUE)) {
  rows <- file.path(work, "x.ndjson")
  write_profile(x, rows)
  whole <- took(function() {
    connection <- file(rows)
    jsonlite::stream_in(connection, verbose = FALSE)
  }, 1)
  row("jsonlite::stream_in() of its rows", whole)
  lines <- readLines(rows)
  part <- lines[seq(1, length(lines), length.out = min(length(lines), ROWS_ALONE))]
  alone <- took(function() lapply(part, jsonlite::fromJSON), 1) * length(lines) / length(part)
  row("jsonlite::fromJSON() of each row", alone)
  holds("read_profile(), times stream_in()", whole, ours, 25)
  holds("read_profile(), times fromJSON()", alone, ours, 25)
  holds("all tables, times stream_in()", whole, all, 10)
}
read_rprof_of_peer <- peer_profile()
if (!is.null(read_rprof_of_peer)) {
  peer <- took(function() read_rprof_of_peer(file), 1)
  row("read_rprof() of R's profile", peer)
  holds("read_profile(), times read_rprof() of R's profile", peer, ours, 60)
  holds("all tables, times read_rprof() of R's profile", peer, all, 40)
}
if (sums[["cpu"]] > 0.2) {
  cat("  prof_sum() takes more than 0.2 s MISSED\n")
  missed <- TRUE
}
unlink(work, recursive = TRUE)
quit(status = as.integer(missed))
