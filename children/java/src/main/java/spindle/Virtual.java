package spindle;

import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Virtual threads: Executors.newVirtualThreadPerTaskExecutor, of a JDK of 21 or later. Its documentation (java.base of 25) says:
 *
 * <ul>
 * <li>{@code workers=at-least}: "Creates an Executor that starts a new virtual Thread for each task. The number of threads created by the Executor is unbounded."
 * <li>shutdown, {@code close=waits,closed=refused}: "Initiates an orderly shutdown in which previously submitted tasks are executed, but no new tasks will be accepted."
 * <li>LockSupport, {@code park} and {@code ready}: "Makes available the permit for the given thread, if it was not already available. If the thread was blocked on park
 *     then it will unblock."
 * <li>Thread, {@code tasks=cooperative}: "Virtual threads are not intended for long running CPU intensive operations." "Locking and I/O operations are examples of operations where a carrier thread may be re-scheduled from one virtual thread to another."
 * <li>{@code yield} is not offered: "The scheduler is free to ignore this hint."
 * </ul>
 */
final class Virtual implements Scheduler {
    private final ExecutorService executor;

    private Virtual() {
        try {
            executor = (ExecutorService) Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    static Adapter adapter() {
        if (Runtime.version().feature() < 21) {
            throw new UnsupportedOperationException("needs a JDK of 21 or later");
        }
        System.setProperty("jdk.virtualThreadScheduler.parallelism", "16"); // the executor has no number of its own: enough for each graph
        return new Adapter("java-virtual", Child.JDK, "tasks=cooperative,panics=isolated", "park ready sleep", List.of(), n -> new Virtual());
    }

    @Override
    public void submit(Runnable task) {
        executor.execute(task);
    }

    @Override
    public void park() {
        LockSupport.park();
    }

    @Override
    public void ready(Thread task) {
        LockSupport.unpark(task);
    }

    @Override
    public void sleep(long micros) throws InterruptedException {
        TimeUnit.MICROSECONDS.sleep(micros);
    }

    @Override
    public void close() throws InterruptedException {
        executor.shutdown();
        while (!executor.awaitTermination(1, TimeUnit.HOURS)) { }
    }
}
