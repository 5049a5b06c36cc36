#!/bin/sh
# Snakemake runs this in the new conda environment. PYTHONPATH is the folder of the pipeline (workflow/rules/common.smk).
python -m pip install --require-hashes -r "$PYTHONPATH/envs/pipeline.txt"
