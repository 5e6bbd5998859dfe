make_word <- function() {
  paste(sample(letters, 4), collapse = "")
}

make_text <- function(n) {
  vapply(seq_len(n), function(i) make_word(), "")
}

count_words <- function(text) {
  seen <- list()
  for (word in substr(text, 1, 2)) {
    seen[[word]] <- c(seen[[word]], word)
  }
  lengths(seen)
}

pair_words <- function(text) {
  Map(
    function(a, b) list(first = a, second = b),
    head(text, -1),
    tail(text, -1)
  )
}
