// The driver of schedulers in C++: it runs task graphs, and keeps the log of what happens.
// conformance/target/child/SCHEDULERS.md is the page of the protocol.
//
// An adapter is a class that inherits from spindle::Scheduler, and one line that names it:
//
//     spindle::Adapter<Mine> mine({"mine", "1.0", {{"workers", "exact"}}});
//
// Its constructor takes the number of workers, and may throw. A submission that throws is refused.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace spindle {

using Task = std::function<void()>;

// A Gate opens once, and stays open.
class Gate {
 public:
  void open();
  // Has go_on called when the gate opens. False: it is open, and nothing is called.
  bool when_open(std::function<void()> go_on);
  // Keeps the thread until the gate is open.
  void wait();
  bool opened() const { return opened_.load(); }

 private:
  std::mutex lock_;
  std::condition_variable opens_;
  std::atomic<bool> opened_{false};
  std::vector<std::function<void()>> waiting_;
};

// What a scheduler does. All but the first two are capabilities: the hello names those that an adapter has.
struct Scheduler {
  virtual ~Scheduler() = default;
  virtual void submit(Task task) = 0;
  virtual void close() = 0;
  virtual void spawn(Task) { lacks(); }         // spawn: submits from a task
  virtual Task fork(Task) { lacks(); }          // join: submits from a task; what it returns waits for the other one
  virtual bool park(Gate&) { lacks(); }         // park: leaves the worker until the gate opens; false: it was open
  virtual void yield() { lacks(); }             // yield
  virtual void sleep(std::chrono::microseconds) { lacks(); }  // sleep
  virtual void block(const Task&) { lacks(); }  // block: calls what blocks
  virtual void wait() { lacks(); }              // wait: for all tasks
  virtual void resize(int) { lacks(); }         // resize, resize_inside

 private:
  [[noreturn]] static void lacks() { throw std::logic_error("not offered"); }
};

// What the child says first: its name with "cpp-" in front. The contract has what differs from the profile pool.
struct Hello {
  std::string name, version;
  std::map<std::string, std::string> contract;
  std::vector<std::string> offers = {};  // the capabilities
  std::vector<int> workers = {};         // the numbers of workers that there can be; empty: any
};

using Factory = std::function<std::unique_ptr<Scheduler>(int workers)>;

// adapters has all that were linked, by name.
struct Entry {
  Hello hello;
  Factory make;
};
std::map<std::string, Entry>& adapters();

// lacking has a line for each adapter that was left out, with the reason.
std::vector<std::string>& lacking();

struct Lacks {
  explicit Lacks(const std::string& line) { lacking().push_back(line); }
};

template <class Of>
struct Adapter {
  explicit Adapter(Hello hello) {
    auto name = hello.name;
    adapters()[name] = {std::move(hello), [](int workers) { return std::make_unique<Of>(workers); }};
  }
};

}  // namespace spindle
