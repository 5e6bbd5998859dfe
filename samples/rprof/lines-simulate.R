simulate_day <- function(day) {
  hours <- seq(0, 24, length.out = 200)
  load <- sin(hours / 24 * 2 * pi) + rnorm(200)
  data.frame(day = day, hours, load)
}

simulate_days <- function(n) {
  days <- lapply(seq_len(n), simulate_day)
  do.call(rbind, days)
}
