"""Mult-VAE, a variational autoencoder (Liang et al. 2018), with torch, which is an extra.

A user's items, scaled to length 1 and thinned by dropout, are encoded into a normal distribution. A sample of it is
decoded into one score per item. Loss: -sum over own items of log softmax(score) + beta KL; beta grows to its full value
over the first half of the steps. Ranking uses the mean instead of a sample.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib.util import find_spec
from typing import Annotated, Any

import numpy as np
from msgspec import Meta

from tacit.core.compiled.threads import Workers
from tacit.core.errors import BadInput, install
from tacit.core.interactions import Interactions, Ints
from tacit.core.rng import Stream, permutation
from tacit.core.scorer import Scorer, Scores
from tacit.core.settings import Count, NonNegative, Positive, setting

_STREAM = Stream.BASELINE


class VaeScorer(Scorer):
    """The decoder's scores."""

    def __init__(self, train: Interactions, encode: Any, decode: Any) -> None:
        super().__init__(train.users, train.items)
        self._train, self._encode, self._decode = train, encode, decode

    def block(self, low: int, high: int, out: Scores) -> None:
        """Fill `out` for the users low .. high."""
        import torch

        with torch.no_grad():
            items, start, weights, _ = _rows(self._train, np.arange(low, high))
            mean, _ = self._encode(items, start, weights).chunk(2, dim=1)
            out[:] = self._decode(mean).numpy()


@dataclass(frozen=True, slots=True)
class Vae:
    """The parameters."""

    hidden: Count = setting(
        600, "width of the layers between items and latent part (FPL, section 4.3: 200, 300 or 600)"
    )
    latent: Count = setting(200, "width of the latent part (FPL, section 4.3: 100 or 200)")
    epochs: Count = setting(100, "passes over all users (one of those of FPL, section 4.3)")
    batch: Count = setting(500, "users per step")
    lr: Positive = setting(0.001, "learning rate (Adam)")
    beta: NonNegative = setting(0.2, "weight of the KL part at its full value")
    dropout: Annotated[float, Meta(ge=0, le=0.99)] = setting(
        0.5, "share of a user's items left out at the input"
    )

    def __post_init__(self) -> None:
        if find_spec("torch") is None:
            raise BadInput("baseline", got="vae without torch", allowed=f"after {install('neural')}")

    def fit(self, train: Interactions, seed: int, workers: Workers) -> Scorer:
        """Train on everybody's rows."""
        import torch
        from torch import nn

        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            # The first layer adds up the rows of a user's items: with a few items among thousands, as good as free.
            first, behind = (
                nn.EmbeddingBag(train.items, self.hidden, mode="sum"),
                nn.Linear(self.hidden, 2 * self.latent),
            )
            bias = nn.Parameter(torch.zeros(self.hidden))
            nn.init.uniform_(first.weight, -(train.items**-0.5), train.items**-0.5)  # as nn.Linear's

            def encode(items: Any, start: Any, weights: Any) -> Any:
                return behind(torch.tanh(first(items, start, per_sample_weights=weights) + bias))

            decode = nn.Sequential(
                nn.Linear(self.latent, self.hidden), nn.Tanh(), nn.Linear(self.hidden, train.items)
            )
            parameters = [*first.parameters(), bias, *behind.parameters(), *decode.parameters()]
            optimizer = torch.optim.Adam(parameters, lr=self.lr)
            steps = self.epochs * -(-train.users // self.batch)
            step = 0
            for epoch in range(self.epochs):
                order = permutation(seed, _STREAM, 0, epoch, train.users)
                for at in range(0, train.users, self.batch):
                    users = order[at : at + self.batch]
                    items, start, weights, row = _rows(train, users)
                    mean, spread = encode(items, start, nn.functional.dropout(weights, self.dropout)).chunk(
                        2, dim=1
                    )
                    sample = mean + torch.randn_like(mean) * torch.exp(spread / 2)
                    reconstruction = -torch.log_softmax(decode(sample), dim=1)[row, items].sum() / len(users)
                    divergence = 0.5 * (spread.exp() + mean**2 - 1 - spread).sum(dim=1).mean()
                    loss = reconstruction + min(self.beta, 2 * self.beta * step / steps) * divergence
                    optimizer.zero_grad()
                    loss.backward()
                    optimizer.step()
                    step += 1
        return VaeScorer(train, encode, decode)


def _rows(train: Interactions, users: Ints) -> tuple[Any, Any, Any, Any]:
    """All users' items in one array, where each user begins, weights (rows of length 1), and each entry's user."""
    import torch

    own = [train.of(int(u))[0].astype(np.int64) for u in users]
    counts = np.array([len(one) for one in own])
    row = np.repeat(np.arange(len(users)), counts)
    weights = np.float32(1) / np.sqrt(counts[row]).astype(np.float32)
    arrays = np.concatenate(own), np.cumsum(counts) - counts, weights, row
    items, start, scaled, owner = (torch.from_numpy(array) for array in arrays)
    return items, start, scaled, owner


baseline = Vae
