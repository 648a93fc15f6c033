package spindle;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;

/** The children of this folder: {@code java -jar spindle.jar NAME} is one of them, {@code --list} names them. */
final class Child {
    static final String JDK = Runtime.version().toString();

    private static final Map<String, Callable<Adapter>> ALL = new LinkedHashMap<>();

    static {
        ALL.put("fjp", ForkJoin::lifo);
        ALL.put("fjp-fifo", ForkJoin::fifo);
        ALL.put("tpe", ThreadPool::adapter);
        ALL.put("virtual", Virtual::adapter);
        ALL.put("kotlin", () -> elsewhere("spindle.libraries.Kotlin"));
        ALL.put("right", () -> Pool.adapter("right", Pool.Fault.NONE));
        ALL.put("wrong-wake", () -> Pool.adapter("wrong-wake", Pool.Fault.WAKE));
        ALL.put("wrong-close", () -> Pool.adapter("wrong-close", Pool.Fault.CLOSE));
        ALL.put("wrong-twice", () -> Pool.adapter("wrong-twice", Pool.Fault.TWICE));
        ALL.put("wrong-spin", () -> Pool.adapter("wrong-spin", Pool.Fault.SPIN));
        ALL.put("wrong-leave", () -> Pool.adapter("wrong-leave", Pool.Fault.LEAVE));
    }

    private Child() {}

    /** The adapter of a library that may be absent. */
    private static Adapter elsewhere(String name) throws Exception {
        try {
            return (Adapter) Class.forName(name).getMethod("adapter").invoke(null);
        } catch (ClassNotFoundException | NoClassDefFoundError e) {
            throw new UnsupportedOperationException("needs its library: build by Maven");
        }
    }

    private static void list() throws Exception {
        for (String name : ALL.keySet()) {
            try {
                ALL.get(name).call();
                System.out.println(name);
            } catch (UnsupportedOperationException e) {
                System.out.println(name + ": " + e.getMessage());
            }
        }
    }

    public static void main(String[] args) throws Exception {
        if (args.length == 1 && args[0].equals("--list")) {
            list();
            return;
        }
        if (args.length != 1 || !ALL.containsKey(args[0])) {
            System.err.println("expected one of " + ALL.keySet() + ", or --list");
            System.exit(2);
        }
        Thread.setDefaultUncaughtExceptionHandler((thread, e) -> {
            if (!(e instanceof Run.OnPurpose)) {
                Run.die(e);
            }
        });
        new Driver(ALL.get(args[0]).call()).serve();
        Runtime.getRuntime().halt(0);
    }
}
