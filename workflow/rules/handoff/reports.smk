# Reads:  reports/handoff/figures/, statistics/
# Writes: reports/handoff/report.html, manifest.csv


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


rule write_handoff_manifest:
    """What every table holds, as hashes that are the same wherever the study is run."""
    input:
        handoff_data(),
        handoff_tables(),
    output:
        HANDOFF_DATA / "manifest.csv",
    log:
        HANDOFF_DATA / "logs" / "write_handoff_manifest.log",
    conda:
        ENVIRONMENT
    params:
        job=as_job(
            names=named_tables(),
            code=handoff_code.stage_code("write_handoff_manifest"),
        ),
        data=HANDOFF_DATA,
        reports=HANDOFF_REPORTS,
    shell:
        "python -m scripts.handoff.write_handoff_manifest --data {params.data:q}"
        " --reports {params.reports:q} --output {output:q} --job {params.job:q} --log {log:q}"
