# Ruby: reads a String that is not valid_encoding?; JSON.generate() raises an exception.
require "json"
require "sqlite3"

db = SQLite3::Database.new("people.db")
name = db.get_first_value("SELECT name FROM people")
puts "version #{SQLite3::VERSION}, SQLite #{db.get_first_value('SELECT sqlite_version()')}"
json = begin
  JSON.generate(name)
rescue JSON::GeneratorError => error
  "#{error.class}: #{error.message}"
end
puts "plain: no error, but valid_encoding? #{name.valid_encoding?}, #{json}"

# Load utf8ext into this connection.
db.enable_load_extension(true)
db.load_extension("./utf8ext")

db.execute("SELECT table_name, column_name, key, error FROM utf8_audit") do |found|
  puts format("found: %s.%s, row %s: %s", *found)
end
db.execute("UPDATE people SET name = utf8_repair(name, 'windows-1252') WHERE NOT utf8_valid(name)")
puts "repaired: #{db.get_first_value('SELECT name FROM people')}"
