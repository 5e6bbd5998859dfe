// A CPU profile by gperftools, with recursion, templates and the standard
// library. `go tool pprof` finds the names of file-local functions only: all
// others stay empty in the sample, with their files and lines.
#include <gperftools/profiler.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <string>
#include <vector>

using Basket = std::map<std::string, double>;

template <typename T>
__attribute__((noinline)) static double total(const T &items)
{
    double sum = 0;
    for (const auto &item : items)
        sum += item.second;
    return sum;
}

__attribute__((noinline)) static long collatz(unsigned long n)
{
    return n == 1 ? 0 : 1 + collatz(n % 2 == 0 ? n / 2 : 3 * n + 1);
}

static bool by_rest(long a, long b)
{
    return a % 31 < b % 31;
}

__attribute__((noinline)) static long once(int seed)
{
    Basket basket;
    std::vector<long> lengths;
    for (int i = 1; i < 2000; i++) {
        lengths.push_back(collatz(static_cast<unsigned long>(i + seed)));
        basket["item " + std::to_string(i % 97)] += static_cast<double>(i);
    }
    std::sort(lengths.begin(), lengths.end(), by_rest);
    return lengths[7] + static_cast<long>(total(basket));
}

int main(int argc, char **argv)
{
    if (argc != 2 || !ProfilerStart(argv[1]))
        return 1;
    auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(1500);
    volatile long result = 0;
    for (int i = 0; std::chrono::steady_clock::now() < end; i++)
        result = result + once(i % 100);
    ProfilerStop();
    return 0;
}
