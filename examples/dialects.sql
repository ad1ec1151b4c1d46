-- dialects.sql: how each dialect of utf8_each reads the same bytes.
--
--     sqlite3 -box :memory: '.load ./utf8ext' '.read examples/dialects.sql'
--
-- A code point is shown as U+0041, an ill-formed subpart of three bytes as [3]. After them is
-- utf8_error, the kind of the first error.
CREATE TEMP TABLE example(id INTEGER PRIMARY KEY, bytes BLOB);
INSERT INTO example(bytes) VALUES
  (x'E28241'), (x'C080'), (x'00'), (x'EDA080'), (x'EDA0BDEDB880'), (x'EDA0BDEDB8'),
  (x'F4908080'), (x'F888808080'), (x'F880808080'), (x'80'), (x'C3A9E9'), (x'FF'),
  (x'F09F9880');

CREATE TEMP VIEW seen AS
  SELECT e.id, e.bytes, d.value AS dialect,
    (SELECT group_concat(coalesce(notation, '[' || length || ']'), ' ')
     FROM utf8_each(e.bytes, d.value)) || coalesce(' ' || utf8_error(e.bytes, d.value), '')
    AS text
  FROM example e, json_each('["utf-8","rfc2044","cesu-8","mutf-8","wtf-8","utf-8b"]') d;

SELECT hex(bytes) AS input,
  max(CASE dialect WHEN 'utf-8' THEN text END) AS "utf-8",
  max(CASE dialect WHEN 'rfc2044' THEN text END) AS rfc2044,
  max(CASE dialect WHEN 'cesu-8' THEN text END) AS "cesu-8",
  max(CASE dialect WHEN 'mutf-8' THEN text END) AS "mutf-8",
  max(CASE dialect WHEN 'wtf-8' THEN text END) AS "wtf-8",
  max(CASE dialect WHEN 'utf-8b' THEN text END) AS "utf-8b"
FROM seen GROUP BY id ORDER BY id;
