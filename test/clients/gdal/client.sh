#!/bin/sh
# GDAL: passes the byte on, so that the GeoJSON or CSV that it writes is ill-formed. `sed -n l`
# shows the byte as \351.
export LC_ALL=C

# Prints the values of the fields that ogrinfo lists.
values() {
  sed -n 's/^  .* (String) = //p'
}

version=$(ogrinfo --version | sed 's/GDAL \([^,]*\),.*/\1/')
echo "version $version, SQLite $(ogrinfo -q people.db -sql 'SELECT sqlite_version()' | values)"
plain=$(ogr2ogr -f GeoJSON /vsistdout/ people.db people | grep -o '{ "name": "[^"]*" }' | sed -n l)
printf 'plain: no error: %s\n' "${plain%$}"

# Load utf8ext into each SQLite file that GDAL opens.
export OGR_SQLITE_LOAD_EXTENSIONS=./utf8ext

ogrinfo -q people.db -sql \
  "SELECT printf('found: %s.%s, row %s: %s', table_name, column_name, key, error) FROM utf8_audit" |
  values
ogrinfo -q -update people.db -sql \
  "UPDATE people SET name = utf8_repair(name, 'windows-1252') WHERE NOT utf8_valid(name)"
echo "repaired: $(ogrinfo -q people.db people | values)"
