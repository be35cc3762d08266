#!/bin/bash
# One run per task of a job array, each with its own seed:   sbatch examples/slurm/array.sh --set epochs=10
# A task that is requeued goes on where it was stopped. Afterwards: tacit table runs/*
#SBATCH --array=0-9
#SBATCH --cpus-per-task=4
#SBATCH --mem=4G
#SBATCH --time=01:00:00
#SBATCH --requeue
#SBATCH --signal=TERM@60
set -euo pipefail
out=runs/seed-$SLURM_ARRAY_TASK_ID
again=()
if [ -e "$out/state.npz" ]; then again=(--resume); fi
exec srun tacit run hegedus/gossip-10 --data "${DATA:-movielens-100k}" --seed "$SLURM_ARRAY_TASK_ID" \
  --threads "${SLURM_CPUS_PER_TASK:-1}" --out "$out" "${again[@]}" "$@"
