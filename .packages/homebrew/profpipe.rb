# The URL and the sum are those of a release's source tarball, which .packages/formula fills in.
class Profpipe < Formula
  desc "Convert, combine, filter, sum up and compare profiles of programs"
  homepage "@HOMEPAGE@"
  url "@URL@"
  sha256 "@SHA256@"
  license "MIT"

  depends_on "meson" => :build
  depends_on "ninja" => :build
  depends_on "pkgconf" => :build
  depends_on "jansson"
  depends_on "libdeflate"
  depends_on "pcre2"
  depends_on "protobuf-c"

  uses_from_macos "sqlite", since: :sonoma
  uses_from_macos "zlib"

  def install
    system "meson", "setup", "build", "-Dmulticall=true", "-Dtests=false", *std_meson_args
    system "meson", "compile", "-C", "build", "--verbose"
    system "meson", "install", "-C", "build"
  end

  test do
    (testpath/"a.out").write <<~EOS
      sample.interval=20000
      "mean" "f"\s
      "f"\s
    EOS
    system bin/"ndjson2pprof", "-o", "a.pb.gz", "a.out"
    assert_match "cpu: 40.00 ms in 2 samples", shell_output("#{bin}/profsum a.pb.gz")
  end
end
