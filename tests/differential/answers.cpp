#include "answers.hpp"

#include <algorithm>
#include <cstring>

#include "layouts.hpp"

namespace {

constexpr unsigned char kBeside = 0xa5;

// Places of neighbors, between which there may be others.
class Places {
public:
    Places(const Questions &questions, Random &random)
        : queries_(questions.count()), k_(questions.k), out_(sized<bmo_output>()), done_(questions.ids.size()),
          rows_(questions.ids.size()) {
        choose_strides(random);
        out_.index_base = static_cast<std::int32_t>(random.below(2));
        out_.index_dtype = random.pick<bmo_dtype>({0, BMO_I64, BMO_I32});
        out_.distance_dtype = random.chance(0.15) ? bmo_dtype{BMO_F32} : random.pick<bmo_dtype>({0, BMO_F64});
        out_.capacity = extent_ + random.below(2);
        index_.assign(static_cast<std::size_t>(out_.capacity) * sizeof(std::int64_t), kBeside);
        dist_.assign(static_cast<std::size_t>(out_.capacity) * sizeof(double), kBeside);
        out_.index = index_.data();
        out_.distance = dist_.data();
        out_.done = done_.data();
        out_.row_stats = rows_.data();
        if (questions.max_distance.empty())
            return;
        limits_ = sized<bmo_limits>();
        limits_.max_distance = questions.max_distance.data();
        limits_.max_distance_count = static_cast<std::int64_t>(questions.max_distance.size());
        out_.limits = &limits_;
    }
    Places(const Places &) = delete;
    Places &operator=(const Places &) = delete;

    const bmo_output &output() const { return out_; }

    void read(Answer &answer) {
        answer.distance_dtype = out_.distance_dtype == 0 ? bmo_dtype{BMO_F64} : out_.distance_dtype;
        answer.rows = rows_;
        for (std::int64_t i = 0; i < queries_; ++i)
            for (std::int64_t r = 0; r < k_; ++r) {
                const std::int64_t at = i * query_stride_ + r * rank_stride_;
                const std::int64_t index = take_index(at);
                answer.index.push_back(index == -1 ? -1 : index - out_.index_base);
                answer.distance.push_back(take_dist(at));
            }
        answer.is_whole = is_untouched(index_) && is_untouched(dist_) &&
                          std::ranges::all_of(done_, [](std::uint8_t done) { return done == 1; });
    }

private:
    void choose_strides(Random &random) {
        rank_stride_ = 1;
        query_stride_ = k_;
        if (random.chance(0.2)) {
            query_stride_ = 1;
            rank_stride_ = queries_;
        } else if (random.chance(0.2)) {
            rank_stride_ = 2;
            query_stride_ = 2 * k_ + 1;
        }
        const bool is_default = rank_stride_ == 1 && query_stride_ == k_;
        out_.query_stride = is_default ? 0 : query_stride_;
        out_.rank_stride = is_default ? 0 : rank_stride_;
        extent_ = (queries_ - 1) * query_stride_ + (k_ - 1) * rank_stride_ + 1;
    }

    // Reads an element, and makes it what it was before the call.
    template <class T>
    T take(std::vector<unsigned char> &bytes, std::int64_t at) {
        T value;
        unsigned char *from = bytes.data() + static_cast<std::size_t>(at) * sizeof value;
        std::memcpy(&value, from, sizeof value);
        std::memset(from, kBeside, sizeof value);
        return value;
    }

    std::int64_t take_index(std::int64_t at) {
        return out_.index_dtype == BMO_I32 ? take<std::int32_t>(index_, at) : take<std::int64_t>(index_, at);
    }

    double take_dist(std::int64_t at) {
        return out_.distance_dtype == BMO_F32 ? static_cast<double>(take<float>(dist_, at)) : take<double>(dist_, at);
    }

    static bool is_untouched(const std::vector<unsigned char> &bytes) {
        return std::ranges::all_of(bytes, [](unsigned char byte) { return byte == kBeside; });
    }

    std::int64_t queries_, k_, query_stride_ = 0, rank_stride_ = 0, extent_ = 0;
    bmo_output out_;
    bmo_limits limits_{};
    std::vector<unsigned char> index_, dist_;
    std::vector<std::uint8_t> done_;
    std::vector<bmo_row_stats> rows_;
};

Points chosen_rows(const Points &from, const std::vector<std::int64_t> &ids) {
    Points chosen{.dtype = from.dtype, .n = static_cast<std::int64_t>(ids.size()), .d = from.d, .at = {}};
    for (const std::int64_t id : ids)
        chosen.at.insert(chosen.at.end(), from.row(id).begin(), from.row(id).end());
    return chosen;
}

bmo_status search_dataset(const bmo_query *query, const Points &queries, std::int64_t k, const bmo_output &out,
                          bmo_stats &stats, Random &random) {
    bmo_dataset *points = nullptr;
    const bmo_status made =
        random.chance(0.5)
            ? bmo_dataset_dense(&points, &DenseLayout(queries, random).view(), BMO_COPY, nullptr, nullptr)
            : bmo_dataset_sparse(&points, &SparseLayout(queries, random).view(), BMO_COPY, nullptr, nullptr);
    const DatasetHandle handle(points);
    return made != BMO_OK ? made : bmo_query_knn(query, points, k, &out, nullptr, &stats);
}

bmo_status search(const bmo_query *query, const Made &made, const Questions &questions, const bmo_output &out,
                  bmo_stats &stats, Random &random) {
    switch (questions.entry) {
    case Entry::rows:
        return bmo_query_knn_rows(query, questions.ids.data(), questions.count(), questions.k, &out, nullptr, &stats);
    case Entry::graph: return bmo_query_graph(query, questions.k, &out, nullptr, &stats);
    default: break;
    }
    const Points queries = chosen_rows(made.queries, questions.ids);
    if (questions.entry == Entry::knn)
        return search_dataset(query, queries, questions.k, out, stats, random);
    return questions.entry == Entry::dense
               ? bmo_query_knn_dense(query, &DenseLayout(queries, random).view(), questions.k, &out, nullptr, &stats)
               : bmo_query_knn_sparse(query, &SparseLayout(queries, random).view(), questions.k, &out, nullptr, &stats);
}

} // namespace

const char *name_of(Entry entry) {
    constexpr const char *names[] = {"knn", "knn_dense", "knn_sparse", "knn_rows", "graph"};
    return names[static_cast<std::size_t>(entry)];
}

Answer ask(const bmo_query *query, const Made &made, const Questions &questions, Random &random) {
    Places places(questions, random);
    Answer answer;
    answer.stats = sized<bmo_stats>();
    answer.status = search(query, made, questions, places.output(), answer.stats, random);
    if (answer.status != BMO_OK)
        answer.message = bmo_last_error();
    places.read(answer);
    return answer;
}
