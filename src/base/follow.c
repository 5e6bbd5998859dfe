#include "base/follow.h"

#include <signal.h>
#include <stddef.h>
#include <time.h>

static bool is_on;
static volatile sig_atomic_t is_over;

static void end(int number)
{
    (void)number;
    is_over = 1;
}

void follow_start(void)
{
    struct sigaction action = {.sa_handler = end, .sa_flags = (int)SA_RESETHAND};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);  /* without SA_RESTART: it wakes what waits */
    sigaction(SIGTERM, &action, NULL); /* so services are ended */
    is_on = true;
}

bool follow_is_on(void)
{
    return is_on;
}

bool follow_is_over(void)
{
    return is_over != 0;
}

bool follow_wait(void)
{
    const struct timespec moment = {0, FOLLOW_MOMENT * 1000 * 1000};
    if (is_on && !follow_is_over())
        nanosleep(&moment, NULL);
    return is_on && !follow_is_over();
}
