-- answers.sql: what utf8ext returns for many short inputs, a row each, to compare with the
-- decoders of other languages.
--
-- Inputs: every string of 0 to 2 bytes; every string of 3, 4 and 6 bytes from those on both
-- sides of the grammar's boundaries, fewer bytes for longer strings; the limits of the
-- sequences of four to six octets, complete and cut short; 20,000 pseudo-random strings of parts
-- of well-formed and ill-formed sequences.
--
-- Columns: Bytes are in hex. An each_ column has, for each row of utf8_each, the code point, or
-- '!' and the length of an ill-formed subpart.
WITH RECURSIVE
  bytes(high, edges, few, fewest, leads, seconds, mixed) AS (SELECT
    CAST(x'808182838485868788898A8B8C8D8E8F909192939495969798999A9B9C9D9E9F'
      || x'A0A1A2A3A4A5A6A7A8A9AAABACADAEAFB0B1B2B3B4B5B6B7B8B9BABBBCBDBEBF'
      || x'C0C1C2C3C4C5C6C7C8C9CACBCCCDCECFD0D1D2D3D4D5D6D7D8D9DADBDCDDDEDF'
      || x'E0E1E2E3E4E5E6E7E8E9EAEBECEDEEEFF0F1F2F3F4F5F6F7F8F9FAFBFCFDFEFF' AS BLOB),
    x'00417F808F909FA0AFB0BFC0C1C2DFE0E1EDEFF0F1F4F5F8FCFEFF',
    x'41808F90A0BFC2E0EDF0F4FF',
    x'4180A0B0ED',
    x'F0F1F3F4F5F7F8F9FBFCFDFE', x'80818384878F88909FA0BF41C2',
    CAST(x'4142C3A9E282ACF09F9880EDA0BDEDB8807AC080EDA080EDB08079E9FCF09080800078'
      || x'C2A0EFBFBDEFBBBFF4908080F88880808061FC8480808080FEFFED9FBFEE8080C1BFE080AF'
      || x'F08FBFBF93948D62' AS BLOB)),
  number(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM number WHERE n < 255),
  byte(x) AS (
    SELECT iif(n < 128, CAST(char(n) AS BLOB), substr(high, n - 127, 1)) FROM number, bytes),
  edge(x) AS (SELECT substr(edges, n + 1, 1) FROM number, bytes WHERE n < length(edges)),
  one(x) AS (SELECT substr(few, n + 1, 1) FROM number, bytes WHERE n < length(few)),
  least(x) AS (SELECT substr(fewest, n + 1, 1) FROM number, bytes WHERE n < length(fewest)),
  long(x) AS (
    SELECT CAST(substr(leads, a.n + 1, 1) || substr(seconds, b.n + 1, 1)
             || substr(tails, 1, c.n) AS BLOB)
    FROM bytes, number a, number b, number c,
      (SELECT x'80808080' AS tails UNION ALL SELECT x'BFBFBFBF' UNION ALL SELECT x'80BF8041')
    WHERE a.n < length(leads) AND b.n < length(seconds) AND c.n BETWEEN 1 AND 4),
  -- The random numbers are those of the generator in Numerical Recipes, of which the high bits
  -- are used. Each row appends 1 to 4 bytes to a string; one row in 16 starts a new string.
  random(i, state, x) AS (
    SELECT 1, 20031103, x''
    UNION ALL
    SELECT i + 1, (state * 1664525 + 1013904223) & 0xFFFFFFFF,
      iif((state >> 20) % 16 = 0, x'',
          CAST(x || substr(mixed, 1 + (state >> 8) % (length(mixed) - 3),
                           1 + (state >> 28) % 4) AS BLOB))
    FROM random, bytes WHERE i < 20000),
  input(x) AS (
    SELECT x'' UNION ALL
    SELECT x FROM byte UNION ALL
    SELECT CAST(a.x || b.x AS BLOB) FROM byte a, byte b UNION ALL
    SELECT CAST(a.x || b.x || c.x AS BLOB) FROM edge a, edge b, edge c UNION ALL
    SELECT CAST(a.x || b.x || c.x || d.x AS BLOB) FROM one a, one b, one c, one d UNION ALL
    SELECT CAST(a.x || b.x || c.x || d.x || e.x || f.x AS BLOB)
      FROM least a, least b, least c, least d, least e, least f UNION ALL
    SELECT x FROM long UNION ALL
    SELECT x FROM random)
SELECT hex(x) AS input,
  utf8_valid(x) AS valid,
  utf8_error(x) AS error,
  utf8_error_offset(x) AS offset,
  utf8_codepoints(x) AS codepoints,
  hex(utf8_repair(x)) AS subpart,
  hex(utf8_repair(x, 'byte')) AS bytewise,
  hex(utf8_repair(x, 'run')) AS runs,
  hex(utf8_repair(x, 'subpart', '')) AS empty,
  hex(utf8_repair(x, 'cesu-8')) AS cesu8,
  hex(utf8_repair(x, 'latin1')) AS latin1,
  hex(utf8_repair(x, 'windows-1252')) AS windows1252,
  hex(utf8_repair(x, 'escape')) AS escaped,
  (SELECT group_concat(ifnull(codepoint, '!' || length), ' ') FROM utf8_each(x))
    AS each_utf8,
  (SELECT group_concat(ifnull(codepoint, '!' || length), ' ') FROM utf8_each(x, 'rfc2044'))
    AS each_rfc2044,
  (SELECT group_concat(ifnull(codepoint, '!' || length), ' ') FROM utf8_each(x, 'cesu-8'))
    AS each_cesu8,
  (SELECT group_concat(ifnull(codepoint, '!' || length), ' ') FROM utf8_each(x, 'mutf-8'))
    AS each_mutf8,
  (SELECT group_concat(ifnull(codepoint, '!' || length), ' ') FROM utf8_each(x, 'wtf-8'))
    AS each_wtf8,
  (SELECT group_concat(ifnull(codepoint, '!' || length), ' ') FROM utf8_each(x, 'utf-8b'))
    AS each_utf8b
FROM input;
