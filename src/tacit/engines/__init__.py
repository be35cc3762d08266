"""Engines: where runs are carried out when one process or one machine is not enough.

    engine_names   from the words of the command line (`--engine ray`, `--jobs 4`) to an engine
    orders         a run as a line of JSON for another process, and what comes back
    dispatch       hands out the runs of a batch to free places, in order, each once
    local_jobs     places that are processes of this machine
    worker         such a process: `python -m tacit.engines.worker`
    ray_cluster    places that are tasks of Ray, on this machine or on a cluster

Runs give the same results wherever they are carried out, bit for bit.
"""
