#!/bin/sh
# A model server for `make paper-slurm SERVER=...` (docs/slurm.md): vLLM on one GPU. Copy it, and fill in the
# model, what your cluster asks for, and how vLLM is found there (module load, or the path of its program).
#SBATCH --gres=gpu:1
#SBATCH --cpus-per-task=8
#SBATCH --mem=64G
#SBATCH --time=12:00:00
exec python -m scripts.serve_on_node \
    vllm serve Qwen/Qwen3-8B --host 0.0.0.0 --port {port} --max-model-len 32768
