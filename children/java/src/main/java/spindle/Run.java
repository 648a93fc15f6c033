package spindle;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A task graph on a fresh scheduler, and the log of what happened. The monitor of the run guards the log and all counts, so that the order of the log is the order in which they changed.
 */
final class Run {
    /** Who closes the scheduler where no script does. Thread i is ~i. */
    private static final int DRIVER = -1 << 30;

    /** What tasks throw on purpose. */
    static final class OnPurpose extends RuntimeException {
        private static final long serialVersionUID = 1;

        OnPurpose() {
            super("SC-PANIC: a task of the suite ends by an exception, as the contract (panics=isolated) allows", null, false, false);
        }
    }

    private record Step(char op, int arg, String text) {}

    private record Noted(String what, int who, String step, long at, String text) {}

    /** What happens once, for ever. */
    private static final class Event {
        private final CountDownLatch happened = new CountDownLatch(1);
        private final List<Thread> parked = new ArrayList<>(); // guarded by itself
        int expected; // at a meeting
        int came; // guarded by the run

        boolean happened() {
            return happened.getCount() == 0;
        }

        void happen(Scheduler scheduler) {
            happened.countDown();
            synchronized (parked) {
                parked.forEach(scheduler::ready);
                parked.clear();
            }
        }

        void await() { // goes on waiting when a scheduler interrupts its worker
            boolean interrupted = false;
            while (!happened()) {
                try {
                    happened.await();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }

        boolean park(Scheduler scheduler) {
            synchronized (parked) {
                if (happened()) {
                    return false;
                }
                parked.add(Thread.currentThread());
            }
            while (!happened()) {
                scheduler.park();
            }
            return true;
        }
    }

    private final List<List<Step>> threads = new ArrayList<>();
    private final List<List<Step>> tasks = new ArrayList<>();
    private final List<Event> events = new ArrayList<>();
    private final List<Event> ends = new ArrayList<>(); // of tasks
    private final Runnable[] forked; // by task: its join, of the task that has forked it
    private final boolean last; // nothing is submitted once Close has returned
    private final long most; // how many events the log may have
    private final Consumer<String> answer;
    private boolean answered;
    private boolean scripted; // a script closes the scheduler
    private final Scheduler scheduler;
    private final long begin;

    private final List<Noted> log = new ArrayList<>();
    private final boolean[] submitted; // by task
    private final boolean[] ended;
    private int pending; // tasks that were submitted, and have neither ended nor been refused
    private int outside; // threads that have not ended
    private boolean closed; // Close has returned
    private boolean released;
    private final AtomicInteger missing; // threads that are not there yet
    private final LongAdder turns = new LongAdder();

    /** Makes the scheduler. The fields of the answer go to {@code answer}, once. An exception says why the graph cannot be run here. */
    Run(Map<?, ?> graph, Adapter adapter, Consumer<String> answer) {
        this.answer = answer;
        for (Object script : (List<?>) graph.get("outside")) {
            threads.add(parse((String) script, adapter, false));
        }
        for (Object script : (List<?>) graph.get("tasks")) {
            tasks.add(parse((String) script, adapter, true));
            ends.add(new Event());
        }
        for (List<List<Step>> scripts : List.of(threads, tasks)) {
            for (List<Step> script : scripts) {
                for (Step s : script) {
                    if (s.arg < 0 || s.arg >= 1000 && "awmpblhk".indexOf(s.op) >= 0 || s.arg >= tasks.size() && "sjfn".indexOf(s.op) >= 0) {
                        throw new IllegalArgumentException("the step " + s.text + " is about what is not there");
                    }
                    while ("awmpblhk".indexOf(s.op) >= 0 && events.size() <= s.arg) {
                        events.add(new Event());
                    }
                    if (s.op == 'm') {
                        events.get(s.arg).expected++;
                    }
                    scripted |= s.op == 'c';
                }
            }
        }
        if (threads.isEmpty()) {
            throw new IllegalArgumentException("a graph has at least one thread outside");
        }
        last = Boolean.TRUE.equals(graph.get("last"));
        most = graph.get("most") instanceof Long n ? n : Long.MAX_VALUE;
        forked = new Runnable[tasks.size()];
        submitted = new boolean[tasks.size()];
        ended = new boolean[tasks.size()];
        outside = threads.size();
        missing = new AtomicInteger(outside);
        scheduler = adapter.make().apply(((Long) graph.get("workers")).intValue());
        begin = System.nanoTime();
    }

    private static final Pattern STEP = Pattern.compile(" *([a-z])([0-9]{0,9}) *");

    private static List<Step> parse(String script, Adapter adapter, boolean inTask) {
        var steps = new ArrayList<Step>();
        Matcher m = STEP.matcher(script);
        for (int at = 0; at < script.length(); at = m.end()) {
            if (!m.find(at) || m.start() != at) {
                throw new IllegalArgumentException("no step at byte " + at + " of the script " + script);
            }
            char op = m.group(1).charAt(0);
            String text = m.group(1) + m.group(2);
            boolean numbered = "sawmjpblhzkfnr".indexOf(op) >= 0;
            if (numbered == m.group(2).isEmpty() || (inTask ? "vc" : "pblhkfnyx").indexOf(op) >= 0 || "sawmjpblhzkfnryxvc".indexOf(op) < 0) {
                throw new IllegalArgumentException("unknown step " + text);
            }
            String needs = switch (op) {
                case 'p' -> "park";
                case 'b' -> "block";
                case 'y', 'l' -> "yield";
                case 'z', 'k' -> inTask ? "sleep" : "";
                case 'f', 'n' -> "join";
                case 'r' -> inTask ? "resize_inside" : "resize";
                case 'v' -> "wait";
                default -> "";
            };
            if (!needs.isEmpty() && !adapter.offers(needs)) {
                throw new IllegalArgumentException("the step " + text + " needs " + needs + ", which is not offered");
            }
            steps.add(new Step(op, numbered ? Integer.parseInt(m.group(2)) : 0, text));
        }
        return steps;
    }

    /** How many threads outside the graph has. */
    int threads() {
        return threads.size();
    }

    private synchronized void note(String what, int who, String step, String text) {
        if (log.size() >= most) {
            if (!answered) {
                answered = true;
                answer.accept("\"full\":true");
            }
            return;
        }
        log.add(new Noted(what, who, step, System.nanoTime() - begin, text));
    }

    /** The log so far, as JSON. */
    synchronized String json() {
        var out = new StringBuilder(64 * log.size() + 2).append('[');
        for (Noted n : log) {
            out.append(out.length() > 1 ? "," : "").append("[\"").append(n.what).append("\",").append(n.who).append(",\"").append(n.step).append("\",").append(n.at);
            if (!n.text.isEmpty()) {
                out.append(',').append(Json.quote(n.text));
            }
            out.append(']');
        }
        return out.append(']').toString();
    }

    /** The clock of the run, and the log, as the fields of an answer. */
    synchronized String look() {
        return "\"now\":" + (System.nanoTime() - begin) + ",\"sofar\":" + json() + ",\"turns\":" + turns.sum();
    }

    /** Lets all go on that waits by the driver's means. */
    void release() {
        synchronized (this) {
            note("release", DRIVER, "", "");
            released = true;
            notifyAll();
        }
        events.forEach(e -> e.happen(scheduler));
        ends.forEach(e -> e.happen(scheduler));
    }

    private synchronized void await(BooleanSupplier done) {
        while (!done.getAsBoolean()) {
            try {
                wait();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e); // nothing interrupts the threads outside
            }
        }
    }

    /** Runs the script of a thread outside. Thread 0 then waits for all else, closes the scheduler, and answers. */
    void thread(int i) {
        together();
        for (Step s : threads.get(i)) {
            step(s, ~i);
        }
        synchronized (this) {
            note("ends", ~i, "", "");
            outside--;
            notifyAll();
        }
        if (i > 0) {
            return;
        }
        await(() -> released || outside == 0 && pending == 0);
        if (!scripted) {
            close(DRIVER);
        }
        await(() -> outside == 0 && pending == 0);
        synchronized (this) {
            if (!answered) {
                answered = true;
                answer.accept("\"events\":" + json());
            }
        }
    }

    /** Waits until all threads are there, if none is very late: else the first one is often done before the next one begins. */
    private void together() {
        missing.decrementAndGet();
        for (int looks = 0; missing.get() > 0 && looks < 20_000; looks++) {
            if (looks % 1000 == 999) {
                Thread.yield();
            } else {
                Thread.onSpinWait();
            }
        }
    }

    private void task(int k) {
        note("begins", k, "", "");
        try {
            for (Step s : tasks.get(k)) {
                step(s, k);
            }
        } finally {
            synchronized (this) {
                note("ends", k, "", "");
                counted(k);
            }
            ends.get(k).happen(scheduler);
        }
    }

    private synchronized void submitted(int k) { // once, though the task that submits it may run twice
        if (!submitted[k]) {
            submitted[k] = true;
            pending++;
        }
    }

    private synchronized void counted(int k) { // task k has ended, or was refused
        if (!ended[k]) {
            ended[k] = true;
            pending--;
            notifyAll();
        }
    }

    /** Does for a task that will not run what others may wait for. */
    private void refused(int k) {
        for (Step s : tasks.get(k)) {
            switch (s.op) {
                case 'a' -> events.get(s.arg).happen(scheduler);
                case 'm' -> arrives(events.get(s.arg));
                case 's', 'f' -> {
                    submitted(s.arg);
                    refused(s.arg);
                }
                default -> { }
            }
        }
        counted(k);
        ends.get(k).happen(scheduler);
    }

    private void arrives(Event meeting) {
        boolean all;
        synchronized (this) {
            all = ++meeting.came == meeting.expected;
        }
        if (all) {
            meeting.happen(scheduler);
        }
    }

    private void step(Step s, int who) {
        switch (s.op) {
            case 'a' -> {
                events.get(s.arg).happen(scheduler);
                note("did", who, s.text, "");
            }
            case 'x' -> throw new OnPurpose();
            case 's', 'f' -> submit(s, who);
            case 'c' -> close(who);
            default -> {
                note("does", who, s.text, "");
                String text = "";
                try {
                    text = does(s, who);
                } catch (Exception e) {
                    die(e);
                }
                note("did", who, s.text, text);
            }
        }
    }

    private String does(Step s, int who) throws Exception {
        Event event = "wmpblhk".indexOf(s.op) >= 0 ? events.get(s.arg) : null;
        switch (s.op) {
            case 'w' -> event.await();
            case 'm' -> {
                arrives(event);
                event.await();
            }
            case 'j' -> ends.get(s.arg).await();
            case 'p' -> {
                if (!event.park(scheduler)) {
                    return "the event had happened, so that it did not park";
                }
            }
            case 'b' -> scheduler.block(event::await);
            case 'y' -> scheduler.yieldsNow();
            case 'z' -> {
                if (who >= 0) {
                    scheduler.sleep(s.arg);
                } else {
                    TimeUnit.MICROSECONDS.sleep(s.arg);
                }
            }
            case 'l', 'h', 'k' -> {
                for (; !event.happened(); turns.increment()) {
                    switch (s.op) {
                        case 'l' -> scheduler.yieldsNow();
                        case 'k' -> scheduler.sleep(20_000);
                        default -> Thread.onSpinWait();
                    }
                }
            }
            case 'n' -> {
                Runnable join = forked[s.arg];
                if (join != null) {
                    try {
                        join.run();
                    } catch (RuntimeException e) { // the task's own, or the scheduler's
                        return e.toString();
                    }
                }
            }
            case 'r' -> {
                try {
                    scheduler.resize(s.arg);
                } catch (Exception e) {
                    return "refused: " + e;
                }
            }
            case 'v' -> scheduler.waitTasks();
            default -> throw new IllegalStateException("unknown step " + s.text);
        }
        return "";
    }

    private void submit(Step s, int who) {
        String refused = null;
        synchronized (this) {
            submitted(s.arg);
            note("does", who, s.text, "");
            if (last && closed) {
                refused = "it is not asked, since Close has returned";
            }
        }
        if (refused == null) {
            try {
                Runnable task = () -> task(s.arg);
                if (s.op == 'f') {
                    forked[s.arg] = scheduler.fork(task);
                } else if (who >= 0) {
                    scheduler.spawn(task);
                } else {
                    scheduler.submit(task);
                }
            } catch (OnPurpose e) {
                throw e; // of a task that has run inside the call
            } catch (Exception e) {
                refused = e.toString();
            }
        }
        note("did", who, s.text, refused == null ? "" : "refused: " + refused);
        if (refused != null) {
            refused(s.arg);
        }
    }

    private void close(int who) {
        note("does", who, "c", "");
        String text = "";
        try {
            scheduler.close();
        } catch (Exception e) {
            text = e.toString();
        }
        synchronized (this) {
            closed = true;
            note("did", who, "c", text);
        }
    }

    /** Ends the process with an exception that no script throws: the suite shows it. */
    static void die(Throwable e) {
        e.printStackTrace();
        Runtime.getRuntime().halt(70);
    }
}
