// The last error of each thread.
#include <algorithm>
#include <new>

#include "api/guard.hpp"
#include "api/structs.hpp"

namespace bmo {

namespace {

bool continues_character(char byte) {
    return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U; // UTF-8
}

// One line, cut where it is too long. Of a fixed size, so that keeping an error needs no memory and a thread's end no
// clean-up.
template <std::size_t Size>
void copy_text(char (&to)[Size], std::string_view from) noexcept {
    static constexpr std::string_view cut = "...";
    std::size_t kept = from.size();
    if (kept >= Size)
        for (kept = Size - 1 - cut.size(); kept > 0 && continues_character(from[kept]);)
            --kept;
    char *end = std::replace_copy_if(
        from.data(), from.data() + kept, to, [](char byte) { return static_cast<unsigned char>(byte) < ' '; }, '?');
    if (kept < from.size())
        end = std::copy(cut.begin(), cut.end(), end);
    *end = '\0';
}

struct LastError {
    bmo_status status = BMO_OK;
    std::int32_t callback_result = 0;
    std::int64_t row = -1, col = -1;
    char argument[64] = {};
    char message[2048] = {};

    bmo_status keep(bmo_status code, std::string_view what, std::string_view where = "") noexcept {
        status = code;
        callback_result = 0;
        row = col = -1;
        copy_text(argument, where);
        copy_text(message, what);
        return code;
    }
};

thread_local constinit LastError last;

} // namespace

bmo_status record_failure() noexcept {
    try {
        throw;
    } catch (const Failure &failure) {
        last.keep(failure.status, failure.message, failure.argument);
        last.row = failure.row;
        last.col = failure.col;
        last.callback_result = failure.callback_result;
        return failure.status;
    } catch (const std::bad_alloc &) {
        return last.keep(BMO_ENOMEM, "out of memory");
    } catch (const std::exception &error) {
        return last.keep(BMO_EINTERNAL, error.what());
    } catch (...) {
        return last.keep(BMO_EINTERNAL, "an unknown exception");
    }
}

} // namespace bmo

const char *bmo_status_name(bmo_status status) {
    switch (status) {
    case BMO_OK: return "BMO_OK";
    case BMO_EINVAL: return "BMO_EINVAL";
    case BMO_ENOMEM: return "BMO_ENOMEM";
    case BMO_EIO: return "BMO_EIO";
    case BMO_EFORMAT: return "BMO_EFORMAT";
    case BMO_EVERSION: return "BMO_EVERSION";
    case BMO_EUNSUPPORTED: return "BMO_EUNSUPPORTED";
    case BMO_ENONFINITE: return "BMO_ENONFINITE";
    case BMO_EOVERFLOW: return "BMO_EOVERFLOW";
    case BMO_ECANCELED: return "BMO_ECANCELED";
    case BMO_ECALLBACK: return "BMO_ECALLBACK";
    case BMO_EINTERNAL: return "BMO_EINTERNAL";
    default: return "unknown status";
    }
}

const char *bmo_last_error(void) {
    return bmo::last.message;
}

void bmo_error_detail(bmo_error *error) {
    if (!error || error->struct_size < bmo::first_size<bmo_error>)
        return;
    bmo_error detail{};
    detail.status = bmo::last.status;
    detail.row = bmo::last.row;
    detail.col = bmo::last.col;
    detail.callback_result = bmo::last.callback_result;
    detail.argument = bmo::last.argument;
    detail.message = bmo::last.message;
    bmo::write_struct(error, detail);
}
