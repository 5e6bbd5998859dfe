// Benchmarks of two ways to count words, for the library "benchmark" of Google.
#include <benchmark/benchmark.h>
#include <map>
#include <sstream>
#include <string>

static std::string text(size_t size)
{
    std::string text;
    while (text.size() < size)
        text += "to be or not to be ";
    return text.substr(0, size);
}

static void Count(benchmark::State &state)
{
    const std::string words = text(state.range(0));
    size_t found = 0;
    for (auto _ : state) {
        std::map<std::string, int> counts;
        std::istringstream in(words);
        for (std::string word; in >> word;)
            counts[word]++, found++;
    }
    state.SetBytesProcessed(state.iterations() * words.size());
    state.counters["words"] = benchmark::Counter(found, benchmark::Counter::kAvgIterations);
}
BENCHMARK(Count)->ArgName("size")->Arg(100)->Arg(10000);

static void Fails(benchmark::State &state)
{
    state.SkipWithError("no input");
    for (auto _ : state)
        ;
}
BENCHMARK(Fails)->Unit(benchmark::kMicrosecond);

BENCHMARK_MAIN();
