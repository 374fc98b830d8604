// A C++11 program that knows libbmo by its header alone: borrowed memory is released once, after the last handle.
#include <bmo.h>

#include <cstdint>
#include <cstdio>
#include <memory>
#include <vector>

namespace {

struct Free {
    void operator()(bmo_dataset *ds) const { bmo_dataset_free(ds); }
    void operator()(bmo_query *query) const { bmo_query_free(query); }
};

void count_release(void *ctx) {
    ++*static_cast<int *>(ctx);
}

int fail(const char *what) {
    std::fprintf(stderr, "%s: %s\n", what, bmo_last_error());
    return 1;
}

// Point i is (i, i, ..., i): its distance to point j is |i - j| * sqrt(d).
int search(int &released) {
    constexpr std::int64_t n = 100, d = 1024, k = 2;
    std::vector<float> points(n * d);
    for (std::int64_t i = 0; i < n * d; i++)
        points[static_cast<std::size_t>(i)] = static_cast<float>(i / d);

    bmo_dense dense = {};
    dense.struct_size = sizeof dense;
    dense.dtype = BMO_F32;
    dense.data = points.data();
    dense.n = n;
    dense.d = d;
    bmo_owner owner = {};
    owner.struct_size = sizeof owner;
    owner.release = count_release;
    owner.ctx = &released;
    bmo_dataset *created = nullptr;
    if (bmo_dataset_dense(&created, &dense, BMO_BORROW, &owner, nullptr) != BMO_OK)
        return fail("dataset");
    std::unique_ptr<bmo_dataset, Free> data(created);
    bmo_query *bound = nullptr;
    if (bmo_query_create(&bound, data.get(), nullptr, nullptr) != BMO_OK)
        return fail("query");
    std::unique_ptr<bmo_query, Free> query(bound);
    data.reset();
    if (released != 0)
        return fail("released while the query refers to it");

    std::vector<std::int64_t> index(n * k);
    std::vector<double> dist(n * k);
    bmo_output out = {};
    out.struct_size = sizeof out;
    out.index = index.data();
    out.distance = dist.data();
    out.capacity = n * k;
    if (bmo_query_graph(query.get(), k, &out, nullptr, nullptr) != BMO_OK)
        return fail("graph");
    const bool right = index[0] == 1 && index[1] == 2 && index[100] == 49 && index[101] == 51 && dist[100] == 32 &&
                       dist[101] == 32 && dist[1] == 64;
    return right ? 0 : fail("neighbors");
}

} // namespace

int main() {
    int released = 0;
    const int status = search(released);
    return status != 0 || released == 1 ? status : fail("released");
}
