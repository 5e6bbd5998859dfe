<?php
function inside(int $n)
{
    return $n < 2 ? strlen('inside') : inside($n - 1);
}

function between(Fiber $fiber)
{
    inside(1);
    $fiber->resume(3);
    inside(2);
}

$fiber = new Fiber(function () {
    inside(2);
    inside(Fiber::suspend());
});
$fiber->start();
between($fiber);
