"""Django: a queryset that reads the value raises OperationalError."""

import sqlite3

import django
from django.conf import settings

DATABASE = {"ENGINE": "django.db.backends.sqlite3", "NAME": "people.db"}
settings.configure(DATABASES={"default": DATABASE})
django.setup()

from django.db import OperationalError, connection, models
from django.db.backends.signals import connection_created
from django.dispatch import receiver


class Person(models.Model):
    name = models.TextField()

    class Meta:
        app_label, db_table, managed = "people", "people", False


print(f"SQLite {sqlite3.sqlite_version}")
try:
    print("plain:", Person.objects.get(pk=1).name)
except OperationalError as error:
    print("plain: OperationalError:", error)
connection.close()


# Load utf8ext into each connection that Django opens. In a project: in ready() of an AppConfig.
@receiver(connection_created)
def load_utf8ext(connection, **kwargs):
    connection.connection.enable_load_extension(True)
    connection.connection.load_extension("./utf8ext")


with connection.cursor() as cursor:
    cursor.execute("SELECT table_name, column_name, key, error FROM utf8_audit")
    for table, column, key, error in cursor.fetchall():
        print(f"found: {table}.{column}, row {key}: {error}")
broken = Person.objects.extra(where=["NOT utf8_valid(name)"])
broken.update(name=models.Func("name", models.Value("windows-1252"), function="utf8_repair"))
print("repaired:", Person.objects.get(pk=1).name)
