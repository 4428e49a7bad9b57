sf <- function(q, k, df = Inf) list(value = ptukey(q, k, df, lower.tail = FALSE))

isf <- function(p, k, df = Inf) list(value = qtukey(p, k, df, lower.tail = FALSE))
