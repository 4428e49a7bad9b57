# Writes scores and predictions as R and caret lay them out: Rscript corpus.R DIRECTORY

directory <- commandArgs(trailingOnly = TRUE)[1]
path <- function(name) file.path(directory, name)
runs <- read.csv(path("runs.csv"))
predictions <- read.csv(path("predictions.csv"))

means <- aggregate(accuracy ~ dataset + classifier, runs, mean)
table <- reshape(means, idvar = "dataset", timevar = "classifier", direction = "wide")
names(table) <- sub("accuracy.", "", names(table), fixed = TRUE)
matrix <- with(means, tapply(accuracy, list(dataset, classifier), mean))

write.csv(table, path("wide-csv.csv"), row.names = FALSE)
write.csv(table, path("wide-numbered.csv"))
write.csv2(table, path("wide-csv2.csv"), row.names = FALSE)
write.table(table, path("wide-table.txt"), row.names = FALSE)
write.table(table, path("wide-tabs.tsv"), row.names = FALSE, sep = "\t", quote = FALSE)
write.csv(matrix, path("matrix-csv.csv"))
write.table(matrix, path("matrix-table.txt"))  # the header has no field for the names of rows
write.table(matrix, path("matrix-tabs.txt"), sep = "\t", quote = FALSE)
write.csv(t(matrix), path("turned-csv.csv"))
capture.output(print(matrix, digits = 7), file = path("matrix-printed.txt"))
capture.output(print(table, row.names = FALSE, digits = 7), file = path("wide-printed.txt"))
write.csv(means, path("long-csv.csv"), row.names = FALSE)
write.csv(means, path("long-numbered.csv"))
write.csv2(means, path("long-csv2.csv"))
write.csv(runs[c("dataset", "classifier", "fold", "accuracy")], path("folds-csv.csv"), row.names = FALSE)

# resamples(list(...))$values, and the names of folds that caret gives
german <- runs[runs$dataset == "german", ]
values <- data.frame(Resample = paste0("Fold", 1:5))
for (name in unique(german$classifier)) {
    values[[paste0(name, "~Accuracy")]] <- german$accuracy[german$classifier == name]
    values[[paste0(name, "~Kappa")]] <- 2 * german$accuracy[german$classifier == name] - 1
}
write.csv(values, path("resamples-csv.csv"), row.names = FALSE)
write.csv(values, path("resamples-numbered.csv"))
values$Resample <- paste0("Fold", 1:5, ".Rep1")
write.csv(values, path("repeated-csv.csv"), row.names = FALSE)

# train(...)$results: the settings of one classifier
write.csv(
    data.frame(mtry = c(2, 7, 13), Accuracy = c(.81, .83, .82), Kappa = c(.5, .55, .52), AccuracySD = .01, KappaSD = .03),
    path("results-csv.csv"), row.names = FALSE
)
one <- aggregate(cbind(Accuracy = accuracy, Kappa = 2 * accuracy - 1) ~ classifier, german, mean)
names(one)[1] <- "model"
write.csv(transform(one, AccuracySD = .01, KappaSD = .02), path("models-csv.csv"), row.names = FALSE)

# train(...)$pred, of one model and of several
saved <- data.frame(
    pred = predictions$NB, obs = predictions$y_true, rowIndex = predictions$id, usekernel = FALSE,
    Resample = paste0("Fold", rep(1:5, length.out = nrow(predictions)))
)
write.csv(saved, path("pred-csv.csv"), row.names = FALSE)
several <- do.call(rbind, lapply(c("LR", "NB", "tree", "kNN"), function(name) data.frame(
    model = name, pred = predictions[[name]], obs = predictions$y_true, rowIndex = predictions$id,
    Resample = saved$Resample
)))
write.csv(several, path("preds-csv.csv"), row.names = FALSE)

# what R prints of tables, tests and models
printed <- function(value, name) capture.output(print(value), file = path(name))
printed(xtabs(accuracy ~ dataset + classifier, means), "rounded-xtabs.txt")
write.csv(xtabs(accuracy ~ dataset + classifier, means), path("matrix-xtabs.csv"))
printed(tapply(runs$accuracy, list(runs$dataset, runs$classifier), mean), "rounded-tapply.txt")
printed(means, "long-aggregate.txt")
model <- lm(accuracy ~ classifier + dataset, means)
printed(summary(model), "tests-lm.txt")
printed(anova(model), "tests-anova.txt")
write.csv(anova(model), path("tests-anova.csv"))
write.csv(summary(model)$coefficients, path("tests-coefficients.csv"))
printed(TukeyHSD(aov(model), "classifier"), "tests-tukey.txt")
write.csv(TukeyHSD(aov(model), "classifier")$classifier, path("tests-tukey.csv"))
printed(friedman.test(matrix), "tests-friedman.txt")
printed(suppressWarnings(pairwise.wilcox.test(means$accuracy, means$classifier, paired = TRUE)), "tests-wilcoxon.txt")
printed(t.test(matrix[, 1], matrix[, 2], paired = TRUE), "tests-t.txt")
printed(summary(table), "looks-summary.txt")
capture.output(str(table), file = path("looks-str.txt"))
dput(table, path("looks-dput.txt"))
