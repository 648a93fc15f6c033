package spindle;

import java.util.List;
import java.util.function.IntFunction;

/**
 * A scheduler as the suite knows it.
 *
 * @param name of the scheduler, such as {@code java-tpe}
 * @param version of the library
 * @param contract what it promises where that differs from the profile {@code pool}, such as {@code order=fifo,panics=isolated}
 * @param offers the capabilities, separated by blanks
 * @param notes lines for people
 * @param make makes a scheduler with so many workers
 */
public record Adapter(String name, String version, String contract, String offers, List<String> notes, IntFunction<Scheduler> make) {
    boolean offers(String what) {
        return List.of(offers.split(" ")).contains(what);
    }

    /**
     * How the names of threads begin that a JVM has for itself: collectors, compilers, and those that wait for signals and references. The system shows 15 letters.
     */
    private static final List<String> HOUSEKEEPING = List.of(
        "GC Thread", "G1 ", "VM Thread", "VM Periodic", "C1 CompilerThre", "C2 CompilerThre", "Sweeper thread", "Service Thread", "Monitor Deflati",
        "Common-Cleaner", "Cleaner-", "Signal Dispatch", "Finalizer", "Reference Handl", "Notification Th", "Attach Listener", "DestroyJavaVM");

    String hello() {
        var contract = new StringBuilder();
        for (String choice : contract().isEmpty() ? new String[0] : contract().split(",")) {
            String[] value = choice.split("=", 2);
            contract.append(contract.length() > 0 ? "," : "").append(Json.quote(value[0])).append(':').append(Json.quote(value[1]));
        }
        var capabilities = new StringBuilder();
        for (String what : offers.isEmpty() ? new String[0] : offers.split(" ")) {
            capabilities.append(capabilities.length() > 0 ? "," : "").append(Json.quote(what)).append(":true");
        }
        return "{\"hello\":{\"protocol\":3,\"subject\":\"scheduler\",\"name\":" + Json.quote(name) + ",\"version\":" + Json.quote(version) + ",\"profile\":\"pool\""
            + ",\"contract\":{" + contract + "},\"capabilities\":{" + capabilities + "},\"housekeeping\":" + Json.quote(HOUSEKEEPING) + ",\"notes\":" + Json.quote(notes) + "}}";
    }
}
