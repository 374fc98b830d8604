"""Squared l2 for pynndescent, which counts how often it is called: in memory of its own, since numba freezes globals."""
import numba
import numpy as np
from numba.core import cgutils, types
from numba.extending import intrinsic

COUNTER = np.zeros(1, np.int64)
ADDRESS = COUNTER.ctypes.data


def calls():
    return int(COUNTER[0])


@intrinsic
def pointer_to(_, address):
    def generate(context, builder, signature, arguments):
        return builder.inttoptr(arguments[0], cgutils.voidptr_t)

    return types.voidptr(address), generate


@numba.njit(fastmath=True)
def squared_l2(x, y):
    counter = numba.carray(pointer_to(ADDRESS), 1, dtype=np.int64)
    counter[0] += 1
    total = np.float32(0)
    for i in range(x.shape[0]):
        apart = x[i] - y[i]
        total += apart * apart
    return total
