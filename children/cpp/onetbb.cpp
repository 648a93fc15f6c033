// oneTBB: functions that are enqueued into a task_arena. Sentences of oneapi-spec.uxlfoundation.org, oneTBB 1.3, and of its maintainers.
#include "driver.hpp"

#if __has_include(<oneapi/tbb/task_arena.h>)
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/task_group.h>
#include <oneapi/tbb/version.h>

namespace tbb_ = oneapi::tbb;

namespace {

// #1684: "threads availability guarantee only exists when using task_arena::enqueue".
class Arena : public spindle::Scheduler {
 public:
  // max_allowed_parallelism: "limits the total number of worker threads that can be active in the task scheduler to parallelism - 1".
  explicit Arena(int workers) : threads_(tbb_::global_control::max_allowed_parallelism, workers + 1), arena_(workers, 0) {}

  ~Arena() noexcept override = default;

  void submit(spindle::Task task) override { arena_.enqueue(group_.defer(std::move(task))); }

  void close() override {
    arena_.execute([this] { group_.wait(); });
  }

 private:
  tbb_::global_control threads_;
  tbb_::task_arena arena_;
  tbb_::task_group group_;
};

spindle::Adapter<Arena> arena({"onetbb",
                               TBB_VERSION_STRING,
                               {{"close", "waits"},      // task_group::wait: "Waits for all tasks in the group to complete or be cancelled"
                                {"closes", "alone"},     // nothing is said of tasks that come beside a wait
                                {"closed", "unsaid"}}});  // nor of those that come behind it

}  // namespace
#else
static spindle::Lacks lacks("onetbb: needs oneapi/tbb: apt-get install libtbb-dev");
#endif
