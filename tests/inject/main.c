/* Loads the loops, and libbmo with them, at run time, as the bindings of languages load it. */
#include "inject.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

int main(int count, char **arguments) {
    int (*run)(int, char **) = NULL;
    void *module = dlopen(LOOPS, RTLD_NOW | RTLD_LOCAL), *found = module ? dlsym(module, "run_loops") : NULL;
    if (!found) {
        fprintf(stderr, "%s\n", dlerror());
        return 2;
    }
    if (inject_live().allocations == 0) {
        fprintf(stderr, "Calls of the C library are not intercepted.\n");
        return 2;
    }
    memcpy(&run, &found, sizeof run);
    return run(count, arguments);
}
