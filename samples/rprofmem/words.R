# Allocations of every kind: large and small vectors, lists, new pages, at top
# level and in functions with odd names.

count_words <- function(text) table(strsplit(text, " ")[[1]])
`two
lines` <- function(n) numeric(n)
`q"uote` <- function(n) `two
lines`(n)

set.seed(6)
Rprofmem("words.out", threshold = 0)
words <- paste0("w", sample(200, 2000, replace = TRUE))
counts <- count_words(paste(words, collapse = " "))
parts <- lapply(1:50, function(i) c(words[i], i))
x <- `q"uote`(300)
x[5] <- 1L
big <- numeric(1e6)
sorted <- sort(runif(1e4))
Rprofmem(NULL)
