// A pool without fault, and the same with one fault each. They are in every language, and show that a driver can tell them apart.
#include "driver.hpp"

namespace {

class Right : public spindle::Scheduler {
 public:
  explicit Right(int workers) {
    for (int i = 0; i < workers; i++) workers_.emplace_back([this, i] { worker(i); });
  }

  void submit(spindle::Task task) override {
    std::lock_guard hold(lock_);
    if (closed_) throw std::runtime_error("the pool is closed");
    put(std::move(task));
  }

  void close() override {
    {
      std::lock_guard hold(lock_);
      closes();
      closed_ = true;
      work_.notify_all();
    }
    for (auto& w : workers_)
      if (w.joinable()) w.join();
  }

 protected:
  virtual void leaves(int) {}  // a worker is about to end

  // The lock is held by these.
  virtual void put(spindle::Task task) {
    queue_.push_back(std::move(task));
    work_.notify_one();
  }
  virtual void idle(std::unique_lock<std::mutex>& hold) { work_.wait(hold); }
  virtual void closes() {}

  std::mutex lock_;
  std::condition_variable work_;
  std::deque<spindle::Task> queue_;
  std::vector<std::thread> workers_;

 private:
  void worker(int i) {
    for (;;) {
      spindle::Task task;
      {
        std::unique_lock hold(lock_);
        while (queue_.empty() && !closed_) idle(hold);
        if (queue_.empty()) break;
        task = std::move(queue_.front());
        queue_.pop_front();
      }
      try {
        task();
      } catch (const std::exception&) {
      }
    }
    leaves(i);
  }

  bool closed_ = false;
};

// Wakes a worker only if the queue was empty.
struct Wake : Right {
  using Right::Right;
  void put(spindle::Task task) override {
    queue_.push_back(std::move(task));
    if (queue_.size() == 1) work_.notify_one();
  }
};

// Drops at the close what is queued.
struct Close : Right {
  using Right::Right;
  void closes() override { queue_.clear(); }
};

// Queues each 16th task of the process twice.
struct Twice : Right {
  using Right::Right;
  void put(spindle::Task task) override {
    static std::atomic<int> count{0};
    if (++count % 16 == 0) Right::put(task);
    Right::put(std::move(task));
  }
};

// Looks for work without end.
struct Spin : Right {
  using Right::Right;
  void idle(std::unique_lock<std::mutex>& hold) override {
    hold.unlock();
    std::this_thread::yield();
    hold.lock();
  }
};

// Leaves a worker behind when it is closed.
struct Leave : Right {
  using Right::Right;
  void leaves(int i) override {
    if (i > 0) return;
    auto done = done_;
    done->open();  // behind this the pool may be gone
    for (;;) std::this_thread::sleep_for(std::chrono::hours(1));
  }
  void close() override {
    workers_[0].detach();
    Right::close();
    done_->wait();
  }

 private:
  std::shared_ptr<spindle::Gate> done_ = std::make_shared<spindle::Gate>();
};

const std::map<std::string, std::string> contract = {{"order", "fifo"}, {"workers", "exact"}, {"panics", "isolated"}};
spindle::Adapter<Right> right({"right", "1", contract});
spindle::Adapter<Wake> wake({"wrong-wake", "1", contract});
spindle::Adapter<Close> close_({"wrong-close", "1", contract});
spindle::Adapter<Twice> twice({"wrong-twice", "1", contract});
spindle::Adapter<Spin> spin({"wrong-spin", "1", contract});
spindle::Adapter<Leave> leave({"wrong-leave", "1", contract});

}  // namespace
