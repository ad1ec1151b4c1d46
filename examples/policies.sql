-- policies.sql: how each policy of utf8_repair repairs the same bytes.
--
--     sqlite3 -box :memory: '.load ./utf8ext' '.read examples/policies.sql'
--
-- Characters that are invisible, or of different width on different terminals, are shown as
-- U+0080, U+1F600.
CREATE TEMP TABLE example(id INTEGER PRIMARY KEY, bytes BLOB);
INSERT INTO example(bytes) VALUES
  (x'E28241'), (x'C080'), (x'EDA0BDEDB880'), (x'80'),
  (x'C3A9E9'), (x'F09F9841');

CREATE TEMP VIEW repaired AS
  SELECT e.id, e.bytes, p.value AS policy,
    (SELECT group_concat(
        CASE WHEN codepoint BETWEEN 33 AND 126 OR codepoint BETWEEN 161 AND 65278 OR char = '�'
             THEN char ELSE notation END, ' ')
     FROM utf8_each(utf8_repair(e.bytes, p.value))) AS text
  FROM example e,
    json_each('["subpart","byte","run","cesu-8","windows-1252","escape"]') p;

SELECT hex(bytes) AS input,
  max(CASE policy WHEN 'subpart' THEN text END) AS subpart,
  max(CASE policy WHEN 'byte' THEN text END) AS "byte",
  max(CASE policy WHEN 'run' THEN text END) AS "run",
  max(CASE policy WHEN 'cesu-8' THEN text END) AS "cesu-8",
  max(CASE policy WHEN 'windows-1252' THEN text END) AS "windows-1252",
  max(CASE policy WHEN 'escape' THEN replace(text, ' ', '') END) AS "escape"
FROM repaired GROUP BY id ORDER BY id;
