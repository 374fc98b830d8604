// What is wrong with an answer.
#pragma once

#include <functional>
#include <string>

#include "scene.hpp"

// With all its digits.
std::string number(Wide value);

class Verdict {
public:
    // where: a text that tells which search it is.
    Verdict(const World &world, Scene &scene, const Settings &settings, const Questions &questions,
            const Answer &answer, std::string where);

    // Of the answer alone, whatever guarantee it has. false: it cannot be looked at further.
    bool check_form() const;
    void check_failure() const;
    void check_distances() const;
    void check_cost() const;
    void check_label(bmo_guarantee promised) const;
    // Of an answer that says that it is exact. scan: asks the same of method exact.
    void check_exact(const std::function<Answer()> &scan) const;
    // Within epsilon.
    bool is_right(std::size_t query) const;

private:
    void find(const std::string &kind, const std::string &what) const;
    std::int64_t index(std::size_t query, std::size_t rank) const;
    double distance(std::size_t query, std::size_t rank) const;
    std::string place(std::size_t query, std::size_t rank) const;
    bool is_row_well_formed(std::size_t query) const;
    bool is_rest_empty(std::size_t query) const;
    std::size_t found(std::size_t query) const; // neighbors in the row
    double largest_written(std::size_t query) const;
    bool is_missed(std::size_t query, std::size_t rank) const;
    void check_row_distances(std::size_t query) const;
    bool is_in_order(std::size_t query) const;
    void check_ranks(std::size_t query) const;
    void check_ties(std::size_t query) const;
    bool may_overflow(std::size_t query) const;

    const World &world_;
    Scene &scene_;
    const Settings &settings_;
    const Questions &questions_;
    const Answer &answer_;
    std::string where_;
};
