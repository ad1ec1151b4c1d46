// Judge.java: compares utf8ext with Java's decoders.
//
//     java test/judges/Judge.java build/answers.tsv
//
//   dialect mutf-8    DataInput.readUTF, and DataOutput.writeUTF
//   dialect cesu-8    the charset CESU-8
//   utf8_valid        the charset UTF-8, which reports errors
//   dialect rfc2044   accepts what UTF-8 accepts
//
// Where Java's rules differ from utf8ext's:
//   - readUTF accepts more than the format that DataInput documents and writeUTF writes: a bare
//     00, overlong sequences of two and three bytes, and lone surrogates. So text counts as mutf-8
//     if readUTF accepts it, writeUTF gives the same bytes again, and every surrogate is in a
//     pair, since mutf-8 in utf8ext is a dialect of text, not of 16-bit units.
//   - The charset CESU-8 accepts lone surrogates. UTR 26 encodes scalar values only, so text with
//     a lone surrogate counts as ill-formed.
//   - How ill-formed text is divided into subparts is not compared: Java's UTF-8 decoder gives one
//     U+FFFD for ED A0 80, which is three maximal subparts.

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
  /** The code points of the text, or null if the charset's decoder reports an error. */
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

  /** The code points of the text, or null if it is not CESU-8. */
  static String cesu8(byte[] text) {
    String accepted = decoded(text, "CESU-8");
    return accepted == null || hasLoneSurrogate(accepted) ? null : accepted;
  }

  /** The code points of the text, or null if it is not Modified UTF-8. */
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
    String accepted = codePoints(units);
    return same && !hasLoneSurrogate(accepted) ? accepted : null;
  }

  /** Is the answer the expected code points or, if these are null, does it have an error? */
  static boolean agrees(String answer, String expected) {
    return expected == null ? answer.contains("!") : answer.equals(expected);
  }

  static Map<String, Boolean> comparisons(Map<String, String> row) throws IOException {
    byte[] text = HexFormat.of().parseHex(row.get("input").toLowerCase());
    String utf8 = decoded(text, "UTF-8");
    Map<String, Boolean> out = new LinkedHashMap<>();
    out.put("utf8_valid", row.get("valid").equals(utf8 == null ? "0" : "1"));
    out.put("utf8_each", agrees(row.get("each_utf8"), utf8));
    out.put("dialect rfc2044 accepts what utf-8 accepts",
        utf8 == null || row.get("each_rfc2044").equals(utf8));
    out.put("dialect cesu-8", agrees(row.get("each_cesu8"), cesu8(text)));
    out.put("dialect mutf-8", agrees(row.get("each_mutf8"), mutf8(text)));
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
      for (Map.Entry<String, Boolean> comparison : comparisons(row).entrySet()) {
        wrong.merge(comparison.getKey(), comparison.getValue() ? 0 : 1, Integer::sum);
        if (!comparison.getValue()) first.putIfAbsent(comparison.getKey(), row.get("input"));
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
