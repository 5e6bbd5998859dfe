descend_to_the_left <- function(level) {
  if (level == 0) return(bottom())
  x <- sort(runif(1000))
  1 + descend_to_the_right(level - 1)
}

descend_to_the_right <- function(level) {
  if (level == 0) return(bottom())
  x <- sort(runif(1000))
  1 + descend_to_the_left(level - 1)
}

bottom <- function() {
  leaf <- sort(runif(4e5))
  0
}
