// sqlite-jdbc: reads U+FFFD without an error; writing the value back destroys the byte.
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

class Client {
  static final String REPAIR =
      "UPDATE people SET name = utf8_repair(name, 'windows-1252') WHERE NOT utf8_valid(name)";
  static final String AUDIT = "SELECT table_name, column_name, key, error FROM utf8_audit";

  static String read(Statement statement, String query) throws SQLException {
    try (ResultSet row = statement.executeQuery(query)) {
      return row.getString(1);
    }
  }

  public static void main(String[] args) throws SQLException {
    try (Connection plain = DriverManager.getConnection("jdbc:sqlite:people.db")) {
      Statement query = plain.createStatement();
      System.out.println("SQLite " + read(query, "SELECT sqlite_version()"));
      System.out.println("plain: no error: " + read(query, "SELECT name FROM people"));
    }

    // Load utf8ext into this connection, which must allow extensions.
    Connection db = DriverManager.getConnection("jdbc:sqlite:people.db?enable_load_extension=true");
    Statement statement = db.createStatement();
    statement.execute("SELECT load_extension('./utf8ext')");

    try (ResultSet row = statement.executeQuery(AUDIT)) {
      while (row.next()) {
        System.out.printf("found: %s.%s, row %s: %s%n",
            row.getString(1), row.getString(2), row.getString(3), row.getString(4));
      }
    }
    statement.executeUpdate(REPAIR);
    System.out.println("repaired: " + read(statement, "SELECT name FROM people"));
    db.close();
  }
}
