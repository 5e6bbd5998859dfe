# Which names an expression finds, against two judges: go tool pprof, whose expressions are RE2's, and R with
# perl = TRUE, whose expressions are PCRE's.

load helpers

setup() {
    T=$BATS_TEST_TMPDIR
    cd "$T"
    neutral
    cat >names <<'END'
main.main
main.(*Tree).Insert
main.(*Tree).insert.func1
main.Map[...]
net/http.(*conn).serve
net/http.HandlerFunc.ServeHTTP
runtime.mallocgc
runtime.gcBgMarkWorker
runtime/internal/atomic.Load64
github.com/acme/x_1/v2.Do
base::lapply
stats::lm.fit
[.data.frame
[<-.data.frame
data$frame
<Anonymous>
FUN
paste0
paste
std::vector<int>::push_back(int&&)
std::map<k, v>::operator[](k const&)
operator new(unsigned long)
~Tree
com.acme.Foo$Bar.lambda$run$5
java.util.HashMap$Node.<init>
_start
__schedule
do_syscall_64
x86_64_start_kernel
tcp_v4_rcv
a b  c
A.B*C+D?
{{closure}}
C:\dir\file
caf\u00e9
100%
3dot14
aaaa
abab
abcabc
foo-bar
foo|bar
^caret$
été
ÉTÉ
Größe
straße
名前の関数
Ωμέγα
ωμέγα
функция
naïve_fn
e̍combining
END
    sed 's/$/ 1/' names | folded2ndjson >rows
}

# The names that our tool finds by each expression, as "NUMBER NAME". With NAMES they are looked for in names of functions alone.
ours() {  # patterns input [names]
    local i=0
    while IFS= read -r pattern; do
        i=$((i + 1))
        proffilter -q --focus="${3:+name:(?:}$pattern${3:+)}" "$2" 2>/dev/null | ndjson2folded -q 2>/dev/null | sed "s/ 1\$//; s/^/$i /"
    done <"$1" | sort
}

# What both judges know.
common() {
    cat <<'END'
main
^main
main$
^main\.main$
Tree
tree
(?i)tree
(?i)^MAIN\.
(?i)été
(?i)ωμέγα
(?i)größe
(?i:foo)-bar
(?-i)Tree
.
^.$
^....$
^.{4}$
^.{8,10}$
^.{40,}$
a*
a+
^a+$
^a?$
^(ab)+$
^(?:ab)+$
^(abc){2}$
^(abc){1,}$
^(?:a|b)+$
a{2}
a{3,4}
a{5}
(a+)+$
(a|aa)+$
(a|a?)+$
(x+x+)+y
foo|bar
foo\|bar
^(foo|main)
^foo|main$
\.
\.fit
\$
\$frame
\^caret
\*
\(\*
\(\*\w+\)
\[
\[\.data
^\[
\]
\{\{
\}\}$
\\
\\dir\\
\?$
\+
\|
%
-
/
::
^~
<
<.*>
<.*?>
<init>
<\w+>
<[^>]+>
\d
\d+
\d{2}
^\d
\d$
\D
^\D+$
\w
^\w+$
\W
^\W
\W$
\s
\s\s
\S\s\S
^\S+$
\bmain\b
\bmain
main\b
\Bain
\bfn\b
\b64\b
\b\d+\b
[abc]
^[abc]+$
[a-c]{6}
[^a-z]
^[^a-z]+$
^[a-z]+$
^[A-Z]+$
[A-Z][a-z]+[A-Z]
[0-9]
[[:digit:]]
[[:alpha:]]
^[[:alpha:]]+$
[[:upper:]]{3}
[[:space:]]
[[:punct:]]{2}
^[[:alnum:]_]+$
[[:^alpha:]]
[]a]b
[]]
[-x]
[a\-z]
[\]]
[\d.]+
[\w.]+\.[\w]+$
[^\w]
[.]
[$]
[*+?]
[é]
[é-ï]
é
^\p{L}+$
\p{Lu}
\p{Ll}{5}
\P{L}
\pL\pL
\p{Greek}
\p{Cyrillic}
\p{Han}
\p{Hiragana}
[\p{Greek}\p{Han}]
^\p{Lu}\p{Ll}+$
\x41
\x{e9}
\x{540d}
\Qmain.(*\E
\Q[...]\E
\Afoo
bar\z
(?s)a.b
(?m)^main$
(?U)a+
(?P<name>foo)-
(main|runtime)[./]
func\d+$
^runtime\.(mallocgc|gcBg.*)$
^(?:net/http|runtime)\b
lambda\$\w+\$\d+
operator(\[\]| new)
^[^:]+::[^:]+$
^([^.]+)\.([^.]+)$
(?i)^[a-c]+$
(?i)straSSe
^.*_.*_.*$
ö|ß
関数$
^名
END
}

# What only PCRE knows.
perl_only() {
    cat <<'END'
main(?=\.\()
main(?!\.\()
(?<=::)l
(?<!::)l\w+y
^(\w)\1
(ab)\1
^(?>a+)b
a++$
(?<x>ab)\k<x>
\h
\R
\K$
(?|foo|bar)
^(?(?=m)main|base)
(?x) m a i n
^(\((?:[^()]|(?1))*\))
\X{9}$
END
}

@test "go tool pprof finds the same names" {
    need go
    common >patterns
    ndjson2pprof -q -o p.pb.gz rows
    i=0
    while IFS= read -r pattern; do
        i=$((i + 1))
        go tool pprof -text -nodecount=1000 -nodefraction=0 -focus="$pattern" p.pb.gz 2>/dev/null |
            awk -v i=$i 'shown { sub(/^ *[^ ]+ +[^ ]+ +[^ ]+ +[^ ]+ +[^ ]+ +/, ""); print i " " $0 } /flat%/ { shown = 1 }'
    done <patterns | sort >theirs
    ours patterns p.pb.gz >found
    [ "$(wc -l <patterns)" -ge 130 ]
    [ "$(wc -l <found)" -ge 1300 ]
    diff theirs found >differences || fail "$(head -n 20 differences)"
}

@test "R with perl = TRUE finds the same names" {
    need Rscript
    { common; perl_only; } >patterns
    Rscript -e 'names <- readLines("names", encoding = "UTF-8")
        patterns <- readLines("patterns", encoding = "UTF-8")
        for (i in seq_along(patterns)) {
            found <- names[grepl(patterns[i], names, perl = TRUE)]
            if (length(found)) writeLines(paste(i, found), useBytes = TRUE)
        }' | sort >theirs
    ours patterns rows names >found
    diff theirs found >differences || fail "$(head -n 20 differences)"
}
