package spindle;

import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Answers the questions of the suite (conformance/target/child/SCHEDULERS.md) about one scheduler. */
final class Driver {
    private final Adapter adapter;
    private final OutputStream out = new FileOutputStream(FileDescriptor.out);
    private final List<Outside> outside = new ArrayList<>();
    private Run run; // the one that goes on, or the last one
    private volatile boolean running;

    Driver(Adapter adapter) {
        this.adapter = adapter;
    }

    /** A thread outside. It is kept from run to run. */
    private final class Outside extends Thread {
        private final int index;
        private Run next;
        private long seq;

        Outside(int index) {
            super("outside-" + index);
            this.index = index;
            setDaemon(true);
            start();
        }

        synchronized void hand(Run run, long seq) {
            next = run;
            this.seq = seq;
            notify();
        }

        private synchronized Run take() throws InterruptedException {
            while (next == null) {
                wait();
            }
            Run run = next;
            next = null;
            return run;
        }

        @Override
        public void run() {
            try {
                for (;;) {
                    Run run = take();
                    run.thread(index);
                    if (index == 0) {
                        running = false;
                        say(seq, "\"events\":" + run.json());
                    }
                }
            } catch (Throwable e) {
                Run.die(e);
            }
        }
    }

    /** Answers until the input ends. */
    void serve() throws IOException {
        line(adapter.hello());
        var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String question; (question = in.readLine()) != null;) {
            long seq = 0;
            try {
                var map = (Map<?, ?>) Json.read(question);
                seq = (Long) map.get("seq");
                switch (String.valueOf(map.get("cmd"))) {
                    case "run" -> run((Map<?, ?>) map.get("graph"), seq);
                    case "look" -> say(seq, run == null ? "\"now\":0,\"sofar\":[]" : run.look());
                    case "release" -> {
                        if (run != null) {
                            run.release();
                        }
                        say(seq, "");
                    }
                    default -> throw new IllegalArgumentException("unknown cmd " + map.get("cmd"));
                }
            } catch (RuntimeException e) {
                say(seq, "\"error\":" + Json.quote(e.toString()));
            }
        }
    }

    private void run(Map<?, ?> graph, long seq) {
        if (running) {
            throw new IllegalStateException("one run at a time");
        }
        run = new Run(graph, adapter);
        running = true;
        while (outside.size() < run.threads()) {
            outside.add(new Outside(outside.size()));
        }
        for (int i = 0; i < run.threads(); i++) {
            outside.get(i).hand(run, seq);
        }
    }

    private void say(long seq, String fields) throws IOException {
        line("{\"seq\":" + seq + (fields.isEmpty() ? "" : "," + fields) + "}");
    }

    private void line(String json) throws IOException {
        byte[] bytes = (json + "\n").getBytes(StandardCharsets.UTF_8);
        synchronized (out) {
            out.write(bytes);
        }
    }
}
