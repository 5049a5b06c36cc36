# Reads:  the configuration and the ledger of replies; the rule prints.


rule plan_handoff:
    """Say what a run of the second study would ask of each model, and what that may cost."""
    log:
        HANDOFF_DATA / "logs" / "plan_handoff.log",
    localrule: True
    conda:
        ENVIRONMENT
    params:
        job=plan_handoff_job(),
    shell:
        "python -m scripts.handoff.plan_handoff --job {params.job:q} --log {log:q}"
        f" {CALL_OPTIONS}"
