-- core.sql: the statements of release.sql that the small build (make core) runs too: what both have.

SELECT utf8_version();

-- Values: up to 90 bytes each, from sequences of all lengths, their parts, and UTF-16.
CREATE TABLE piece(bytes BLOB);
INSERT INTO piece VALUES ('41'), ('7a20'), ('00'), ('0d0a'), ('c3a9'), ('c3'), ('a9'), ('df'), ('e282ac'), ('e282'),
  ('eda0bd'), ('edb880'), ('f09f9880'), ('f09f98'), ('f4908080'), ('f88880808080'), ('c080'), ('c1bf'), ('e09fbf'),
  ('f08fbfbf'), ('efbbbf'), ('efbfbd'), ('efbfbe'), ('fe'), ('fffe'), ('80'), ('9f'), ('c383c2a9'), ('c3a2e282acc2a6'),
  ('d09fd180'), ('d0a0d19fd0a1e282ac'), ('1b2442'), ('1b2842'), ('82a082a2'), ('a4a2a4a4'), ('81308130'), ('b0a1'),
  ('e2808b'), ('e280ae'), ('c2ad'), ('7f'), ('c285'), ('616263646566676869'), ('e697a5e69cac'), ('cff0e8e2e5f2'), ('d8d8');
CREATE TABLE value(id INTEGER PRIMARY KEY, x BLOB);
INSERT INTO value
  WITH RECURSIVE random(n, r) AS (
    SELECT 0, 12345 UNION ALL
    SELECT n + 1, (r * 1103515245 + 12345) & 0x7fffffff FROM random WHERE n < 8000)
  SELECT n / 20, substr(unhex(group_concat(bytes, '')), 1, (n / 20) % 91)
  FROM random JOIN piece ON piece.rowid = 1 + (r >> 12) % 46
  GROUP BY n / 20;
SELECT count(*), sum(length(x)) FROM value;

-- Every name of an option.
CREATE TABLE dialect(name TEXT);
INSERT INTO dialect VALUES ('utf-8'), ('rfc2044'), ('cesu-8'), ('mutf-8'), ('wtf-8'), ('utf-8b');
CREATE TABLE policy(name TEXT);
INSERT INTO policy VALUES ('subpart'), ('byte'), ('run'), ('cesu-8'), ('trim'), ('escape');

-- The functions on BLOB and on TEXT.
SELECT id, name, utf8_valid(x, name), utf8_error(x, name), utf8_error_offset(x, name) FROM value, dialect;
SELECT id, name, utf8_valid(CAST(x AS TEXT), name), utf8_error(CAST(x AS TEXT), name),
  utf8_error_offset(CAST(x AS TEXT), name) FROM value, dialect;
SELECT id, name, hex(utf8_repair(x, name)), hex(utf8_repair(CAST(x AS TEXT), name)) FROM value, policy WHERE id % 8 = 4;
SELECT id, hex(utf8_repair(x)), hex(utf8_repair(CAST(x AS TEXT))), hex(utf8_repair(x, 'run', '?')) FROM value;
SELECT id, utf8_codepoints(x), hex(utf8_strip_bom(x)), hex(utf8_truncate(x, id % 50)), utf8_codepoints(CAST(x AS TEXT)),
  hex(utf8_truncate(CAST(x AS TEXT), id % 50)) FROM value;
SELECT id, e.* FROM value, utf8_each(x) AS e WHERE id % 4 = 0;
SELECT id, e.* FROM value, utf8_each(CAST(x AS TEXT), 'cesu-8') AS e WHERE id % 4 = 1 AND e.error > '';
