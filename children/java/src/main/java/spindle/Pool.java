package spindle;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** A simple pool: a lock, a list that is first in, first out, and n threads. It is right, or has one fault on purpose. */
final class Pool implements Scheduler {
    enum Fault { NONE, WAKE, CLOSE, TWICE, SPIN, LEAVE }

    private static final AtomicInteger SUBMITTED = new AtomicInteger(); // in all pools

    private final Fault fault;
    private final Queue<Runnable> queue = new ArrayDeque<>();
    private final List<Thread> workers = new ArrayList<>();
    private final CountDownLatch left = new CountDownLatch(1); // the worker has nothing to do that stays behind
    private boolean closed;

    private Pool(int n, Fault fault) {
        this.fault = fault;
        for (int i = 0; i < n; i++) {
            boolean stays = fault == Fault.LEAVE && i == 0;
            var worker = new Thread(() -> work(stays));
            worker.setDaemon(true);
            worker.start();
            workers.add(worker);
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
        for (Runnable task; (task = next()) != null;) {
            try {
                task.run();
            } catch (RuntimeException e) {
                // a task ends alone
            }
        }
        if (stays) {
            left.countDown();
            for (;;) {
                LockSupport.park();
            }
        }
    }

    private Runnable next() {
        for (;;) {
            synchronized (this) {
                while (queue.isEmpty() && !closed && fault != Fault.SPIN) {
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
        if (fault == Fault.LEAVE) {
            left.await();
            workers.remove(0);
        }
        for (Thread worker : workers) {
            worker.join();
        }
    }
}
