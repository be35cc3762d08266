"""How a simulation starts: random or from the data, the same for every protocol."""

from __future__ import annotations

from tacit.core.compiling import specialize
from tacit.core.state import Floats
from tacit.hosts.sim import initialize_loop
from tacit.hosts.sim.fleet import Slots, local
from tacit.hosts.sim.members import Members
from tacit.hosts.sim.simulation import Setting
from tacit.protocols import kernels as protocol_kernels


def initialize(
    setting: Setting, slots: Slots, private: Floats, members: Members, *, secure: bool = False
) -> None:
    """Fill the agents' models (slot a is agent a's) and the users' private parts.

    With `init=data` biases start from the users' own ratings. An agent that holds several users starts at the mean over
    those who rated an item; `secure`: it sees sums only, never what one user told.
    """
    kernels, hyper, run = setting.model.kernels, setting.model.hyper(), setting.workers.run
    chosen = {"init_rows": kernels.init_rows, "init_private": kernels.init_private}
    if kernels.init_data is not None:
        starts = specialize(protocol_kernels, init_data=kernels.init_data)
        chosen["tell_starts"] = starts.tell_starts
    loop = specialize(initialize_loop, **chosen)
    run(loop.fill_rows, members.agents, setting.seed, slots, hyper)
    run(loop.fill_private, len(private), setting.seed, private, hyper)
    if setting.init_data:
        data = local(setting.train)
        run(loop.from_data, members.agents, setting.seed, slots, private, members, data, secure, hyper)
