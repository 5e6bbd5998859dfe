# Works until it is killed: R writes its profile through a buffer, so what is
# on disk then ends wherever the last full buffer did.

collatz <- function(n) {
  steps <- 0
  while (n > 1) {
    n <- if (n %% 2 == 0) n / 2 else 3 * n + 1
    steps <- steps + 1
  }
  steps
}

longest <- function(from, to) max(vapply(from:to, collatz, numeric(1)))

Rprof("torn.out", interval = 0.005)
block <- 1
repeat {
  longest(block, block + 500)
  block <- block + 500
}
