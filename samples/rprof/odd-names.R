# Names that R writes as they are, with no escape for anything. Every function
# here works for a moment, so that each name is sampled a few times.

burn <- function(seconds = 0.03) {
  end <- proc.time()[["user.self"]] + seconds
  while (proc.time()[["user.self"]] < end) sqrt(seq_len(20000))
}

# Runs under a name that need not be a name in R's grammar.
run_as <- function(name) {
  call <- as.call(list(as.name(name)))
  eval(call, setNames(list(function() burn()), name), baseenv())
}

bytes <- function(...) rawToChar(as.raw(c(...)))

Rprof("odd-names.out", interval = 0.005)

run_as("fit the model")
run_as(" leading and trailing ")
run_as("a;b;c")
run_as("q\"uote")
run_as("\"all quoted\"")
run_as("ends in a quote\"")
run_as("back\\slash \\\" \\n \\u0041")
run_as("a\ttab")
run_as("two\nlines")
run_as("\nbegins with one")
run_as("a blank\n\nline between")
run_as("carriage\rreturn")
run_as("bell\a escape\033[1m delete\177")
run_as("1#2")
run_as("#File 1: no.R")
run_as(":1:2:3:4:")
run_as("sample.interval=5")
run_as("<GC>")
run_as("<toplevel>")
run_as("<?>")
run_as("operator<<(int) const")
run_as("{\"json\":[1,\"two\",null]}")
run_as("gr\u00f6\u00dfe")
run_as("\u5e73\u5747")
run_as("\U0001f642 smile")
run_as("e\u0301 decomposed")
run_as("zero\u200bwidth")

# Latin-1 and plainly broken bytes inside a UTF-8 session.
run_as(bytes(0x67, 0x72, 0xf6, 0xdf, 0x65))
run_as(bytes(0x62, 0x61, 0x64, 0x20, 0xc3, 0x28, 0xff, 0xfe))
run_as(bytes(0xed, 0xa0, 0x80))

# R cuts a name at 498 bytes: here in the middle of a character.
run_as(strrep("long ", 120))
run_as(paste0("x", strrep("\u00e9", 300)))

# Functions that are called by an expression.
fl <- list(foo = function() burn(), "odd one" = function() burn())
fl[["foo"]]()
fl[["odd one"]]()
fl[[2]]()
fl$foo()
fl$"odd one"()
key <- "foo"
fl[[key]]()
fl[[c("foo")]]()
utils::head(burn(), 1)
(function() burn())()
sapply(1, function(i) burn())
setClass("Box", slots = c(open = "function"))
box <- new("Box", open = function() burn())
box@open()
`burn<-` <- function(x, value) { burn(); value }
burn(key) <- "foo"
`%burn%` <- function(a, b) burn()
1 %burn% 2

Rprof(NULL)
