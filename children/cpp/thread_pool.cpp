// thread_pool::ThreadPool by Robert Vaser. It has no documentation but its README and its source; the sentences are of these.
#include "driver.hpp"

#if __has_include(<thread_pool/thread_pool.hpp>)
#include <thread_pool/thread_pool.hpp>

namespace {

class Pool : public spindle::Scheduler {
 public:
  explicit Pool(int workers) : pool_(std::make_unique<thread_pool::ThreadPool>(workers)) {}
  void submit(spindle::Task task) override { pool_->Submit(std::move(task)); }
  void close() override { pool_.reset(); }

 private:
  std::unique_ptr<thread_pool::ThreadPool> pool_;
};

spindle::Adapter<Pool> pool({"thread-pool",
                             "4.0.0",                   // of Debian's libthread-pool-dev; the header does not say it
                             {{"workers", "exact"},     // each of num_threads threads runs one at a time
                              {"panics", "isolated"},   // Submit returns the future of a std::packaged_task
                              {"closes", "alone"},      // the destructor closes
                              {"closed", "unsaid"}}});  // there is nothing left to submit to

}  // namespace
#else
static spindle::Lacks lacks("thread-pool: needs thread_pool: apt-get install libthread-pool-dev");
#endif
