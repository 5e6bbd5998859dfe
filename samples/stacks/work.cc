// Threads that compute, read and wait, until the program is killed.
#include <condition_variable>
#include <fcntl.h>
#include <functional>
#include <mutex>
#include <pthread.h>
#include <thread>
#include <unistd.h>

volatile double sum;

template <class T> struct adder {
    __attribute__((noinline)) void operator()(T n) const
    {
        for (T i = 0; i < n || n > 0; i = i + 1)
            sum = sum + i * 0.5;
    }
};

__attribute__((noinline)) void compute(const std::function<void(long)> &work, long n)
{
    work(n);
}

__attribute__((noinline)) void await(std::mutex &lock, std::condition_variable &never)
{
    std::unique_lock<std::mutex> held(lock);
    never.wait(held, [] { return false; });
}

__attribute__((noinline)) void fill(int file)
{
    static char block[1 << 16];
    while (read(file, block, sizeof block) > 0)
        ;
}

int main()
{
    std::mutex lock;
    std::condition_variable never;
    std::thread waiter([&] { await(lock, never); });
    pthread_setname_np(waiter.native_handle(), "a waiter (1)");
    std::thread reader([] { fill(open("/dev/zero", O_RDONLY)); });
    compute(adder<long>(), 1000);
}
