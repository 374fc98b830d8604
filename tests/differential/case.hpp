// One case: points, and searches of them by random parameters, each answer held against the truth.
#pragma once

#include <cstdint>

#include "scene.hpp"
#include "world.hpp"

class Case {
public:
    explicit Case(std::uint64_t seed) : seed_(seed), world_(seed) {}

    void run();
    Shape shape() const { return world_.made().shape; }

private:
    void run_scene(std::uint64_t part);
    void search(Scene &scene, const Target &target, Random &random);
    void check(Scene &scene, const Target &target, const Settings &settings, const Questions &questions,
               bmo_query *query, bmo_guarantee promised, Random &random);
    void count_proven(Scene &scene, const Target &target, const Settings &settings, const Questions &questions,
                      const Answer &answer, bool is_right);
    std::uint64_t errors_of_other_seeds(Scene &scene, const Target &target, Settings settings,
                                        const Questions &questions, std::uint64_t trials);
    void check_threads(const Target &target, Settings settings, const Questions &questions, const Answer &answer,
                       const std::string &where);

    // The same questions, to other settings.
    Answer ask_again(const Target &target, const Settings &settings, const Questions &questions,
                     bmo_dtype distance_dtype) const;

    Questions random_questions(Random &random) const;
    double random_epsilon(Scene &scene, Random &random);
    std::vector<double> random_max_distance(Scene &scene, const Questions &questions, Random &random) const;
    std::string describe(const Target &target, const Settings &settings, const Questions &questions) const;

    std::uint64_t seed_;
    World world_;
};
