-- release.sql: statements whose results must be the same on every target. packaging/test-release.sh
-- runs core.sql and them with packaging/runsql.c. Each function and each table is called, with every name of an
-- option, on 400 values that are as broken as random choice makes them, and on longer ones.

-- More names of options.
INSERT INTO policy SELECT name FROM utf8_charsets WHERE kind = 'single-byte' AND utf8_to('AZ~', name) = x'415a7e'
  AND name <> 'cp864';
SELECT * FROM utf8_charsets;
SELECT count(*) FROM policy;

-- The functions on BLOB and on TEXT.
SELECT id, name, hex(utf8_repair(x, name)) FROM value, policy WHERE id % 8 = 0;
SELECT id, name, hex(utf8_repair(CAST(x AS TEXT), name)) FROM value, policy WHERE id % 8 = 1;
SELECT id, name, hex(utf8_from(x, name)), hex(utf8_to(utf8_repair(x), name)) FROM value, utf8_charsets WHERE id % 8 = 2;
SELECT id, name, utf8_to(utf8_from(x, name), name) FROM value, utf8_charsets WHERE id % 8 = 3;
SELECT name, hex(utf8_to('Az 09', name)) FROM utf8_charsets;
SELECT id, utf8_detect(x), utf8_detect(CAST(x AS TEXT)) FROM value;
SELECT id, name, utf8_detect_score(x, name) FROM value, utf8_charsets WHERE id % 16 = 4;
SELECT id % 20, utf8_detect_column(x) FROM value GROUP BY 1;
SELECT id, utf8_mojibake(utf8_repair(x)), hex(utf8_demojibake(utf8_repair(x))), hex(utf8_demojibake(utf8_repair(x), 'cp1251'))
  FROM value;
SELECT id, utf8_suspect(utf8_repair(x, 'latin1')), utf8_suspect_offset(utf8_repair(x, 'latin1')),
  hex(utf8_strip(utf8_repair(x), 'invisible')), hex(utf8_strip(utf8_repair(x), 'control')) FROM value;

-- Long values: kernels, chunks of 4 MB, and buffers that grow.
CREATE TABLE long(x TEXT);
INSERT INTO long SELECT replace(hex(zeroblob(n)), '00', 'añ€😀 plain ') FROM (SELECT 7 AS n UNION SELECT 700 UNION SELECT 300000);
INSERT INTO long SELECT CAST(CAST(x AS BLOB) || x'c3' || CAST(x AS BLOB) || x'eda0bd' || x AS TEXT) FROM long;
SELECT length(CAST(x AS BLOB)), utf8_valid(x), utf8_error(x), utf8_error_offset(x), utf8_codepoints(x),
  length(utf8_repair(x)), length(utf8_repair(x, 'escape')), length(utf8_demojibake(x)), utf8_detect(x),
  hex(substr(CAST(utf8_repair(x) AS BLOB), length(CAST(x AS BLOB)) / 3, 60)) FROM long;
SELECT length(utf8_to(x, 'utf-16be')), length(utf8_from(utf8_to(x, 'gb18030'), 'gb18030')) FROM long WHERE utf8_valid(x);

-- Text in its usual charset is detected, and its mojibake is undone.
CREATE TABLE sample(charset TEXT, text TEXT);
INSERT INTO sample VALUES
  ('windows-1252', 'Der Fußgänger überquert die Straße; das café est déjà fermé – “später”.'),
  ('windows-1251', 'Съешь же ещё этих мягких французских булок, да выпей чаю.'),
  ('koi8-r', 'Съешь же ещё этих мягких французских булок, да выпей чаю.'),
  ('windows-1253', 'Ξεσκεπάζω την ψυχοφθόρα βδελυγμία.'),
  ('windows-1250', 'Příliš žluťoučký kůň úpěl ďábelské ódy.'),
  ('shift_jis', 'いろはにほへと ちりぬるを わかよたれそ つねならむ'),
  ('euc-jp', 'いろはにほへと ちりぬるを わかよたれそ つねならむ'),
  ('gbk', '我能吞下玻璃而不伤身体。'), ('big5', '我能吞下玻璃而不傷身體。'),
  ('euc-kr', '나는 유리를 먹을 수 있어요. 그래도 아프지 않아요');
SELECT charset, utf8_detect(utf8_to(text, charset)), utf8_detect_score(utf8_to(text, charset), charset),
  utf8_from(utf8_to(text, charset), charset) = text FROM sample;
SELECT utf8_mojibake(misread), utf8_demojibake(misread), utf8_demojibake(misread) = text
  FROM (SELECT text, utf8_from(CAST(text AS BLOB), 'windows-1252') AS misread FROM sample);

-- A table that is audited, repaired and guarded.
DROP TABLE long;
CREATE TABLE people(id INTEGER PRIMARY KEY, name TEXT, note TEXT);
INSERT INTO people SELECT id, CAST(x AS TEXT), utf8_repair(CAST(x AS TEXT)) FROM value WHERE id % 10 = 0;
SELECT table_name, column_name, key, error, "offset", errors, repair_sql, undo_sql, value FROM utf8_audit;
SELECT key, error, repair_sql FROM utf8_audit('main', 'auto', 1);
UPDATE people SET name = utf8_repair(name) WHERE NOT utf8_valid(name);
SELECT count(*) FROM utf8_audit;
CREATE TABLE guarded(name TEXT CHECK (utf8_valid(name)), byte GENERATED ALWAYS AS (utf8_validate(name, 'name')) STORED);
INSERT INTO guarded(name) SELECT name FROM people;
INSERT INTO guarded(name) VALUES (CAST(x'd8d8' AS TEXT));
CREATE INDEX guarded_error ON guarded(utf8_error_offset(name));
PRAGMA integrity_check;

-- Messages.
SELECT utf8_valid('a', 'utf-9');
SELECT utf8_from('a', 'cp125');
SELECT utf8_repair('a', 'ebcdic');
SELECT utf8_validate(CAST(x'd8d8' AS TEXT), 'label');
SELECT utf8_strip('a', 'letters');
SELECT * FROM utf8_audit('nowhere');
