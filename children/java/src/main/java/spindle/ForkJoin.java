package spindle;

import java.util.List;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.TimeUnit;

/**
 * java.util.concurrent.ForkJoinPool. Its documentation (java.base of 17 and 25) says:
 *
 * <ul>
 * <li>shutdown, {@code close=waits,closes=beside,closed=refused}: "previously submitted tasks are executed, but no new tasks will be accepted";
 *     "Tasks that are in the process of being submitted concurrently during the course of this method may or may not be rejected."
 * <li>{@code workers=at-least}: "The pool attempts to maintain enough active (or available) threads by dynamically adding, suspending, or resuming internal
 *     worker threads, even if some tasks are stalled waiting to join others."
 * <li>asyncMode, {@code order=fifo}: "establishes local first-in-first-out scheduling mode for forked tasks that are never joined". So that one offers no join.
 * <li>minimumRunnable, {@code block=one}: "the minimum allowed number of core threads not blocked by a join or ManagedBlocker. To ensure progress, when too few unblocked
 *     threads exist and unexecuted tasks may exist, new threads are constructed, up to the given maximumPoolSize. For the default value, use 1, that ensures liveness."
 * <li>ForkJoinTask, {@code panics=isolated}: "computations may still encounter unchecked exceptions, that are rethrown to callers attempting to join them."
 * </ul>
 */
final class ForkJoin implements Scheduler {
    private final ForkJoinPool pool;

    private ForkJoin(int n, boolean async) {
        pool = new ForkJoinPool(n, ForkJoinPool.defaultForkJoinWorkerThreadFactory, null, async);
    }

    static Adapter lifo() {
        return new Adapter("java-fjp", Child.JDK, "block=one,panics=isolated", "spawn join block", List.of(), n -> new ForkJoin(n, false));
    }

    static Adapter fifo() {
        return new Adapter("java-fjp-fifo", Child.JDK, "order=fifo,block=one,panics=isolated", "spawn block", List.of(), n -> new ForkJoin(n, true));
    }

    @Override
    public void submit(Runnable task) {
        pool.execute(task);
    }

    @Override
    public void spawn(Runnable task) {
        ForkJoinTask.adapt(task).fork();
    }

    @Override
    public Runnable fork(Runnable task) {
        return ForkJoinTask.adapt(task).fork()::join;
    }

    @Override
    public void block(Runnable waits) throws InterruptedException {
        ForkJoinPool.managedBlock(new ForkJoinPool.ManagedBlocker() {
            private boolean over;

            @Override
            public boolean block() {
                waits.run();
                return over = true;
            }

            @Override
            public boolean isReleasable() {
                return over;
            }
        });
    }

    @Override
    public void close() throws InterruptedException {
        pool.shutdown();
        while (!pool.awaitTermination(1, TimeUnit.HOURS)) { }
    }
}
