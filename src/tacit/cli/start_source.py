"""A start for nodes, from whatever a person names: a start file, a data set, a csv, or a finished run.

start_from("movielens-100k")        learned on this computer
start_from("friends.rows")          read and checked
start_of_run(Path("runs/ials"))     rows that a run ended with
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl

from tacit import __version__
from tacit.core.interactions import Interactions
from tacit.data.dataset import Dataset, is_path, load
from tacit.data.files import KINDS as TABLES
from tacit.data.sources.known_datasets import SOURCES
from tacit.experiment.run_rows import run_rows
from tacit.node.catalogue.item_keys import clean_title
from tacit.node.start import rows_file
from tacit.node.start.catalogue import Catalogue, catalogue_of, merged
from tacit.node.start.hues import hues_of
from tacit.node.start.learn import choose, judges_of_split, learn, public_rows, weights_of
from tacit.node.start.rows_file import Start
from tacit.node.start.rule import PublicRows

Progress = Callable[[int, int | None], None]
IDS = "csv"
"""The kind of items that keep their ids."""
_FILMS, _BOOKS = ("movielens", "netflix"), ("librarything",)


def start_from(source: str, *, kind: str = "", seed: int = 0, progress: Progress | None = None) -> Start:
    """A start file that is read and checked, or rows learned on this computer from a data set or a csv."""
    path = Path(source).expanduser()
    other = path.suffix.lower() not in TABLES and (path.is_file() or path.suffix == ".rows")
    if other or rows_file.is_start_file(path):
        return rows_file.read(path)
    data = load(source, progress=progress)
    catalogue = catalogue_by_kind(data.items, kind or kind_of_data(source))
    table = merged(data.table, catalogue)
    weights = weights_of(table.value)
    liked = Interactions(table.start, table.item, weights, None, table.order, table.items)
    public = learn(liked, seed=seed)
    likes, people = int(public.counts.sum()), int((liked.take(weights >= 1).counts > 0).sum())
    made = f"learned from {likes:,} likes of {people:,} people, by tacit {__version__}"
    return _start(public, catalogue, data, source, made)


def start_of_run(folder: Path, *, kind: str = "", progress: Progress | None = None) -> Start:
    """The rows of a finished run, with numbers chosen on what it held out."""
    found = run_rows(folder, progress)
    x = found.experiment
    train, data, source = x.split.train, x.dataset, x.source or x.dataset.name
    counts = np.bincount(train.item, minlength=train.items)
    public = public_rows(found.rows, found.people, counts, (found.w0, found.reg))
    judges = judges_of_split(train, x.split.test, x.seed)
    if judges:
        tau_h, calibration = choose(public, judges, x.seed)
        public = replace(public, tau=tau_h[0], h=tau_h[1], calibration=calibration)
    catalogue = catalogue_by_kind(data.items, kind or kind_of_data(source))
    made = (
        f"{x.recipe} with seed {x.seed} and {found.rows.shape[1]} factors, from {len(train):,} interactions of "
        f"{train.users:,} people, by tacit {__version__}"
    )
    return _start(_one_per_key(public, catalogue), catalogue, data, source, made)


def catalogue_by_kind(items: pl.DataFrame, kind: str) -> Catalogue:
    """Keys of a data set's items; with IDS their ids alone."""
    ids, years = items["item"].to_list(), items["year"].to_list()
    if kind == IDS:
        return catalogue_of(ids, [None] * len(ids), years)
    return catalogue_of(ids, items["title"].to_list(), years, kind)


def kind_of_data(source: str) -> str:
    """What a data set's items are: films and books by title, other known ones by id, films in somebody's own file."""
    if source.startswith(_FILMS) or is_path(source):
        return "film"
    return "book" if source.startswith(_BOOKS) else IDS


def _start(public: PublicRows, catalogue: Catalogue, data: Dataset, source: str, made: str) -> Start:
    found = SOURCES.get(source)
    return Start(
        public=public,
        keys=catalogue.keys,
        titles=catalogue.titles,
        years=catalogue.years,
        hues=hues_of(public.rows, public.counts),
        source=data.name,
        licence="not stated" if found is None else found.licence,
        made=made,
        genres=_genres(data.items, catalogue),
    )


def _genres(items: pl.DataFrame, catalogue: Catalogue) -> list[str]:
    """Genres by places in the catalogue, of the first item of a key that has some; nothing where none has."""
    found = [""] * len(catalogue.keys)
    for place, genres in zip(catalogue.places.tolist(), items["genres"].to_list(), strict=True):
        if place >= 0 and genres and not found[place]:
            found[place] = clean_title(genres.lower())
    return found if any(found) else []


def _one_per_key(public: PublicRows, catalogue: Catalogue) -> PublicRows:
    """By places in the catalogue: of two items of one key the one that more people have."""
    order = np.argsort(public.counts, kind="stable")
    order = order[catalogue.places[order] >= 0]
    chosen = np.zeros(len(catalogue.keys), np.int64)
    chosen[catalogue.places[order]] = order  # the last, with the highest count, stays
    return replace(public, rows=public.rows[chosen], counts=public.counts[chosen])
