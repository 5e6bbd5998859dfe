{
  # Evaluated at top level when lines.R asks for it.
  shifted <- replicate(
    40,
    mean(sample(r, 1e4, replace = TRUE))
  )
  spread <- sort(runif(1e6))
  for (i in 1:10) spread <- sqrt(spread) + sin(spread)
  c(mean(shifted), sd(spread))
}
