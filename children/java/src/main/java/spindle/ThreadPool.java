package spindle;

import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * java.util.concurrent.ThreadPoolExecutor, as Executors.newFixedThreadPool makes it. Its documentation (java.base of 17 and 25) says:
 *
 * <ul>
 * <li>shutdown, {@code close=waits,closed=refused}: "Initiates an orderly shutdown in which previously submitted tasks are executed, but no new tasks will be accepted."
 * <li>newFixedThreadPool, {@code workers=exact}: "At any point, at most nThreads threads will be active processing tasks. If additional tasks are submitted when all
 *     threads are active, they will wait in the queue until a thread is available."
 * <li>{@code panics=isolated}: "If any thread terminates due to a failure during execution prior to shutdown, a new one will take its place if needed to execute subsequent tasks."
 * <li>LinkedBlockingQueue, {@code order=fifo}: "This queue orders elements FIFO (first-in-first-out)."
 * </ul>
 */
final class ThreadPool implements Scheduler {
    private final ThreadPoolExecutor pool;

    private ThreadPool(int n) {
        pool = new ThreadPoolExecutor(n, n, 0, TimeUnit.MILLISECONDS, new LinkedBlockingQueue<>());
    }

    static Adapter adapter() {
        return new Adapter("java-tpe", Child.JDK, "order=fifo,workers=exact,panics=isolated", "", List.of(), ThreadPool::new);
    }

    @Override
    public void submit(Runnable task) {
        pool.execute(task);
    }

    @Override
    public void close() throws InterruptedException {
        pool.shutdown();
        while (!pool.awaitTermination(1, TimeUnit.HOURS)) { }
    }
}
