# Reads:  reports/handoff/figures/
# Writes: reports/handoff/report.html


rule write_handoff_report:
    """One self-contained page: the model, its figures, and sliders to play with."""
    input:
        figures=[
            HANDOFF_REPORTS / "figures" / f"{stem}.svg" for stem in HANDOFF_FIGURES
        ],
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
            stylised=HANDOFF.stylised.model_dump(), code=handoff_code.report_code()
        ),
    shell:
        "python -m scripts.handoff.write_handoff_report --figures {input.figures:q}"
        " --output {output:q} --job {params.job:q} --log {log:q}"
