// asio::thread_pool, of the library without Boost. Sentences of think-async.com/Asio/asio-1.22.1/doc/asio/reference/thread_pool.html.
#include "driver.hpp"

#if __has_include(<asio/thread_pool.hpp>)
#include <asio/post.hpp>
#include <asio/thread_pool.hpp>
#include <asio/version.hpp>

namespace {

class Pool : public spindle::Scheduler {
 public:
  explicit Pool(int workers) : pool_(workers) {}
  void submit(spindle::Task task) override { asio::post(pool_, std::move(task)); }
  void close() override { pool_.join(); }

 private:
  asio::thread_pool pool_;
};

std::string version() { return std::to_string(ASIO_VERSION / 100000) + "." + std::to_string(ASIO_VERSION / 100 % 1000) + "." + std::to_string(ASIO_VERSION % 100); }

spindle::Adapter<Pool> pool({"asio",
                             version(),
                             {{"workers", "exact"},     // "functions are permitted to run on one of a fixed number of threads"
                              {"close", "waits"},       // join: "will wait until the pool has no more outstanding work"
                              {"closes", "alone"},      // nothing is said of post beside join
                              {"closed", "unsaid"}}});  // nor of post behind it

}  // namespace
#else
static spindle::Lacks lacks("asio: needs asio: apt-get install libasio-dev");
#endif
