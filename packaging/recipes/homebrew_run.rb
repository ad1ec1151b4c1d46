# homebrew_run.rb: reads a formula, and runs what it says in a folder with the sources, as Homebrew
# would: its installation, then its test. Prints its source and checksum.
#
#     ruby homebrew_run.rb FORMULA PREFIX SQLITE3
require "pathname"

PREFIX, SQLITE3 = Pathname.new(ARGV[1]), Pathname.new(ARGV[2])

class Formula
  FIELDS = [:desc, :homepage, :url, :sha256, :license].freeze

  class << self
    attr_reader :fields, :test_block

    FIELDS.each { |name| define_method(name) { |value| (@fields ||= {})[name] = value } }

    def depends_on(_what); end

    def test(&block)
      @test_block = block
    end

    # Formula["sqlite"].opt_bin/"sqlite3"
    def [](_name)
      Struct.new(:opt_bin).new(SQLITE3.dirname)
    end
  end

  def prefix = PREFIX
  def lib = PREFIX/"lib"

  def system(*command)
    Kernel.system(*command.map(&:to_s)) || abort("#{command.join(" ")}: failed")
  end
end

load ARGV[0]
Formula::FIELDS.each { |name| Utf8ext.fields.fetch(name) }
formula = Utf8ext.new
formula.install
formula.instance_eval(&Utf8ext.test_block)
puts Utf8ext.fields[:url], Utf8ext.fields[:sha256]
