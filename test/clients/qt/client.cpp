// Qt: reads U+FFFD without an error; writing the value back destroys the byte.
#include <QSqlDatabase>
#include <QSqlDriver>
#include <QSqlQuery>
#include <QVariant>
#include <iostream>
#include <sqlite3.h>

static const char *REPAIR = "UPDATE people SET name = utf8_repair(name, "
                            "'windows-1252') WHERE NOT utf8_valid(name)";

static std::string field(const QSqlQuery &query, int column) {
  return query.value(column).toString().toStdString();
}

static std::string read(const char *sql) {
  QSqlQuery query(sql);
  return query.next() ? field(query, 0) : "";
}

int main() {
  QSqlDatabase db = QSqlDatabase::addDatabase("QSQLITE");
  db.setDatabaseName("people.db");
  db.open();
  std::cout << "version " << qVersion();
  std::cout << ", SQLite " << read("SELECT sqlite_version()") << "\n";
  std::cout << "plain: no error: " << read("SELECT name FROM people") << "\n";

  // Load utf8ext into this connection. Qt's driver and -lsqlite3 must be the same SQLite.
  sqlite3 *handle = *static_cast<sqlite3 *const *>(db.driver()->handle().constData());
  sqlite3_db_config(handle, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 1, nullptr);
  sqlite3_load_extension(handle, "./utf8ext", nullptr, nullptr);

  QSqlQuery audit("SELECT table_name, column_name, key, error FROM utf8_audit");
  while (audit.next()) {
    std::cout << "found: " << field(audit, 0) << "." << field(audit, 1);
    std::cout << ", row " << field(audit, 2) << ": " << field(audit, 3) << "\n";
  }
  QSqlQuery{REPAIR};
  std::cout << "repaired: " << read("SELECT name FROM people") << "\n";
}
