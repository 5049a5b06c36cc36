# What Snakemake itself costs: settings of its process, not of the study. Nothing here decides a row.
import gc

# The graph of jobs is large and stays to the end; looking through it for garbage takes a tenth of a start.
gc.set_threshold(100_000)


onstart:
    # Snakemake's limit on jobs a second lets every round of scheduling call for one more a second later. Over
    # hundreds of short jobs on this machine these rounds take up a core. A cluster keeps the limit.
    if workflow.local_exec:
        workflow.scheduler.job_rate_limiter = None
