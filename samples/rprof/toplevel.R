# R reads this from standard input, as it reads a console: it keeps the source
# of what stands at top level, but that source has no file name, so its
# `#File` line names nothing.

options(keep.source = TRUE)
set.seed(3)

busy <- function(n) {
  s <- 0
  for (i in seq_len(n)) s <- s + i %% 7
  s
}

Rprof("toplevel.out", line.profiling = TRUE, interval = 0.01)
{
  total <- busy(2e6)
  ranked <- sort(runif(1e6))
  middle <- median(
    ranked[ranked > 0.5]
  )
}
x <- vapply(1:4, function(i) busy(1e6), numeric(1))
Rprof(NULL)
