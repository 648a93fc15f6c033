// thread_pool::ThreadPool by Robert Vaser. It has no documentation but its README and its source; the sentences are of these.
#include "driver.hpp"

#if __has_include(<thread_pool/thread_pool.hpp>)
#include <thread_pool/thread_pool.hpp>

namespace {

// The pool has no call that waits for tasks, and its destructor is no place to submit beside. So the adapter counts them.
class Pool : public spindle::Scheduler {
 public:
  explicit Pool(int workers) : pool_(std::make_unique<thread_pool::ThreadPool>(workers)) {}

  void submit(spindle::Task task) override {
    tasks_++;
    pool_->Submit([this, task = std::move(task)] {
      struct Ends {
        Pool* pool;
        ~Ends() { pool->ends(); }
      } ends{this};
      task();
    });
  }

  void close() override {
    ends();
    ended_.wait();
    pool_.reset();
  }

 private:
  void ends() {
    if (--tasks_ == 0) ended_.open();
  }

  std::atomic<int> tasks_{1};  // and one for Close
  spindle::Gate ended_;
  std::unique_ptr<thread_pool::ThreadPool> pool_;
};

spindle::Adapter<Pool> pool({"thread-pool",
                             "4.0.0",                   // of Debian's libthread-pool-dev; the header does not say it
                             {{"workers", "exact"},     // each of num_threads threads runs one at a time
                              {"panics", "isolated"},   // Submit returns the future of a std::packaged_task
                              {"close", "waits"},       // the adapter's, above, and that of the destructor
                              {"closes", "alone"},      // the same
                              {"closed", "unsaid"}}});  // there is nothing left to submit to

}  // namespace
#else
static spindle::Lacks lacks("thread-pool: needs thread_pool: apt-get install libthread-pool-dev");
#endif
