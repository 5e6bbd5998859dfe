fit_day <- function(d) {
  wave <- cbind(1, sin(d$hours / 24 * 2 * pi))
  .lm.fit(wave, d$load)$coefficients[2]
}

fit_days <- function(d) {
  parts <- split(d, d$day)
  vapply(
    parts,
    fit_day,
    numeric(1)
  )
}
