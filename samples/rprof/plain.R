# Bootstrap of a straight line's slope: functions only, R's plainest profile.

draw <- function(n) {
  x <- rnorm(n)
  data.frame(x = x, y = 2 * x + rnorm(n))
}

slope <- function(d) coef(lm(y ~ x, data = d))[["x"]]

resample <- function(d) d[sample.int(nrow(d), replace = TRUE), ]

bootstrap <- function(d, times) {
  vapply(seq_len(times), function(i) slope(resample(d)), numeric(1))
}

set.seed(1)
Rprof("plain.out", interval = 0.005)
slopes <- bootstrap(draw(400), 1200)
limits <- quantile(slopes, c(0.025, 0.975))
Rprof(NULL)
