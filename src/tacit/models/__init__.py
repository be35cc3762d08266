"""Models: learning rules, one per file. Each is a set of small compiled functions on one node's arrays.

    mf bias                ratings by biased matrix factorization with SGD; by biases alone
    als                    ratings by alternating least squares, from sums over people
    fm                     ratings by a factorization machine with item features
    ials                   implicit feedback by alternating least squares, from sums over people; ials_rows.py solves
    fcf                    implicit feedback with a server's gradient steps
    bpr gmf                implicit feedback by pairs of items; by a generalized product, with negatives
    prme_g                 the next place to visit; prme_g_learning.py has its learning rule
    mlp                    labelled images; mlp_layers.py has the arithmetic
    none                   no model, for baselines

base.py says what a model is. training.py runs passes over local data, score_all.py scores every item for one node,
adam.py is the optimizer of all that learn by gradients, and shared_kernels.py has what several of them need.
"""
