#!/bin/sh
# csv.sh: checks that the page reads the CSV files of test/csv.json as `utf8ext import` does, which
# python/tests/test_csv.py checks.
. test/tally.sh
. test/node.sh

if command -v node >/dev/null; then
  node_tests test/site/csv.test.mjs
else
  echo "SKIPPED: the page reads CSV files: node is not installed (package nodejs)"
fi
finish
