// Exceptions of a thread that has no memory.
#pragma once

#include <cstddef> // says whether the C library is glibc

#if defined(__GLIBC__)
// Of a library that dlopen() loads, glibc allocates other thread-local data when a thread first uses them, and ends the
// process if it cannot. A few bytes of this kind lie in what it sets aside.
#define BMO_THREAD_LOCAL [[gnu::tls_model("initial-exec")]] thread_local constinit
#else
#define BMO_THREAD_LOCAL thread_local constinit
#endif

namespace bmo {

// Sees to it that this thread can throw: the C++ runtime has thread-local data of that other kind, which its first
// exception uses. False if there is no memory for them. Whoever catches exceptions asks before it tries.
bool can_throw() noexcept;

} // namespace bmo
