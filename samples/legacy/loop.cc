// A program for gperftools and jemalloc: a loop that takes time, and blocks that stay.
#include <cstdlib>
#include <thread>
#include <vector>

volatile double sum;
std::vector<void *> kept;

__attribute__((noinline)) void turn(int n)
{
    for (int i = 0; i < n; i++)
        sum = sum + i * 0.5;
}

__attribute__((noinline)) void *keep(size_t size)
{
    void *block = malloc(size);
    kept.push_back(block);
    return block;
}

int main()
{
    for (int i = 0; i < 400; i++)
        keep(1000 + 100 * i);
    std::thread([] { keep(300000); }).join();
    for (int i = 0; i < 60; i++)
        turn(5000000);
}
