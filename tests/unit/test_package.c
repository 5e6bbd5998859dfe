/* The packages of functions, by the forms of their names and files. */
#include "profile/package.h"
#include "tap.h"

struct example {
    const char *name, *file, *package; /* "": unknown */
};

/* Tests the COUNT EXAMPLES, of functions that are mapped or not. */
static void test_all(const char *title, const struct example *examples, size_t count,
                     bool are_mapped)
{
    struct buf text = {0};
    bool good = true;
    for (size_t i = 0; i < count; i++) {
        const struct example *x = &examples[i];
        text.n = 0;
        bool is_found = package_add(
            &text, &(struct package_frame){str_of(x->name), str_of(x->file), are_mapped});
        good &= each(str_equal(buf_str(&text), str_of(x->package)) && is_found == (text.n > 0),
                     "%s in %s: expected \"%s\", found \"%.*s\"", x->name, x->file, x->package,
                     STR_ARG(buf_str(&text)));
    }
    ok(good, "%s", title);
    buf_free(&text);
}

#define TEST(title, examples, are_mapped)                                                          \
    test_all(title, examples, sizeof examples / sizeof *examples, are_mapped)

static const struct example go[] = {
    {"github.com/user/repo/pkg.(*T).Method", "", "github.com/user/repo/pkg"},
    {"github.com/user/repo/pkg.(*T[...]).Method", "", "github.com/user/repo/pkg"},
    {"github.com/user/repo/pkg.F[github.com/x/y.Z]", "", "github.com/user/repo/pkg"},
    {"github.com/BurntSushi/toml.Decode", "", "github.com/BurntSushi/toml"},
    {"example.org/Big.F", "", "example.org/Big"},
    {"gopkg.in/yaml%2ev2.Unmarshal", "", "gopkg.in/yaml.v2"},
    {"gopkg.in/a%2fb%zz%2", "x.go", ""},
    {"x/a%2.F", "x.go", "x/a%2"},
    {"x/a%2z%z2.F", "x.go", "x/a%2z%z2"},
    {"bufio.read", "", "bufio"},
    {"bytes.read", "", "bytes"},
    {"context.read", "", "context"},
    {"errors.read", "", "errors"},
    {"fmt.read", "", "fmt"},
    {"io.read", "", "io"},
    {"net.read", "", "net"},
    {"os.read", "", "os"},
    {"reflect.read", "", "reflect"},
    {"regexp.read", "", "regexp"},
    {"strconv.read", "", "strconv"},
    {"strings.read", "", "strings"},
    {"sync.read", "", "sync"},
    {"syscall.read", "", "syscall"},
    {"testing.read", "", "testing"},
    {"unicode.read", "", "unicode"},
    {"net/http.(*conn).serve", "", "net/http"},
    {"encoding/json.Marshal", "", "encoding/json"},
    {"main.main.func1", "", "main"},
    {"main.main.Handle.func2", "", "main"},
    {"main.(*T).M-fm", "", "main"},
    {"main.fibonacci", "", "main"},
    {"runtime.mallocgc", "", "runtime"},
    {"runtime.memmove.abi0", "", "runtime"},
    {"strings.(*Builder).WriteString", "", "strings"},
    {"slices.pdqsort[go.shape.int]", "a.go", "slices"},
    {"sort.Slice", "/usr/lib/go-1.19/src/sort/slice.go", "sort"},
    {"iter.seq.gowrap1", "", "iter"},
    {"glob..func1", "", "glob"},
    {"type:.eq.github.com/a/b.T", "x.go", "github.com/a/b"},
    {"type..hash.main.T", "x.go", "main"},
    {"cmpbody", "internal/bytealg/compare_amd64.s", "internal/bytealg"},
    {"cmpbody", "/usr/lib/go-1.19/src/internal/bytealg/compare_amd64.s", "internal/bytealg"},
    {"start", "/home/me/start.s", ""},
    {"start", "start.s", ""},
    {"helper", "main.go", ""},
};

static const struct example java[] = {
    {"java.util.HashMap.get", "", "java.util"},
    {"java/util/HashMap.get", "", "java.util"},
    {"java.util.HashMap.get(java.lang.Object)", "", "java.util"},
    {"java/util/HashMap.get(Ljava/lang/Object;)Ljava/lang/Object;", "", "java.util"},
    {"boolean java.util.HashMap.isEmpty()", "", "java.util"},
    {"java.base/java.util.HashMap.get", "", "java.util"},
    {"java.base@17.0.1/java.util.HashMap.get", "", "java.util"},
    {"Ljava/util/HashMap;::get", "", "java.util"},
    {"java.util.HashMap::get", "", "java.util"},
    {"com.x.app.Main$$Lambda$469/0x0000000800c8b840.run", "", "com.x.app"},
    {"com.x.app.Main$$Lambda.0x00007f0001000a00.run", "", "com.x.app"},
    {"com/x/app/Main$$Lambda$12/1234567.apply", "", "com.x.app"},
    {"com.x.app.Hidden/0x0000000800c8b840.run", "", "com.x.app"},
    {"com.x.app.Main.lambda$main$0", "", "com.x.app"},
    {"java.util.Map$Entry.getKey", "", "java.util"},
    {"scala.Option.map", "Option.scala", "scala"},
    {"com.x.app.main.run", "main.clj", "com.x.app"},
    {"com.x.app.main.run", "main.kt", "com.x.app"},
    {"com.x.app.main.run", "main.java", "com.x.app"},
    {"com.x.app.main.run", "main.scala", "com.x.app"},
    {"com.x.app.main.run", "main.groovy", "com.x.app"},
    {"Main.main", "Main.java", ""},
    {"main", "Main.java", ""},
    {"Ljava;", "Main.java", ""},
    {"LMain;::main", "", ""},
    {"Main.main", "", ""},
};

static const struct example python[] = {
    {"f", "/usr/lib/python3/dist-packages/numpy/core/x.py", "numpy"},
    {"f", "/v/lib/python3.11/site-packages/six.py", "six"},
    {"f", "/v/lib/python3.11/site-packages/a-1.0.egg/a/b.py", "a"},
    {"f", "C:\\Python311\\Lib\\site-packages\\numpy\\core.py", "numpy"},
    {"decode", "/usr/lib/python3.11/json/decoder.py", "json"},
    {"run", "/usr/lib/python3.11/threading.py", "threading"},
    {"f", "/usr/lib/python3.11/lib-dynload/x.py", "x"},
    {"decode", "json/decoder.py", "json"},
    {"f", "./app.py", "app"},
    {"f", "../lib/app.py", "lib"},
    {"f", "/home/me/project/models.py", "models"},
    {"f", "/home/me/project/__init__.py", "project"},
    {"<module>", "/home/me/python/__main__.py", "python"},
    {"f", "__main__.py", "__main__"},
    {"f", "/x/.py", ".py"},
    {"f", "/x/fast.pyx", "fast"},
    {"f", "/home/me/python/work.py", "work"},
    {"_call", "<frozen importlib._bootstrap>", "importlib"},
    {"py::work:/home/me/work.py", "", "work"},
    {"py::<module>:<frozen runpy>", "", "runpy"},
    {"<module>", "<string>", ""},
};

static const struct example javascript[] = {
    {"f", "/app/node_modules/lodash/lib/x.js", "lodash"},
    {"f", "file:///app/node_modules/@babel/core/lib/x.js", "@babel/core"},
    {"f", "C:\\app\\node_modules\\@babel\\core\\x.js", "@babel/core"},
    {"f", "/app/node_modules/.pnpm/a@1/node_modules/b/x.js", "b"},
    {"f", "/app/node_modules/x.wasm", "x.wasm"},
    {"f", "/app/node_modules/@x", "@x"},
    {"f", "/app/node_modules/@/x/y.js", "@/x"},
    {"load", "node:internal/modules/cjs/loader", "node:"},
    {"f", "https://example.org/static/app.min.js?v=1.2", "app.min"},
    {"f", "/app/server/index.js", "server"},
    {"f", "file:///words.mjs", "words"},
    {"LazyCompile:*work /app/node_modules/a/x.js:7:1", "", "a"},
    {"JS:~work file:///app/work.js:7:1", "", "work"},
    {"JS:~read node:fs:7:1", "", "node:"},
    {"Function:~work /app/work.cjs:7:1", "", "work"},
    {"Script:~ /app/work.jsx:7:1", "", "work"},
    {"Eval:~ /app/work.ts:7:1", "", "work"},
    {"f", "/app/work.mts", "work"},
    {"f", "/app/work.cts", "work"},
    {"f", "/app/work.tsx", "work"},
    {"Script:~x", "", ""},
};

static const struct example native[] = {
    {"std::vector<int, std::allocator<int> >::push_back(int const&)", "", "std"},
    {"void std::sort<int*>(int*, int*)", "", "std"},
    {"std::enable_if<(1 > 0), a::b>::type ns::f<int>(c::d)", "", "ns"},
    {"unsigned long json::size() const", "", "json"},
    {"a::T *ns::find(int)", "", "ns"},
    {"decltype(a::b) ns::f(int)", "", "ns"},
    {"std::ostream& ns::operator<< <char>(std::ostream&, char)", "", "ns"},
    {"ns::C::operator bool() const", "", "ns"},
    {"ns::C::operator()(int) const", "", "ns"},
    {"ns::C::operator->() const", "", "ns"},
    {"bool operator==<a::b>(a::b, a::b)", "", ""},
    {"operator new(unsigned long)", "", ""},
    {"ns::f<&a::operator->>(int)", "", "ns"},
    {"my_operator::f()", "", "my_operator"},
    {"std::function<void (int, a::b)>::operator()(int) const", "", "std"},
    {"ns::f(int)::{lambda(int)#1}::operator()(int) const", "", "ns"},
    {"main::{lambda()#1}::operator()() const", "", "main"},
    {"main(int)::{lambda()#1}::operator()() const", "", ""},
    {"(anonymous namespace)::f(int)", "", ""},
    {"(anonymous namespace)::json::f(int)", "", "json"},
    {"void (anonymous namespace)::json::f(int)", "", "json"},
    {"ns::(anonymous namespace)::f(int)", "", "ns"},
    {"void ns::f (int)", "", "ns"},
    {"void (anonymous namespace)::json::f (int)", "", "json"},
    {"{anonymous}::json::f", "", "json"},
    {"_GLOBAL__N_1::json::f", "", "json"},
    {"f<&a::b->c> ns::g(int)", "", "ns"},
    {"<app::Work>::run", "", "app"},
    {"<app::Work>::run::<std::T as a::B>", "", "app"},
    {"run<(anonymous namespace)::Hash>", "", ""},
    {"f<a::b>(c::d)", "", ""},
    {"non-virtual thunk to ns::C::f()", "", "ns"},
    {"ns::f(int) [clone .isra.0]", "", "ns"},
    {"ns::f [clone .cold]", "", "ns"},
    {"abi[cxx11]::f", "", "abi"},
    {"core::ptr::drop_in_place::h0123456789abcdef", "", "core"},
    {"std[f00dfeed0123456]::io::copy", "", "std"},
    {"<alloc::vec::Vec<T> as core::iter::Extend<T>>::extend", "", "alloc"},
    {"<&mut app::Work as core::fmt::Debug>::fmt", "", "app"},
    {"<&'a [dyn app::Work] as core::fmt::Debug>::fmt", "", "app"},
    {"<u8 as core::fmt::Display>::fmt", "", "core"},
    {"<<app::A as b::B>::C as d::D>::f", "", "app"},
    {"_<app::A as b::B>::f", "", "app"},
    {"core::ops::function::impls::<impl FnOnce<A> for &mut F>::call", "", "core"},
    {"main::{{closure}}", "", "main"},
    {"work", "src/main.rs", ""},
    {"stats::lm", "", "stats"},
    {"data.table:::fread", "", "data.table"},
    {"base::[.data.frame", "", "base"},
    {"print.default", "", ""},
    {"as.Date.character", "", ""},
    {"sort.default", "", ""},
    {"print.function", "", ""},
    {"as.data.frame.Date", "", ""},
    {"data.Table::f", "", "data.Table"},
    {"model.frame", "report.R", ""},
    {"[.data.frame", "", ""},
    {"<GC>", "", ""},
    {"solve", "", ""},
    {"solve.isra.0", "", ""},
    {"[libc.so.6]", "", "[libc.so.6]"},
    {"[unknown]", "", ""},
    {"[]", "", ""},
    {"/usr/bin/tool.sh", "", ""},
    {"./a.out", "", ""},
    {"kworker/0:1", "", ""},
    {"kworker/U", "", ""},
    {"a/b", "", ""},
    {"a/.b", "", ""},
    {"::", "", ""},
    {"<::", "", ""},
    {"<a::b", "", "a"},
    {">>>::x", "", ""},
    {"", "", ""},
    {"", "x.c", ""},
};

/* Only Go and Java have dots in the symbols of a program. */
static const struct example mapped[] = {
    {"json.decode", "", "json"},
    {"scala.Option.map", "", "scala"},
    {"solve.isra.0", "", ""},
    {"solve.part.0.cold", "", ""},
    {"solve.isra.0", "", ""},
    {"solve.constprop.0", "", ""},
    {"solve.cold", "", ""},
    {"solve.lto_priv.0", "", ""},
    {"solve.llvm.12", "", ""},
    {"solve.clone.0", "", ""},
    {"solve.localalias", "", ""},
    {"solve.ipa_cp.0", "", ""},
    {"memcpy", "", ""},
    {".plt.got", "", ""},
    {"print.default", "print.c", ""},
    {"print.default", "print.h", ""},
    {"print.default", "print.cc", ""},
    {"print.default", "print.hh", ""},
    {"print.default", "print.cpp", ""},
    {"print.default", "print.hpp", ""},
    {"print.default", "print.cxx", ""},
    {"print.default", "print.rs", ""},
    {"print.default", "print.R", ""},
    {"print.default", "print.r", ""},
};

/* Deep names, which hostile files have, take no more than time. */
static void test_deep(void)
{
    enum { DEPTH = 1000000 };
    static const char parts[] = "<([{:. /$";
    struct buf name = {0}, text = {0};
    for (size_t i = 0; i < sizeof parts - 1; i++) {
        name.n = 0;
        memset(buf_reserve(&name, DEPTH), parts[i], DEPTH);
        name.n = DEPTH;
        buf_add(&name, STR("a::b as c::d"));
        package_add(&text, &(struct package_frame){buf_str(&name), buf_str(&name), true});
    }
    ok(true, "deep names end");
    buf_free(&name);
    buf_free(&text);
}

int main(void)
{
    TEST("Go has import paths", go, false);
    TEST("Java has classes in packages", java, false);
    TEST("Python has modules in folders", python, false);
    TEST("JavaScript has packages of Node", javascript, false);
    TEST("C++, Rust and R have namespaces, C has none", native, false);
    TEST("a program has dots in names of Go and Java only", mapped, true);
    test_deep();
    return tap_done();
}
