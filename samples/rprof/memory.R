# Growing, copying and dropping vectors: memory numbers on every line. Loops
# and arithmetic at top level give lines that have no stack at all.

grow <- function(n) {
  out <- character(0)
  for (i in seq_len(n)) out[i] <- paste("row", i)
  out
}

shuffle <- function(x) {
  for (i in seq_len(40)) {
    copy <- x
    copy[1] <- x[length(x)]
    x <- rev(copy)
  }
  x
}

set.seed(4)
Rprof("memory.out", memory.profiling = TRUE, interval = 0.005)
rows <- grow(4e4)
numbers <- shuffle(runif(1e5))
counts <- table(substr(rows, 1, 6))
total <- 0
for (i in seq_len(5e6)) total <- total + i
rm(rows)
numbers <- sort(runif(1e6))
Rprof(NULL)
