# One-way random effects by stats::aov: the mean squares between and within questions.

question_variance <- function(x) {
  m <- ncol(x)
  question <- factor(rep(seq_len(nrow(x)), m))
  squares <- summary(stats::aov(as.vector(x) ~ question))[[1]][["Mean Sq"]]
  between <- max((squares[1] - squares[2]) / m, 0)
  list(mean = mean(x), variance_between = between, variance_within = squares[2],
       intraclass_correlation = between / (between + squares[2]), n_questions = nrow(x))
}
