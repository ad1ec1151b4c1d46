# Perl's DBD::SQLite: in the mode UNICODE_STRICT, reading the value dies.
use v5.32;
use warnings;
use DBI;
use DBD::SQLite::Constants qw(DBD_SQLITE_STRING_MODE_UNICODE_STRICT);

binmode STDOUT, ":encoding(UTF-8)";
my $db = DBI->connect("dbi:SQLite:people.db", "", "", { RaiseError => 1, PrintError => 0,
    sqlite_string_mode => DBD_SQLITE_STRING_MODE_UNICODE_STRICT });
my $read = sub { $db->selectrow_array("SELECT name FROM people") };
say "version $DBD::SQLite::VERSION, SQLite ", $db->{sqlite_version};
say "plain: ", eval { $read->() } // "died: " . $@ =~ s/ at \S+ line.*//sr;

# Load utf8ext into this connection.
$db->sqlite_enable_load_extension(1);
$db->sqlite_load_extension("./utf8ext");

my $audit = $db->selectall_arrayref(
    "SELECT table_name, column_name, key, error FROM utf8_audit");
say sprintf("found: %s.%s, row %s: %s", @$_) for @$audit;
$db->do("UPDATE people SET name = utf8_repair(name, 'windows-1252') WHERE NOT utf8_valid(name)");
say "repaired: ", $read->();
