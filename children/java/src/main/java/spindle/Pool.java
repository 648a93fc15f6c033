package spindle;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;

/** A simple pool: a lock, a list that is first in, first out, and n threads. It is right, or has one fault on purpose. */
final class Pool implements Scheduler {
    enum Fault { NONE, WAKE, CLOSE, TWICE, SPIN, LEAVE }

    private static final AtomicInteger SUBMITTED = new AtomicInteger(); // in all pools

    private final Fault fault;
    private final Queue<Runnable> queue = new ArrayDeque<>();
    private final List<Thread> workers = new ArrayList<>();
    private boolean closed;

    private Pool(int n, Fault fault) {
        this.fault = fault;
        for (int i = 0; i < n; i++) {
            boolean stays = fault == Fault.LEAVE && i == 0;
            var worker = new Thread(() -> work(stays));
            worker.setDaemon(true);
            worker.start();
            if (!stays) {
                workers.add(worker);
            }
        }
    }

    static Adapter adapter(String name, Fault fault) {
        return new Adapter("java-" + name, Child.JDK, "order=fifo,workers=exact,panics=isolated", "", List.of(), n -> new Pool(n, fault));
    }

    @Override
    public synchronized void submit(Runnable task) {
        if (closed) {
            throw new RejectedExecutionException("the pool is closed");
        }
        queue.add(task);
        if (fault == Fault.TWICE && SUBMITTED.incrementAndGet() % 16 == 0) {
            queue.add(task);
        }
        if (fault != Fault.WAKE || queue.size() == 1) {
            notify();
        }
    }

    private void work(boolean stays) {
        for (Runnable task; (task = next(stays)) != null;) {
            try {
                task.run();
            } catch (RuntimeException e) {
                // a task ends alone
            }
        }
    }

    private Runnable next(boolean stays) {
        for (;;) {
            synchronized (this) {
                while (queue.isEmpty() && (stays || !closed) && fault != Fault.SPIN) {
                    try {
                        wait();
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e); // nothing interrupts the workers
                    }
                }
                if (!queue.isEmpty() || closed) {
                    return queue.poll();
                }
            }
            Thread.onSpinWait();
        }
    }

    @Override
    public void close() throws InterruptedException {
        synchronized (this) {
            closed = true;
            if (fault == Fault.CLOSE) {
                queue.clear();
            }
            notifyAll();
        }
        for (Thread worker : workers) {
            worker.join();
        }
    }
}
