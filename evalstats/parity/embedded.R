# The adapters are evaluated in an environment with R's packages but without the user's workspace. Values are passed
# as flat vectors with their dimensions, so no converter of rpy2 is needed.
list(
  load = function(code) {
    adapter <- new.env(parent = parent.env(globalenv()))
    eval(parse(text = code, keep.source = FALSE), envir = adapter)
    adapter
  },
  version = function(package) {
    if (requireNamespace(package, quietly = TRUE)) as.character(utils::packageVersion(package)) else ""
  },
  call = function(adapter, name, values, rows) {
    arguments <- Map(function(value, n) if (n < 0) value else matrix(value, nrow = n, byrow = TRUE), values, rows)
    names(arguments) <- names(values)
    warned <- character(0)
    outcome <- tryCatch(
      withCallingHandlers(
        list(value = do.call(get(name, envir = adapter, mode = "function", inherits = FALSE), arguments, quote = TRUE)),
        warning = function(w) {
          warned <<- c(warned, conditionMessage(w))
          invokeRestart("muffleWarning")
        },
        message = function(m) invokeRestart("muffleMessage")
      ),
      error = function(e) list(error = conditionMessage(e))
    )
    if (!is.null(outcome$error)) return(list("error", outcome$error))
    value <- outcome$value
    if (!is.list(value)) value <- list(value = value)
    fields <- names(value)
    if (length(value) > 0 && (is.null(fields) || any(fields == "") || anyDuplicated(fields) > 0)) {
      return(list("error", "every value of the list that the adapter returns must have a name of its own"))
    }
    for (field in fields) {
      v <- value[[field]]
      plain <- is.numeric(v) || is.logical(v) || (is.character(v) && !anyNA(v))
      if (!plain || length(dim(v)) > 2) {
        return(list("error", paste(field, "must be numbers, strings or truth values in a vector or matrix")))
      }
    }
    c(list("value", warned, as.character(fields)), lapply(unname(value), function(v) {
      flat <- as.vector(if (is.matrix(v)) t(v) else v)
      if (is.integer(flat) || (is.logical(flat) && anyNA(flat))) flat <- as.double(flat)
      list(if (is.matrix(v)) as.double(dim(v)) else double(0), flat)
    }))
  }
)
