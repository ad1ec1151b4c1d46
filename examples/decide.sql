-- decide.sql: chooses a policy of utf8_repair() for each ill-formed value of a table.
--
-- Input: imported, the table; header(cid, name), its columns; found(cid, row, value,
-- offset, error, charset), its ill-formed values, of which those with row 0 are column names.
-- Output: decision(cid, row, policy, reason). Also writes build/demo/count.sql.
--
-- The bytes of a value decide its charset; if two are possible, the other values of its column
-- decide. The rules use the shapes of words, not those of any language, so they cannot
-- distinguish Windows-1252 from a charset that differs in a few letters, such as Windows-1254.

-- ---- rules for the bytes of one value -------------------------------------------------------

-- Each value is first read as Windows-1252: utf8_repair(value, 'windows-1252'). The first rule
-- whose pattern matches gives the reason for the policy.
CREATE TEMP TABLE rule(id INTEGER PRIMARY KEY, reason, pattern);
INSERT INTO rule(reason, pattern) VALUES
-- Text has no control characters except TAB, LF and CR.
('not text', '*{control}*'),
-- C0 or C1 and a continuation byte: an overlong ASCII character, as in an attack.
('overlong UTF-8', '*[ÀÁ]{symbol}*'),
('overlong UTF-8', '*[ÀÁ][®»]*'),
-- ED, A0..BF and 80..BF: a surrogate.
('lone surrogate', '*í[ -¿]{symbol}*'),
-- E2 80 starts a dash or a quotation mark in UTF-8, F0 9F an emoji.
('damaged UTF-8', '*â€*'),
('damaged UTF-8', '*ðŸ*'),
-- The value has well-formed characters of a script that Windows-1252 lacks.
('damaged UTF-8', '*{foreign}*'),
-- Windows-1252 has no characters for 81, 8D, 8F, 90 and 9D.
('another charset', '*{undefined}*'),
-- A lead byte and a continuation byte are an accented letter and, usually, a symbol.
('unclear', '*{accented}{symbol}*'),
-- Letters of Mac Roman, code page 850, ISO-8859-2 and Shift_JIS are symbols, or 8A..9F.
('unclear', '*{letter}{mark}{letter}*'),
('unclear', '*{small}{capital}*'),
('unclear', '*[A-ZÀ-ÖØ-Þ]{capital}{small}*'),
('unclear', '*[¹²³ƒ]{letter}*'),
('unclear', '*[‚„]{symbol}*'),
('unclear', '*[¤¦¨¬¯¸ˆ˜]*');

UPDATE rule SET pattern = replace(pattern, '{control}', printf('[%s-%s%s%s%s-%s%s]',
  char(1), char(8), char(11), char(12), char(14), char(31), char(127)));
UPDATE rule SET pattern = replace(pattern, '{undefined}', printf('[%s-%s]', char(0x80), char(0x9F)));
-- Greek to Ethiopic and Kana to Hangul, without Latin letters, punctuation and emoji.
UPDATE rule SET pattern = replace(pattern, '{foreign}', printf('[%s-%s%s-%s]',
  char(0x370), char(0x1DFF), char(0x3041), char(0xD7FF)));
UPDATE rule SET pattern = replace(pattern, '{small}', '[a-zß-öø-ÿšœž]');
UPDATE rule SET pattern = replace(pattern, '{capital}', '[À-ÖØ-ÞŠŒŽŸ]');
UPDATE rule SET pattern = replace(pattern, '{accented}', '[À-ÖØ-öø-ÿŠŒŽšœžŸ]');
UPDATE rule SET pattern = replace(pattern, '{letter}', '[A-Za-zÀ-ÖØ-öø-ÿŠŒŽšœžŸ]');
-- 80..BF without letters and marks that can follow a word.
UPDATE rule SET pattern = replace(pattern, '{symbol}', '[€‚ƒ„†‡ˆ‰‹•˜¡-ª¬¯-³µ¶¸-º¼-¿]');
-- 80..BF, D7 and F7 without letters and marks that can be inside a word.
UPDATE rule SET pattern = replace(pattern, '{mark}', '[€‚ƒ„†‡ˆ‰‹“”•˜™›¡-©«¬¯±-³¶¸¹»-¿×÷]');

-- The characters of each range of lead bytes.
CREATE TEMP TABLE block(first_lead, last_lead, pattern);
INSERT INTO block SELECT column1, column2, printf('*[%s-%s]*', char(column3), char(column4)) FROM (VALUES
  (x'C2', x'C3', 0xA1, 0xFF),       -- Latin letters of the west of Europe
  (x'C4', x'C5', 0x100, 0x17F),     -- Latin letters of the east of Europe
  (x'C6', x'CB', 0x180, 0x2FF),     -- rare Latin letters
  (x'CC', x'CF', 0x300, 0x3FF),     -- Greek
  (x'D0', x'D4', 0x400, 0x52F),     -- Cyrillic
  (x'D5', x'D7', 0x530, 0x5FF),     -- Armenian, Hebrew
  (x'D8', x'DF', 0x600, 0x7FF),     -- Arabic
  (x'E0', x'E0', 0x800, 0xFFF),     -- Devanagari, Thai
  (x'E1', x'E1', 0x1000, 0x1FFF),   -- Georgian; Latin letters of Vietnamese
  (x'E2', x'E2', 0x2000, 0x2FFF),   -- punctuation
  (x'E3', x'E9', 0x3000, 0x9FFF),   -- Chinese, Japanese
  (x'EA', x'EF', 0xA000, 0xFFEF),   -- Korean
  (x'F0', x'F4', 0x10000, 0x10FFFF), -- emoji
  (NULL, NULL, 0x80, 0x10FFFF)       -- any character beyond ASCII
);

-- cut: the pattern of the character that was cut, if the only error is that the value ends
-- inside a character; else NULL.
CREATE TEMP TABLE reading(cid, row, reason, cut, PRIMARY KEY (cid, row)) WITHOUT ROWID;
INSERT INTO reading
SELECT cid, row, coalesce(
         CASE
         -- The policy cesu-8 decodes surrogate pairs and Java's NUL, which no CSV file can have.
         WHEN utf8_repair(value, 'cesu-8') <> utf8_repair(value) THEN
           iif(instr(CAST(utf8_repair(value, 'cesu-8') AS BLOB), x'00'), 'Java''s NUL', 'surrogate pairs')
         WHEN charset = 'binary' OR charset GLOB 'utf-16*' OR charset GLOB 'utf-32*' THEN 'not text'
         -- A cut character after others of its range: Françoise de La Rochef\xc3.
         WHEN utf8_truncate(value, offset) GLOB block.pattern THEN 'cut UTF-8'
         END,
         -- Most values have only ASCII and small accented letters, which no rule matches.
         iif(western GLOB '*[^ -~ß-öø-ÿ]*',
             (SELECT rule.reason FROM rule WHERE western GLOB rule.pattern ORDER BY id LIMIT 1), NULL),
         -- Text in Greek, Russian, Hebrew or Chinese reads as accented letters only, but
         -- languages of Windows-1252 have ASCII letters in nearly every word.
         iif(western GLOB '*[À-öø-ÿ][À-öø-ÿ][À-öø-ÿ][À-öø-ÿ]*' OR
             3 * length(CAST(utf8_repair(value, 'run', '') AS BLOB)) < length(CAST(value AS BLOB)),
             'unclear', 'Windows-1252')),
       block.pattern
  FROM (SELECT *, utf8_repair(value, 'windows-1252') AS western FROM found)
  LEFT JOIN block ON error = 'truncated' AND
       substr(CAST(value AS BLOB), offset + 1, 1) BETWEEN first_lead AND last_lead;

-- ---- the other values of the column -------------------------------------------------------

-- n: how many values of a column are UTF-8 and match the pattern: that of any character beyond
-- ASCII, or that of a cut character.
CREATE TEMP TABLE utf8(cid, pattern, n, PRIMARY KEY (cid, pattern)) WITHOUT ROWID;
INSERT INTO utf8
SELECT DISTINCT cid, pattern, 0 FROM reading, block WHERE first_lead IS NULL OR pattern = cut;

.once build/demo/count.sql
SELECT printf('UPDATE utf8 SET n = (SELECT count(*) FROM imported WHERE "%w" GLOB pattern AND utf8_valid("%w"))
  WHERE cid = %d;', name, name, cid) FROM header WHERE cid IN (SELECT cid FROM reading);
.read build/demo/count.sql
UPDATE utf8 SET n = n + (SELECT count(*) FROM reading r
  WHERE r.cid = utf8.cid AND reason = 'cut UTF-8' AND
        pattern IN (cut, (SELECT b.pattern FROM block b WHERE first_lead IS NULL)));

-- For each column: how many values read as Windows-1252, how many may be in another charset, and
-- how many are UTF-8.
CREATE TEMP TABLE tally(cid INTEGER PRIMARY KEY, western, other, utf8);
INSERT INTO tally
SELECT cid, sum(reason = 'Windows-1252'), sum(reason IN ('unclear', 'another charset')),
       (SELECT max(n) FROM utf8 WHERE utf8.cid = reading.cid)
  FROM reading GROUP BY cid;

-- The counts that decide for a column: its own, or those of all columns if they are small.
CREATE TEMP TABLE evidence(cid INTEGER PRIMARY KEY, western, other, utf8);
INSERT INTO evidence
SELECT t.cid, sum(u.western), sum(u.other), sum(u.utf8)
  FROM tally t JOIN tally u ON u.cid = t.cid OR t.western + t.other < 10 GROUP BY t.cid;

-- ---- the decision -------------------------------------------------------------------------

CREATE TABLE decision(cid, row, reason, policy AS (CASE reason WHEN 'Windows-1252' THEN 'windows-1252'
  WHEN 'surrogate pairs' THEN 'cesu-8' ELSE 'subpart' END), PRIMARY KEY (cid, row)) WITHOUT ROWID;
INSERT INTO decision(cid, row, reason)
SELECT r.cid, row,
       CASE
       WHEN reason IN ('surrogate pairs', 'Java''s NUL', 'not text') THEN reason
       -- More values of the column have a character in the range of the cut one than are
       -- Windows-1252.
       WHEN (SELECT n FROM utf8 WHERE utf8.cid = r.cid AND pattern = cut) >
            (SELECT western FROM tally WHERE tally.cid = r.cid) THEN 'cut UTF-8'
       -- Values in another charset sometimes look like Windows-1252 or UTF-8 by chance.
       WHEN other > western + utf8 THEN 'another charset'
       WHEN reason = 'Windows-1252' THEN iif(other > western, 'unclear', reason)
       -- Nearly all values of the column are Windows-1252, so this one is taken as such.
       WHEN reason = 'unclear' THEN iif(western > 9 * (other + utf8), 'Windows-1252', reason)
       ELSE reason
       END
  FROM reading r JOIN evidence e ON e.cid = r.cid;
