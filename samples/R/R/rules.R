# What this session knows of a profile: the packages of functions, and frames that only carry others.

# One rule for each package: its functions in the profile are of that group.
prof_rules <- function(x) {
  if (inherits(x, "profpipe_profile")) {
    name <- unique(x$functions$name)
    package <- packages_by_callers(x, name, packages_of(name))
  } else {
    name <- unique(x)
    package <- packages_of(name)
  }
  known <- split(name[!is.na(package)], package[!is.na(package)])
  data.frame(pattern = sprintf("name:%s", vapply(known, one_of, "")), group = as.character(names(known)),
             row.names = NULL)
}

# A function's package: what a user would get by its name, or else what a loaded package exports, or
# has for itself. A function of one name may be another's, such as a local one: a profile has names
# and no more.
packages_of <- function(name) {
  package <- ifelse(grepl("^[[:alnum:].]+:::?.", name), sub(":.*", "", name), NA)
  package[name == "<GC>"] <- "GC"
  attached <- grep("^package:", search(), value = TRUE)
  places <- c(list(.GlobalEnv = globalenv()),
              lapply(stats::setNames(attached, sub("package:", "", attached)), as.environment))
  for (place in names(places)) package <- found_in(package, name, place, function(name)
    is_function(name, places[[place]]))
  for (loaded in loadedNamespaces()) package <- found_in(package, name, loaded, function(name)
    name %in% getNamespaceExports(loaded) & is_function(name, asNamespace(loaded)))
  for (loaded in loadedNamespaces()) package <- found_in(package, name, loaded, function(name)
    is_function(name, asNamespace(loaded)))
  package
}

# Packages, with `place` for those names that had none and are there.
found_in <- function(package, name, place, is_there) {
  search <- which(is.na(package))
  package[search[is_there(name[search])]] <- place
  package
}

is_function <- function(name, environment)
  vapply(name, exists, NA, envir = environment, inherits = FALSE, mode = "function")

# Code of a package means by a name what its namespace has or imports, whatever is attached: the
# package that most calls from packages mean. Functions of the session itself stay its own.
packages_by_callers <- function(x, name, package) {
  location <- match(x$nodes$location_id, x$locations$location_id)
  called <- match(x$locations$function_id[location], x$functions$function_id)
  callee <- x$functions$name[called]
  from <- package[match(callee, name)][match(x$nodes$parent_id, x$nodes$node_id)]
  open <- name[!package %in% c(".GlobalEnv", "GC") & !grepl("::", name, fixed = TRUE)]
  sees_its_own <- setdiff(loadedNamespaces(), "base") # base sees what the user attached
  is_call <- callee %in% open & from %in% sees_its_own
  calls <- unique(data.frame(callee, from)[is_call, ])
  calls$count <- as.vector(table(paste(callee, from))[paste(calls$callee, calls$from)])
  calls$meant <- as.character(mapply(meant_package, calls$callee, calls$from))
  calls <- calls[!is.na(calls$meant), ]
  for (one in unique(calls$callee)) {
    votes <- with(calls[calls$callee == one, ], tapply(count, meant, sum))
    package[match(one, name)] <- names(which.max(votes))
  }
  package
}

# Whose function a call by `name` from a package finds, or NA.
meant_package <- function(name, from) {
  found <- get0(name, asNamespace(from), mode = "function")
  if (is.null(found)) NA
  else if (is.primitive(found)) "base"
  else sub("^R_GlobalEnv$", ".GlobalEnv", environmentName(topenv(environment(found))))
}

# Functions that only call what a user wrote.
scaffolding <- c(
  "tryCatch", "tryCatchList", "tryCatchOne", "doTryCatch", "try", "withCallingHandlers",
  "suppressWarnings", "suppressMessages", "withVisible", "eval", "evalq", "eval.parent", "local",
  "do.call", "source", "sys.source",
  "withRestarts", "withRestartList", "withOneRestart", "doWithOneRestart", "with_handlers",
  # knitr, rmarkdown and evaluate
  "knit", "knit2html", "process_file", "process_group", "process_group.block", "call_block",
  "block_exec", "eng_r", "in_input_dir", "in_dir", "evaluate", "evaluate::evaluate", "evaluate_call",
  "evaluate_top_level_expression", "handle", "timing_fn", "render", "rmarkdown::render", "knitr::knit",
  # Shiny and promises
  "..stacktraceon..", "..stacktraceoff..", "..stacktracefloor..", "runApp", "shiny::runApp", "service",
  "serviceApp", "withReactiveDomain", "with_promise_domain", "domain$wrapSync", "promise_domain$wrapSync",
  "captureStackTraces", "withLogErrors", "isolate", "contextFunc", "env$runWith", "ctx$run", "run",
  "self$.updateValue", "flushReact", "ctx$executeFlushCallbacks", "wrapped", "hybrid_chain", "force")

# Takes frames away that only carry others, and those that Shiny hides from users: from each
# ..stacktraceoff.. to the next ..stacktraceon.. inside of it.
prof_tidy <- function(x, hide = NULL) {
  need_profile(x)
  if (is.null(hide)) hide <- scaffolding
  location <- match(x$nodes$location_id, x$locations$location_id)
  name <- x$functions$name[match(x$locations$function_id[location], x$functions$function_id)]
  parent <- match(x$nodes$parent_id, x$nodes$node_id)
  switched <- ifelse(name %in% c("..stacktraceoff..", "..stacktraceon.."), name, NA)
  off <- inner_label(parent, list(switched)) %in% "..stacktraceoff.."
  bare <- sub("^[[:alnum:].]+:::?", "", name) # R writes pkg::f if the code does
  shown <- ifelse(off | name %in% hide | bare %in% hide, NA, x$nodes$node_id)
  outer <- inner_label(parent, list(shown))
  tables <- object_tables(x)
  tables$samples$node_id <- outer[match(tables$samples$node_id, tables$nodes$node_id)]
  tables$nodes$parent_id <- outer[parent]
  new_object(without_unused(tables))
}
