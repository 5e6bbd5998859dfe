<?php
namespace Words;

class Counter
{
    private array $counts = [];

    public static function of(string ...$words): self
    {
        $counter = new self;
        foreach ($words as $word) {
            $counter->add($word);
        }
        return $counter;
    }

    public function add(string $word): void
    {
        $key = strtolower($word);
        $this->counts[$key] = ($this->counts[$key] ?? 0) + 1;
    }

    public function most(): string
    {
        uasort($this->counts, fn ($a, $b) => compare($b, $a));
        return array_key_first($this->counts) ?? throw new \LengthException('no words');
    }
}

function compare(int $a, int $b): int
{
    return $a <=> $b;
}

function words(int $n): \Generator
{
    for ($i = 0; $i < $n; $i++) {
        yield str_repeat('ab'[$i % 2], 1 + $i % 3);
    }
}

function fibonacci(int $n): int
{
    return $n < 2 ? $n : fibonacci($n - 1) + fibonacci($n - 2);
}

function run(): void
{
    echo Counter::of(...words(12))->most(), fibonacci(7), "\n";
    try {
        Counter::of()->most();
    } catch (\LengthException $e) {
        echo $e->getMessage(), "\n";
    }
    (new class {
        public function greet(): void
        {
            echo strrev("olleh\n");
        }
    })->greet();
}

eval('function evaluated() { return strlen("abc"); } evaluated();');
run();
require __DIR__ . '/more.php';
