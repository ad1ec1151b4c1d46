#!/bin/sh
# python.sh: prints the first Python 3 whose sqlite3 module can load extensions, or "python3"
# if there is none. (The modules of pyenv and macOS often cannot.)
for python in ${PYTHON:-python3 /usr/bin/python3}; do
  "$python" -c 'import sqlite3; sqlite3.Connection.enable_load_extension' 2>/dev/null || continue
  echo "$python"
  exit
done
echo python3
