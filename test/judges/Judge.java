// Judge.java: Java's decoders judge utf8ext.
//
//     java test/judges/Judge.java build/answers.tsv
//
// What decides what:
//   dialect mutf-8    DataInput.readUTF, and DataOutput.writeUTF for what it takes too much
//   dialect cesu-8    the charset CESU-8
//   utf8_valid        the charset UTF-8, reporting errors
//   dialect rfc2044   only that it takes what UTF-8 takes
//
// Where Java's rule is not ours:
//   - readUTF is laxer than the format that DataInput describes and writeUTF writes: it takes
//     a bare 00, overlong forms of two and three bytes, and any surrogate. So a text counts
//     as mutf-8 if readUTF takes it, writeUTF gives the very same bytes back, and every
//     surrogate in it is one of a pair (ours is a dialect of text, not of 16-bit units).
//   - The charset CESU-8 too takes lone surrogates. UTR 26 writes scalar values, of which a
//     surrogate is none; a text with one is an error.
//   - How an ill-formed text is cut into subparts is not judged: Java's decoder of UTF-8 gives
//     one U+FFFD for ED A0 80, where Unicode's maximal subparts are three.

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

public class Judge {
  /** The text's code points, or null if the charset's decoder reports an error. */
  static String decoded(byte[] text, String charset) {
    try {
      return codePoints(Charset.forName(charset).newDecoder().decode(ByteBuffer.wrap(text)));
    } catch (CharacterCodingException e) {
      return null;
    }
  }

  static String codePoints(CharSequence text) {
    return text.codePoints().mapToObj(Integer::toString).collect(Collectors.joining(" "));
  }

  static boolean hasLoneSurrogate(String codePoints) {
    return Arrays.stream(codePoints.split(" "))
        .filter(c -> !c.isEmpty())
        .mapToInt(Integer::parseInt)
        .anyMatch(c -> c >= 0xD800 && c <= 0xDFFF);
  }

  /** The text's code points, or null if it is no CESU-8. */
  static String cesu8(byte[] text) {
    String taken = decoded(text, "CESU-8");
    return taken == null || hasLoneSurrogate(taken) ? null : taken;
  }

  /** The text's code points, or null if it is no Modified UTF-8. */
  static String mutf8(byte[] text) throws IOException {
    ByteArrayOutputStream counted = new ByteArrayOutputStream();
    counted.write(text.length >> 8);
    counted.write(text.length);
    counted.write(text);
    String units;
    try {
      units = new DataInputStream(new ByteArrayInputStream(counted.toByteArray())).readUTF();
    } catch (IOException e) {
      return null;
    }
    ByteArrayOutputStream again = new ByteArrayOutputStream();
    new DataOutputStream(again).writeUTF(units);
    boolean same = Arrays.equals(again.toByteArray(), counted.toByteArray());
    String taken = codePoints(units);
    return same && !hasLoneSurrogate(taken) ? taken : null;
  }

  /** A well-formed text: its code points; another: at least one error. */
  static boolean same(String answer, String expected) {
    return expected == null ? answer.contains("!") : answer.equals(expected);
  }

  static Map<String, Boolean> verdicts(Map<String, String> row) throws IOException {
    byte[] text = HexFormat.of().parseHex(row.get("input").toLowerCase());
    String utf8 = decoded(text, "UTF-8");
    Map<String, Boolean> out = new LinkedHashMap<>();
    out.put("utf8_valid", row.get("valid").equals(utf8 == null ? "0" : "1"));
    out.put("utf8_each", same(row.get("each_utf8"), utf8));
    out.put("dialect rfc2044 takes what utf-8 takes",
        utf8 == null || row.get("each_rfc2044").equals(utf8));
    out.put("dialect cesu-8", same(row.get("each_cesu8"), cesu8(text)));
    out.put("dialect mutf-8", same(row.get("each_mutf8"), mutf8(text)));
    return out;
  }

  public static void main(String[] args) throws IOException {
    String[] names = null;
    int inputs = 0;
    Map<String, Integer> wrong = new LinkedHashMap<>();
    Map<String, String> first = new HashMap<>();
    for (String line : (Iterable<String>) Files.lines(Path.of(args[0]))::iterator) {
      String[] cells = line.split("\t", -1);
      if (names == null) {
        names = cells;
        continue;
      }
      Map<String, String> row = new HashMap<>();
      for (int i = 0; i < names.length; i++) row.put(names[i], cells[i]);
      inputs++;
      for (Map.Entry<String, Boolean> verdict : verdicts(row).entrySet()) {
        wrong.merge(verdict.getKey(), verdict.getValue() ? 0 : 1, Integer::sum);
        if (!verdict.getValue()) first.putIfAbsent(verdict.getKey(), row.get("input"));
      }
    }
    int failed = 0;
    for (String name : wrong.keySet()) {
      int count = wrong.get(name);
      if (count > 0) failed++;
      System.out.println(count == 0 ? "ok Java: " + name
          : "not ok Java: " + name + ": " + count + " differ, first " + first.get(name));
    }
    System.out.println("Java " + System.getProperty("java.version") + " on " + inputs + " inputs");
    System.out.println((wrong.size() - failed) + " passed, " + failed + " failed");
    System.exit(failed > 0 || inputs == 0 ? 1 : 0);
  }
}
