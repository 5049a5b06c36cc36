"""How figure, tables and report name the parts of the prediction."""

VARIANTS = {"full": "all columns", "shape": "shape alone", "dummies": "dummies alone"}
SCHEMES = {
    "group_kfold": "folds by task",
    "leave_one_task_out": "one task out",
    "leave_one_model_out": "one model out",
}
CHOICES = {"fixed": "fixed penalty", "nested": "nested penalty"}
TARGETS = {"collab": "score in collab", "tax": "tax"}
