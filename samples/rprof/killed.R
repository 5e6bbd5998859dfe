# Is killed while it works, and then run again to its end: the second header goes
# on where the first run's last full buffer stopped.

options(keep.source = TRUE)
again <- length(commandArgs(TRUE)) > 0

grow <- function(n) {
  squares <- numeric(0)
  for (i in seq_len(n)) squares <- c(squares, i^2)
  squares
}

total <- function(n) sum(sqrt(grow(n)))

Rprof("killed.out", memory.profiling = TRUE, line.profiling = TRUE, interval = 0.005, append = again)
rounds <- 0
while (!again || rounds < 40) {
  total(3000)
  rounds <- rounds + 1
}
Rprof(NULL)
