"""What ranx says, one value per query: qrels, run and metrics come as JSON on standard input.

A process of its own, interpreted (NUMBA_DISABLE_JIT=1): ranx compiles for half a minute before it counts to ten.
"""

import json
import sys


def main() -> None:
    from ranx import Qrels, Run, evaluate

    asked = json.load(sys.stdin)
    found = evaluate(Qrels(asked["qrels"]), Run(asked["run"]), asked["metrics"], return_mean=False)
    json.dump({name: list(map(float, values)) for name, values in found.items()}, sys.stdout)


if __name__ == "__main__":
    main()
