// k-means and the medoid, held against the truth.
#pragma once

#include "scene.hpp"

void check_kmeans(const World &world, const Target &target, Random &random);
void check_medoid(const World &world, Scene &scene, const Target &target, Random &random);
