/* Whether each function that the header declares has a scenario. */
#include "loops.h"
#include "scenario.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static int is_called(const char *function) {
    for (size_t i = 0; i < scenario_count; ++i)
        if (strcmp(scenarios[i].call->function, function) == 0)
            return 1;
    return 0;
}

/* The name before the first parenthesis of a declaration: "BMO_API const char *bmo_isa(void);". */
static void find_name(const char *declaration, char name[64]) {
    const char *end = strchr(declaration, '('), *begin = end;
    while (begin && begin > declaration && (isalnum((unsigned char)begin[-1]) || begin[-1] == '_'))
        --begin;
    snprintf(name, 64, "%.*s", begin ? (int)(end - begin) : 0, begin ? begin : "");
}

static int is_declaration(const char *line) {
    return strncmp(line, "BMO_API ", 8) == 0 || strncmp(line, "BMO_TRY ", 8) == 0;
}

int check_coverage(const char *header) {
    FILE *file = fopen(header, "r");
    if (!file) {
        fprintf(stderr, "%s cannot be read\n", header);
        return 2;
    }
    int number = 0, missing = 0;
    for (char line[512], name[64]; fgets(line, sizeof line, file);) {
        if (!is_declaration(line))
            continue;
        find_name(line, name);
        const int called = is_called(name);
        missing += !called;
        printf("%s %d - %s has a scenario\n", called ? "ok" : "not ok", ++number, name);
    }
    fclose(file);
    printf("1..%d\n", number);
    return missing > 0;
}
