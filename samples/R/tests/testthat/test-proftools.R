# proftools judges, where it is installed. Its rules differ: GC is a flag of a sample and no function,
# and a sample of GC alone is none; a function that calls itself is no call here.

judged <- function(name) {
  skip_if_not_installed("proftools")
  file <- sample_file(paste0("rprof/", name, ".out"))
  # with lines, its functions are one for each line that they are called at
  theirs <- getFromNamespace("stripRefs", "proftools")(proftools::readProfileData(file))
  list(theirs = theirs, seconds = theirs$interval / 1e6,
       ours = suppressWarnings(prof_filter(read_profile(file), hide = "name:^<GC>$"))) # some have none
}

# Where all read the same: no quotes in names, no line cut by a kill, one header.
read_by_all <- c("plain", "lines", "memory", "toplevel", "everything")

seconds_of <- function(table, name, column) {
  here <- table[[name]] != "<no location>"
  stats::setNames(table[[column]][here] / 1e9, table[[name]][here])
}

by_name <- function(x) x[order(names(x))]

test_that("functions and calls have the times of proftools", {
  for (name in read_by_all) {
    profile <- judged(name)
    functions <- proftools::funSummary(profile$theirs, value = "time")
    sums <- prof_sum(profile$ours)
    for (column in c("self", "total")) expect_equal(
      by_name(seconds_of(sums, "function", column)),
      by_name(stats::setNames(functions[[paste0(column, ".time")]], functions$fun)), label = name)
    calls <- proftools::callSummary(profile$theirs, value = "time")
    calls <- calls[as.character(calls$caller) != as.character(calls$callee), ]
    ours <- prof_callers(profile$ours)
    ours$call <- paste(ours$caller, ours$callee)
    expect_equal(by_name(seconds_of(ours, "call", "total")),
                 by_name(stats::setNames(calls$total.time, paste(calls$caller, calls$callee))), label = name)
  }
})

test_that("paths have the times of proftools", {
  for (name in read_by_all) {
    profile <- judged(name)
    paths <- getFromNamespace("hotPathData", "proftools")(profile$theirs)
    paths <- paths[paths$key != "??", ] # samples without functions
    key <- gsub(" -> ", ";", paths$key, fixed = TRUE)
    ours <- prof_hot_paths(profile$ours, max_depth = 1000)
    for (column in c("self", "total")) {
      count <- paths[[c(self = "self", total = "count")[[column]]]]
      expect_equal(by_name(seconds_of(ours, "stack", column)),
                   by_name(stats::setNames(count * profile$seconds, key)), label = name)
    }
  }
})
