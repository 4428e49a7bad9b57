# distances by dist(), the tree by ape's mst() and vegan's spantree(), scaling by cmdscale(), components by prcomp()

project_vectors <- function(vectors, ideal, distance = "euclidean", method = "mcst") {
  if (!is.matrix(vectors)) vectors <- matrix(vectors, nrow = 1)
  k <- nrow(vectors)
  all_vectors <- rbind(vectors, ideal)
  words <- c(euclidean = "euclidean", l2 = "euclidean", cityblock = "manhattan", l1 = "manhattan",
             manhattan = "manhattan", chebyshev = "maximum", sqeuclidean = "euclidean", canberra = "canberra")
  d <- as.matrix(dist(all_vectors, method = words[[distance]]))
  # R's Canberra leaves out terms 0/0 and scales the rest up
  if (distance == "canberra") d <- as.matrix(dist_canberra(all_vectors))
  if (distance == "sqeuclidean") d <- d^2
  dimnames(d) <- NULL
  answer <- list(
    distance_to_ideal = d[seq_len(k), k + 1],
    distances = d[seq_len(k), seq_len(k), drop = FALSE],
    ranks = rank(signif(d[seq_len(k), k + 1], 12))
  )
  lengths <- d[ape::mst(d) == 1]
  answer$tree_length <- sum(lengths) / 2
  stopifnot(abs(answer$tree_length - sum(vegan::spantree(as.dist(d))$dist)) <= 1e-9 * max(d))
  if (method == "mcst" || max(d) == 0) return(answer)
  scaled <- cmdscale(d, k = min(2, k), eig = TRUE)
  lengths <- if (method == "mds") scaled$eig else prcomp(all_vectors)$sdev^2
  # of axes that are equally long any may be drawn, and each has a stress of its own
  if (length(lengths) > 2 && lengths[2] > 1e-9 * lengths[1] && lengths[2] - lengths[3] <= 1e-9 * lengths[1]) return(answer)
  points <- if (method == "mds") scaled$points else prcomp(all_vectors)$x
  if (ncol(points) > 2) points <- points[, 1:2]
  answer$stress <- sqrt(sum((as.dist(d) - dist(points))^2) / sum(as.dist(d)^2))
  answer
}

dist_canberra <- function(rows) {
  one <- function(i, j) {
    terms <- abs(rows[i, ] - rows[j, ]) / (abs(rows[i, ]) + abs(rows[j, ]))
    sum(terms[!is.nan(terms)])
  }
  outer(seq_len(nrow(rows)), seq_len(nrow(rows)), Vectorize(one))
}
