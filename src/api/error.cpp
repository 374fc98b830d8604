// The last error of each thread.
#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <new>
#include <pthread.h>

#include "api/guard.hpp"
#include "api/structs.hpp"
#include "util/failure.hpp"
#include "util/plain_text.hpp"
#include "util/throwing.hpp"

namespace bmo {

namespace {

struct LastError {
    bmo_status status = BMO_OK;
    std::int32_t callback_result = 0;
    std::int64_t row = -1, col = -1;
    char argument[64] = {};
    char marked[2560] = {}, message[2048] = {};

    bmo_status keep(bmo_status code, std::string_view what, std::string_view where = "") noexcept {
        status = code;
        callback_result = 0;
        row = col = -1;
        copy_plain(argument, sizeof argument, where);
        copy_plain(marked, sizeof marked, what, is_mark);
        char unmarked[sizeof marked] = {};
        std::remove_copy_if(marked, marked + std::strlen(marked), unmarked, is_mark);
        copy_plain(message, sizeof message, unmarked);
        return code;
    }
};

constinit const LastError no_error{};
constinit const LastError no_memory{.status = BMO_ENOMEM, .marked = "out of memory", .message = "out of memory"};

BMO_THREAD_LOCAL LastError *own = nullptr;             // this thread's record, from its first failure on
BMO_THREAD_LOCAL const LastError *instead = &no_error; // what it reads while it has none

// The records of threads. The first thread that fails has a static one, which needs no memory and stays readable until the
// library is unloaded. Others are allocated, and freed when their thread ends.
class Records {
public:
    Records() noexcept : has_key_(pthread_key_create(&key_, give_back) == 0) {}
    ~Records() {
        if (has_key_)
            pthread_key_delete(key_);
    }
    Records(const Records &) = delete;
    Records &operator=(const Records &) = delete;

    // Null if there is no memory for it.
    LastError *take() noexcept {
        if (!first_taken.test_and_set(std::memory_order_acquire)) {
            on_exit(&first); // if that fails, the record stays taken
            return &first;
        }
        void *const memory =
            std::malloc(sizeof(LastError)); // the operator new that throws nothing does so by exceptions
        if (memory && on_exit(memory))
            return new (memory) LastError;
        std::free(memory);
        return nullptr;
    }

private:
    bool on_exit(void *record) const noexcept { return has_key_ && pthread_setspecific(key_, record) == 0; }

    static void give_back(void *record) noexcept {
        own = nullptr;
        if (record == &first)
            first_taken.clear(std::memory_order_release);
        else
            std::free(record);
    }

    static LastError first;
    static std::atomic_flag first_taken;
    pthread_key_t key_{};
    bool has_key_;
};

constinit LastError Records::first{};
constinit std::atomic_flag Records::first_taken{};
Records records;

// This thread's record, or null: then it reads that memory ran out.
LastError *record_of_thread() noexcept {
    if (!own)
        own = records.take();
    if (!own)
        instead = &no_memory;
    return own;
}

const LastError &last() noexcept {
    return own ? *own : *instead;
}

} // namespace

bmo_status record_no_memory() noexcept {
    LastError *record = record_of_thread();
    return record ? record->keep(BMO_ENOMEM, no_memory.message) : BMO_ENOMEM;
}

bmo_status record_failure() noexcept {
    LastError *record = record_of_thread();
    if (!record)
        return BMO_ENOMEM;
    try {
        throw;
    } catch (const Failure &failure) {
        record->keep(failure.status, failure.message, failure.argument);
        record->row = failure.row;
        record->col = failure.col;
        record->callback_result = failure.callback_result;
        return failure.status;
    } catch (const std::bad_alloc &) {
        return record->keep(BMO_ENOMEM, no_memory.message);
    } catch (const std::exception &error) {
        return record->keep(BMO_EINTERNAL, error.what());
    } catch (...) {
        return record->keep(BMO_EINTERNAL, "an unknown exception");
    }
}

} // namespace bmo

const char *bmo_last_error(void) {
    return bmo::last().message;
}

void bmo_error_detail(bmo_error *error) {
    if (!error || error->struct_size < bmo::first_size<bmo_error>)
        return;
    bmo_error detail{};
    detail.status = bmo::last().status;
    detail.row = bmo::last().row;
    detail.col = bmo::last().col;
    detail.callback_result = bmo::last().callback_result;
    detail.argument = bmo::last().argument;
    detail.message = bmo::last().message;
    detail.marked = bmo::last().marked;
    bmo::write_struct(error, detail);
}
