/* Prints the instruction set that the library chose, for scripts/test. */
#include <bmo.h>
#include <stdio.h>

int main(void) {
    return puts(bmo_isa()) < 0;
}
