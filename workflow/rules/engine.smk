# What Snakemake itself costs: settings of its process, not of the study. Nothing here decides a row.
import gc
import sys

from snakemake.persistence import PersistenceBase

# The graph of jobs is large and stays to the end; looking through it for garbage takes a tenth of a start.
gc.set_threshold(100_000)


def serialized(persistence, value):
    """A parameter as Snakemake records it, without importing pandas (an eighth of a start) to see what it is."""
    is_known = "pandas" in sys.modules  # or the value cannot be one of its tables
    return (
        persistence._serialize_param_pandas(value)
        if is_known
        else persistence._serialize_param_builtin(value)
    )


PersistenceBase._serialize_param = serialized


onstart:
    # Snakemake's limit on jobs a second lets every round of scheduling call for one more a second later. Over
    # hundreds of short jobs on this machine these rounds take up a core. A cluster keeps the limit.
    if workflow.local_exec:
        workflow.scheduler.job_rate_limiter = None
