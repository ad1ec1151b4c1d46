<?php
// PHP: reads the byte as it is. Then json_encode() fails, and htmlspecialchars() returns U+FFFD, or
// '' if you pass flags without ENT_SUBSTITUTE.

$db = new SQLite3('people.db');
$db->enableExceptions(true);
$name = $db->querySingle('SELECT name FROM people');
echo 'version ', PHP_VERSION, ', SQLite ', SQLite3::version()['versionString'], "\n";
json_encode($name);
echo 'plain: no error, but json_encode(): ', json_last_error_msg(),
    "; htmlspecialchars(\$name, ENT_QUOTES): '", htmlspecialchars($name, ENT_QUOTES), "'\n";

// Load utf8ext from the directory that php.ini names in sqlite3.extension_dir.
$db->loadExtension('utf8ext.so');

$audit = $db->query('SELECT table_name, column_name, key, error FROM utf8_audit');
while ($found = $audit->fetchArray(SQLITE3_NUM)) {
    vprintf("found: %s.%s, row %s: %s\n", $found);
}
$db->exec("UPDATE people SET name = utf8_repair(name, 'windows-1252') WHERE NOT utf8_valid(name)");
echo 'repaired: ', $db->querySingle('SELECT name FROM people'), "\n";
