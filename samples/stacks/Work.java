import java.util.concurrent.locks.LockSupport;

/** Threads that compute, wait for a lock, and sleep, until the program is killed. */
public class Work {
    static final Object lock = new Object();
    static volatile long sum;

    static long fibonacci(int n) {
        return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
    }

    static void compute() {
        for (;;)
            sum += fibonacci(30);
    }

    static void hold() {
        synchronized (lock) {
            for (;;)
                LockSupport.parkNanos(1_000_000_000L);
        }
    }

    static void await() {
        synchronized (lock) {
            sum++;
        }
    }

    static void start(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(!name.equals("holder"));
        thread.start();
    }

    public static void main(String[] arguments) throws Exception {
        start("holder", Work::hold);
        Thread.sleep(100);
        start("a \"quoted\" name", Work::await);
        start("computer", Work::compute);
    }
}
