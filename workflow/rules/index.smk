# Reads:  nothing; the pages it leads to are made with it.
# Writes: reports/index.html
PAGES = [
    {
        "title": "The collaboration tax",
        "lead": "What does it cost two language-model agents to work together?",
        "href": "collaboration/report.html",
    }
]
if HANDOFF:
    PAGES += [
        {
            "title": "Attention tax, handoff tax",
            "lead": "When does a chain of agents beat one long context?",
            "href": "handoff/report.html",
        }
    ]


rule write_index:
    """One page that leads to the report of each study."""
    output:
        Path(CONFIG.reports_dir) / "index.html",
    log:
        Path(CONFIG.data_dir) / "logs" / "write_index.log",
    localrule: True
    conda:
        ENVIRONMENT
    params:
        job=as_job(pages=PAGES, code=code.codehash.code_hash(["scripts.write_index"])),
    shell:
        "python -m scripts.write_index --output {output:q} --job {params.job:q} --log {log:q}"
