// Orthonormal columns that span what the columns of a matrix span, by Householder reflections.
#pragma once

// Threads of a host may have small stacks.
#define EIGEN_STACK_ALLOCATION_LIMIT 0
#define EIGEN_DONT_PARALLELIZE
#include <Eigen/Core>

#include "util/watch.hpp"

namespace bmo {

using WideMatrix = Eigen::MatrixXd;

// Of a matrix with at least as many rows as columns. Polls the watch.
WideMatrix orthonormal(WideMatrix matrix, Watch &watch);

} // namespace bmo
