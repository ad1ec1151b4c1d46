# Formula/utf8ext.rb of a tap, or of homebrew-core.
class Utf8ext < Formula
  desc "@DESCRIPTION@"
  homepage "https://@ADDRESS@"
  url "@SOURCE@"
  sha256 "@SHA256@"
  license "MIT"

  depends_on "pkgconf" => :test
  depends_on "sqlite"

  def install
    system "sh", "-c", "@BUILD@ PREFIX='#{prefix}'"
  end

  test do
    load = ".load '#{lib}/utf8ext'"
    system Formula["sqlite"].opt_bin/"sqlite3", ":memory:", load, "@TEST@"
    system "pkg-config", "--exists", "utf8core"
  end
end
