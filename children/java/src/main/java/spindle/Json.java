package spindle;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The JSON of a question: maps, lists, strings, whole numbers as Long, others as Double, true, false and null. It is here, and not a library's, so that javac alone builds the driver.
 */
final class Json {
    private final String text;
    private int at;

    private Json(String text) {
        this.text = text;
    }

    /** Reads one value. IllegalArgumentException says where the text is none. */
    static Object read(String text) {
        var json = new Json(text);
        Object value = json.value(0);
        json.blanks();
        if (json.at < text.length()) {
            throw json.wrong("the end");
        }
        return value;
    }

    static String quote(String s) {
        var out = new StringBuilder("\"");
        for (int i = 0; i < s.length(); i++) {
            char c = s.charAt(i);
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < ' ' || Character.isSurrogate(c)) {
                out.append(String.format("\\u%04x", (int) c));
            } else {
                out.append(c);
            }
        }
        return out.append('"').toString();
    }

    static String quote(List<String> list) {
        return "[" + String.join(",", list.stream().map(Json::quote).toList()) + "]";
    }

    private IllegalArgumentException wrong(String expected) {
        return new IllegalArgumentException("the question is no JSON: expected " + expected + " at byte " + at);
    }

    private void blanks() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
    }

    private boolean next(char c) {
        blanks();
        boolean there = at < text.length() && text.charAt(at) == c;
        at += there ? 1 : 0;
        return there;
    }

    private void expect(char c) {
        if (!next(c)) {
            throw wrong("'" + c + "'");
        }
    }

    private Object value(int depth) {
        if (depth > 100) {
            throw wrong("less depth");
        }
        if (next('{')) {
            var map = new HashMap<String, Object>();
            while (!next('}')) {
                if (!map.isEmpty()) {
                    expect(',');
                }
                expect('"');
                String key = string();
                expect(':');
                map.put(key, value(depth + 1));
            }
            return map;
        }
        if (next('[')) {
            var list = new ArrayList<Object>();
            while (!next(']')) {
                if (!list.isEmpty()) {
                    expect(',');
                }
                list.add(value(depth + 1));
            }
            return list;
        }
        if (next('"')) {
            return string();
        }
        int from = at;
        while (at < text.length() && ",]} \t\r\n".indexOf(text.charAt(at)) < 0) {
            at++;
        }
        String word = text.substring(from, at);
        try {
            return switch (word) {
                case "true" -> true;
                case "false" -> false;
                case "null" -> null;
                default -> word.matches("-?\\d{1,18}") ? (Object) Long.parseLong(word) : (Object) Double.parseDouble(word);
            };
        } catch (NumberFormatException e) {
            at = from;
            throw wrong("a value");
        }
    }

    private String string() { // behind its first quote
        var out = new StringBuilder();
        for (; at < text.length() && text.charAt(at) != '"'; at++) {
            char c = text.charAt(at);
            if (c == '\\' && ++at < text.length()) {
                c = text.charAt(at);
                int escape = "bfnrt".indexOf(c);
                if (escape >= 0) {
                    c = "\b\f\n\r\t".charAt(escape);
                } else if (c == 'u' && at + 4 < text.length()) {
                    c = (char) Integer.parseInt(text.substring(at + 1, at + 5), 16);
                    at += 4;
                }
            }
            out.append(c);
        }
        if (at++ >= text.length()) {
            throw wrong("the end of a string");
        }
        return out.toString();
    }
}
