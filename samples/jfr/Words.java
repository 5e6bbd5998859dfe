/* Counts words in a loop, in two threads that share a lock. */
import java.util.HashMap;
import java.util.Map;

public class Words {
    static final String TEXT = "the quick brown fox jumps over the lazy dog and the cat ";
    static final Map<String, Integer> counts = new HashMap<>();
    static long letters;

    static String[] split(int times) {
        return TEXT.repeat(times).split(" ");
    }

    static void count(String[] words) {
        synchronized (counts) {
            for (String word : words)
                counts.merge(word, 1, Integer::sum);
        }
    }

    static void measure(String[] words) {
        for (String word : words)
            for (int i = 0; i < word.length(); i++)
                letters += Character.isLetter(word.charAt(i)) ? 1 : 0;
    }

    static void work(long until) {
        while (System.nanoTime() < until) {
            String[] words = split(400);
            count(words);
            measure(words);
        }
    }

    public static void main(String[] args) throws InterruptedException {
        final long until = System.nanoTime() + 1_000_000_000L;
        Thread other = new Thread(() -> work(until), "counter");
        other.start();
        work(until);
        Thread.sleep(50);
        other.join();
        System.out.println(counts.get("the"));
    }
}
