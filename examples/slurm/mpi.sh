#!/bin/bash
# One large run on several machines:   sbatch examples/slurm/mpi.sh --set rounds=100
# Every rank reads the data, and --resume the folder of the run: both must be on a file system that all machines share.
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=1
#SBATCH --cpus-per-task=16
#SBATCH --mem=32G
#SBATCH --time=04:00:00
#SBATCH --signal=TERM@120
set -euo pipefail
out=runs/large
again=()
if [ -e "$out/state.npz" ]; then again=(--resume); fi
exec srun --mpi=pmix --kill-on-bad-exit=1 tacit run hegedus/gossip-merge --data "${DATA:-movielens-10m}" \
  --threads "${SLURM_CPUS_PER_TASK:-1}" --out "$out" "${again[@]}" --engine mpi "$@"
