#ifndef BMO_TESTS_LOOPS_H
#define BMO_TESTS_LOOPS_H

/* The statuses of processes. */
int run_loops(int count, char **arguments);
int check_coverage(const char *header);

#endif
