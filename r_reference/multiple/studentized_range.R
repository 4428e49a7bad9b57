sf <- function(q, k) list(value = ptukey(q, k, Inf, lower.tail = FALSE))

isf <- function(p, k) list(value = qtukey(p, k, Inf, lower.tail = FALSE))
