"""Command-line options that several commands share."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

Data = Annotated[
    str, typer.Option("--data", help="a known name (tacit data list) or a .csv, .tsv or .parquet file")
]
Columns = Annotated[
    list[str],
    typer.Option(
        "--columns",
        metavar="OURS=THEIRS,...",
        help="what columns are called: user=userId,item=movieId; repeatable",
    ),
]
Set = Annotated[
    list[str],
    typer.Option("--set", metavar="KEY=VALUE", help="change a setting (tacit show RECIPE lists them)"),
]
Seed = Annotated[int, typer.Option("--seed", help="seed of everything random: same seed, same result")]


def _named_folder(text: str) -> Path | None:
    from tacit.experiment.out_folder import out_path

    return out_path(text)


Out = Annotated[
    Path | None,
    typer.Option("--out", metavar="DIR", parser=_named_folder, help="write results, report and models there"),
]
Overwrite = Annotated[bool, typer.Option("--overwrite", help="replace the run or the study that --out holds")]
Seeds = Annotated[
    str,
    typer.Option(
        "--seeds", metavar="N", help="number of seeds, from 0 to N - 1, or the seeds themselves: 3,7,11"
    ),
]
_LIBRARIES = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "POLARS_MAX_THREADS")
"""Where libraries that compute on their own look for a number of threads, when they are loaded."""


def _limit_libraries(threads: int | None) -> int | None:
    """Options are read before anything heavy is imported, so libraries still see the limit."""
    if threads is not None:
        os.environ.update(dict.fromkeys(_LIBRARIES, str(threads)))
    return threads


Threads = Annotated[
    int | None,
    typer.Option(
        "--threads",
        metavar="N",
        min=1,
        callback=_limit_libraries,
        help="number of cores to use (default: all); figures do not depend on it",
    ),
]


Jobs = Annotated[
    int | None,
    typer.Option("--jobs", metavar="N", min=1, help="number of runs at a time, each in its own process"),
]
EngineName = Annotated[
    str,
    typer.Option(
        "--engine",
        metavar="NAME",
        help="where runs are carried out: local, ray (all cores of this machine) or ray:ADDRESS (a cluster)",
    ),
]


OneRunEngine = Annotated[
    str,
    typer.Option(
        "--engine",
        metavar="NAME",
        help="what carries out the run: local (this process), or mpi (all processes that mpirun started)",
    ),
]


def _one_job(jobs: int | None) -> int | None:
    """One run is one process; `--jobs` is there so that scripts can give every command the same words."""
    if jobs not in (None, 1):
        from tacit.core.errors import BadInput

        allowed = "1 for one run; many runs at a time: tacit sweep, compare, reproduce"
        raise BadInput("--jobs", got=jobs, allowed=f"{allowed}; one run on several processes: --engine mpi")
    return jobs


OneJob = Annotated[
    int | None,
    typer.Option("--jobs", metavar="N", hidden=True, callback=_one_job, help="1: one run is one process"),
]


def parse_seeds(text: str) -> int | list[int]:
    """`--seeds 5` is a number of seeds, `--seeds 3,7,11` names them."""
    from tacit.core.errors import BadInput

    try:
        found = [int(part) for part in text.split(",")]
    except ValueError:
        allowed = "a whole number from 1, or several seeds such as 3,7,11"
        raise BadInput("--seeds", got=text, allowed=allowed) from None
    return found if "," in text else found[0]
