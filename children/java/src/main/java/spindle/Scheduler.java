package spindle;

/**
 * What an adapter writes: one scheduler, fresh for each graph. Each call of the scheduler is the library's own; what the adapter does not offer
 * (see {@link Adapter#offers}) is never called.
 */
public interface Scheduler {
    /** Submits a task. An exception says that it was refused. */
    void submit(Runnable task) throws Exception;

    /** Closes the scheduler, and returns when it has ended as its contract says. */
    void close() throws Exception;

    /** Offer {@code spawn}: submits a task from a task. */
    default void spawn(Runnable task) throws Exception {
        submit(task);
    }

    /** Offer {@code join}: forks a task from a task. What it returns joins that task. */
    default Runnable fork(Runnable task) {
        throw new UnsupportedOperationException();
    }

    /** Offer {@code park}: the task that calls leaves its worker until it is made ready. It may return early. */
    default void park() {
        throw new UnsupportedOperationException();
    }

    /** Offers {@code park} and {@code ready}: makes the task ready that has parked on this thread, or is about to. */
    default void ready(Thread task) {
        throw new UnsupportedOperationException();
    }

    /** Offer {@code block}: calls {@code waits} where a task may block, while another worker takes its place. */
    default void block(Runnable waits) throws Exception {
        throw new UnsupportedOperationException();
    }

    /** Offer {@code yield}: the task that calls lets others run. */
    default void yieldsNow() {
        throw new UnsupportedOperationException();
    }

    /** Offer {@code sleep}: the task that calls leaves its worker for so long. */
    default void sleep(long micros) throws InterruptedException {
        throw new UnsupportedOperationException();
    }

    /** Offer {@code wait}: returns when all tasks have ended. */
    default void waitTasks() throws Exception {
        throw new UnsupportedOperationException();
    }

    /** Offers {@code resize} and {@code resize_inside}: changes the number of workers. An exception says that it was refused. */
    default void resize(int workers) throws Exception {
        throw new UnsupportedOperationException();
    }
}
