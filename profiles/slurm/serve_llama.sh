#!/bin/sh
# A model server for `make paper-slurm SERVER=...` (docs/slurm.md): llama.cpp without a GPU. Copy it, and fill
# in the model file, what your cluster asks for, and how llama-server is found there.
#SBATCH --cpus-per-task=16
#SBATCH --mem=32G
#SBATCH --time=12:00:00
exec python -m scripts.serve_on_node \
    llama-server --model models/model.gguf --alias my-model --host 0.0.0.0 --port {port} \
    --parallel 8 --ctx-size 65536 --threads 16 --jinja
