#!/usr/bin/perl
# judge.pl: compares utf8ext with Perl's decoder.
#
#     perl test/judges/judge.pl build/answers.tsv
#
#   dialect rfc2044    utf8::decode, which accepts sequences of up to six octets that are not
#                      overlong
#
# Where Perl's rules differ from utf8ext's: it accepts surrogates, which by RFC 2044 section 2 are
# decoded before, and octets FE and FF, which start even longer sequences of its own. Text with
# any of these counts as ill-formed.

use strict;
use warnings;
no warnings 'utf8';

# The code points, or undef if the text is ill-formed.
sub rfc2044 {
  my ($text) = @_;
  return undef if $text =~ /[\xFE\xFF]/;
  return undef unless utf8::decode($text);
  my @codepoints = map { ord } split //, $text;
  return undef if grep { $_ >= 0xD800 && $_ <= 0xDFFF } @codepoints;
  return "@codepoints";
}

open my $file, '<', $ARGV[0] or die "$ARGV[0]: $!";
chomp(my $head = <$file>);
my @names = split /\t/, $head;
my ($inputs, $wrong, $first) = (0, 0, undef);
while (my $line = <$file>) {
  chomp $line;
  my %row;
  @row{@names} = split /\t/, $line, -1;
  my $expected = rfc2044(pack 'H*', $row{input});
  my $agrees = defined $expected ? $row{each_rfc2044} eq $expected : $row{each_rfc2044} =~ /!/;
  $inputs++;
  next if $agrees;
  $wrong++;
  $first = $row{input} unless defined $first;
}
print $wrong ? "not ok Perl: dialect rfc2044: $wrong differ, first $first\n" : "ok Perl: dialect rfc2044\n";
print "Perl $^V on $inputs inputs\n";
print $wrong || !$inputs ? "0 passed, 1 failed\n" : "1 passed, 0 failed\n";
exit($wrong || !$inputs);
