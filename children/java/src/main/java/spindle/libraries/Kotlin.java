package spindle.libraries;

import java.util.List;
import kotlin.KotlinVersion;
import kotlin.coroutines.EmptyCoroutineContext;
import kotlinx.coroutines.CoroutineDispatcher;
import kotlinx.coroutines.Dispatchers;
import spindle.Adapter;
import spindle.Scheduler;

/**
 * kotlinx.coroutines: a view of Dispatchers.IO, on the threads that all views share. Its documentation (1.11.0) says:
 *
 * <ul>
 * <li>limitedParallelism, {@code workers=exact}: "Creates a view of the current dispatcher that limits the parallelism to the given value. The resulting view uses the
 *     original dispatcher for execution but with the guarantee that no more than parallelism coroutines are executed at the same time."
 * <li>IO, as many as that: "its views obtained with CoroutineDispatcher.limitedParallelism are not restricted by the Dispatchers.IO parallelism".
 * <li>limitedParallelism, {@code close=unsaid}: "It does not constitute a resource -- it is a view of the underlying dispatcher that can be thrown away and is not
 *     required to be closed."
 * </ul>
 */
public final class Kotlin implements Scheduler {
    private final CoroutineDispatcher view;

    private Kotlin(int n) {
        view = Dispatchers.getIO().limitedParallelism(n, null);
    }

    public static Adapter adapter() {
        return new Adapter("java-kotlin-io", "1.11.0", "workers=exact,close=unsaid,closed=unsaid", "", List.of("on Kotlin " + KotlinVersion.CURRENT), Kotlin::new);
    }

    @Override
    public void submit(Runnable task) {
        view.dispatch(EmptyCoroutineContext.INSTANCE, task);
    }

    @Override
    public void close() {
        // there is nothing to close
    }
}
