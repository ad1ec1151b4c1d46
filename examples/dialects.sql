-- dialects.sql: how each dialect of utf8_each reads the same bytes.
--
--     sqlite3 :memory: '.load ./utf8ext' '.read examples/dialects.sql'
--
-- A code point is shown as U+0041, an ill-formed subpart of three bytes as [3]. After them is
-- utf8_error, the kind of the first error. Dialects that agree share a row. utf-8b is not shown: it
-- reads an ill-formed byte FF as U+DCFF.
CREATE TEMP TABLE example(id INTEGER PRIMARY KEY, bytes BLOB);
INSERT INTO example(bytes) VALUES
  (x'C080'), (x'00'), (x'EDA080'), (x'EDA0BDEDB880'), (x'EDA0BDEDB8'), (x'F4908080'),
  (x'F888808080'), (x'F880808080'), (x'F09F9880');

CREATE TEMP VIEW seen AS
  SELECT e.id, e.bytes, d.key AS place, d.value AS dialect,
    (SELECT group_concat(coalesce(notation, '[' || length || ']'), ' ')
     FROM utf8_each(e.bytes, d.value)) || coalesce(' ' || utf8_error(e.bytes, d.value), '')
    AS text
  FROM example e, json_each('["utf-8","rfc2044","cesu-8","mutf-8","wtf-8"]') d
  ORDER BY e.id, d.key;

SELECT hex(bytes) AS input, group_concat(dialect, ', ') AS dialects, text
FROM seen GROUP BY id, text ORDER BY id, min(place);
