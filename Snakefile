# What does it cost two language-model agents to work together?
# Table of contents: the configuration, then the stages of each study in the order in which they run.
from snakemake.utils import min_version

min_version("9.27")


configfile: "config/config.yaml"


include: "workflow/rules/engine.smk"
include: "workflow/rules/common.smk"
# The collaboration tax
include: "workflow/rules/collaboration/common.smk"
include: "workflow/rules/collaboration/jobs.smk"
include: "workflow/rules/collaboration/instances.smk"
include: "workflow/rules/collaboration/rollouts.smk"
include: "workflow/rules/collaboration/grades.smk"
include: "workflow/rules/collaboration/samples.smk"
include: "workflow/rules/collaboration/judgements.smk"
include: "workflow/rules/collaboration/statistics.smk"
include: "workflow/rules/collaboration/beyond.smk"
include: "workflow/rules/collaboration/themes.smk"
include: "workflow/rules/collaboration/prediction.smk"
include: "workflow/rules/collaboration/annotation.smk"
include: "workflow/rules/collaboration/calibration.smk"
include: "workflow/rules/collaboration/reports.smk"
include: "workflow/rules/collaboration/manifest.smk"
include: "workflow/rules/collaboration/plan.smk"
# Attention tax, handoff tax
include: "workflow/rules/handoff/common.smk"
include: "workflow/rules/index.smk"


rule all:
    default_target: True
    input:
        collaboration_files(),
        handoff_files(),
        rules.write_index.output,


rule handoff:
    input:
        handoff_files(),


rule calibrate:
    input:
        [DATA / "calibration" / f"{slug(model)}.parquet" for model in STUDY.models],
