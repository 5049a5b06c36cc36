# Reads:  reports/handoff/figures/, statistics/
# Writes: reports/handoff/report.html


rule write_handoff_report:
    """One self-contained page: the model, its figures, sliders to play with, the pilot and the ledger experiment."""
    input:
        figures=[
            HANDOFF_REPORTS / "figures" / f"{stem}.svg" for stem in HANDOFF_FIGURES
        ],
        pilot=list(PILOT_STATISTICS.values()) if PILOT else [],
        ledger=list(statistics_of(*LEDGER_TABLES).values()) if LEDGER else [],
    output:
        report(
            HANDOFF_REPORTS / "report.html",
            caption="../../report/handoff/report.rst",
            category="Attention tax, handoff tax",
        ),
    log:
        HANDOFF_DATA / "logs" / "write_handoff_report.log",
    conda:
        ENVIRONMENT
    params:
        job=as_job(
            stylised=HANDOFF.stylised.model_dump(),
            published=HANDOFF_PUBLISHED,
            level=HANDOFF.statistics.level,
            code=handoff_code.report_code(),
        ),
    shell:
        "python -m scripts.handoff.write_handoff_report --figures {input.figures:q}"
        " --pilot {input.pilot:q} --ledger {input.ledger:q}"
        " --output {output:q} --job {params.job:q} --log {log:q}"
