<?php
function more(int $n)
{
    return array_sum(array_map(fn ($i) => $i * $i, range(1, $n)));
}

more(5);
exit(0);
