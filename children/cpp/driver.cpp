#include "driver.hpp"

#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <iostream>
#include <nlohmann/json.hpp>

namespace spindle {

using Json = nlohmann::json;

std::map<std::string, Entry>& adapters() {
  static std::map<std::string, Entry> all;
  return all;
}

std::vector<std::string>& lacking() {
  static std::vector<std::string> all;
  return all;
}

void Gate::open() {
  std::vector<std::function<void()>> waiting;
  {
    std::lock_guard hold(lock_);
    opened_ = true;
    waiting.swap(waiting_);
    opens_.notify_all();
  }
  for (auto& go_on : waiting) go_on();
}

bool Gate::when_open(std::function<void()> go_on) {
  std::lock_guard hold(lock_);
  if (!opened_) waiting_.push_back(std::move(go_on));
  return !opened_;
}

void Gate::wait() {
  std::unique_lock hold(lock_);
  opens_.wait(hold, [&] { return opened_.load(); });
}

namespace {

constexpr int kDriver = -(1 << 30);  // in the place of a thread or a task: closes where no script does
constexpr auto kNoNeed = "the event had happened, so that it did not park";
constexpr auto kNotAsked = "refused: it is not asked, since Close has returned";

// The steps, by who does them; those with the number of an event, of a task, with none; and what they need.
const std::string kBoth = "sawmjzr", kThreads = "vc", kTasks = "pbylhkfnx", kEvents = "awmpblhk", kNames = "sfjn", kNoNumber = "yvcx";
const std::map<char, std::string> kNeeds = {{'p', "park"}, {'b', "block"}, {'y', "yield"}, {'l', "yield"}, {'k', "sleep"},
                                            {'f', "join"}, {'n', "join"},  {'r', "resize"}, {'v', "wait"}};

// OnPurpose is what tasks throw by the step x.
struct OnPurpose : std::runtime_error {
  OnPurpose() : runtime_error("a task of the suite throws this on purpose, as the contract allows: panics=isolated") {}
};

struct Step {
  char op;
  int n;
  std::string text;
};

struct Event {
  const char* what;
  int who;
  std::string step;
  long long at;  // nanoseconds since the begin of the run
  std::string text;
};

bool has(const std::string& letters, char c) { return letters.find(c) != std::string::npos; }

// Returns the whole number that a question has there.
long long number(const Json& of, const char* key) {
  const auto& value = of.at(key);
  if (!value.is_number_integer()) throw std::runtime_error(std::string(key) + " is a whole number");
  return value.get<long long>();
}

// A Run is a graph on a fresh scheduler.
class Run : public std::enable_shared_from_this<Run> {
 public:
  Run(const Entry& entry, const Json& graph, std::function<void(Run&)> answer)
      : entry_(entry), answer_(std::move(answer)), cooperative_(contract("tasks") == "cooperative") {
    workers_ = int(std::clamp(number(graph, "workers"), 0LL, 1LL << 20));
    const auto& sizes = entry.hello.workers;
    if (workers_ < 1 || (!sizes.empty() && std::find(sizes.begin(), sizes.end(), workers_) == sizes.end()))
      throw std::runtime_error("the scheduler cannot have that number of workers");
    last_ = graph.value("last", false);
    if (graph.contains("most")) most_ = number(graph, "most");
    for (const auto& s : graph.at("outside")) threads_.push_back(steps(s.get<std::string>(), kThreads));
    for (const auto& s : graph.at("tasks")) tasks_.push_back(steps(s.get<std::string>(), kTasks));
    size_t events = 2 * (threads_.size() + tasks_.size()) + 4;
    for (const auto* scripts : {&threads_, &tasks_})
      for (const auto& script : *scripts)
        for (const auto& s : script) {
          if (has(kEvents, s.op)) events_.try_emplace(s.n);
          if (s.op == 'm') missing_[s.n]++;
          if (s.op == 'c') closes_ = true;
          if (has(kNames, s.op) && s.n >= int(tasks_.size())) throw std::runtime_error("a step names a task that is not there");
          events += 2;
        }
    if (threads_.empty()) throw std::runtime_error("a graph has a thread outside");
    ends_ = std::deque<Gate>(tasks_.size());
    forked_.resize(tasks_.size());
    was_submitted_.resize(tasks_.size());
    has_ended_.resize(tasks_.size());
    unfinished_ = int(threads_.size());
    log_.reserve(events);
  }

  int threads() const { return int(threads_.size()); }

  // Does what thread i outside does. The first one makes the scheduler, and has the last word.
  void thread(int i) {
    if (i == 0) {
      try {
        sched_ = entry_.make(workers_);
      } catch (const std::exception& e) {
        error = e.what();
      }
      made_.open();
    }
    made_.wait();
    if (error.empty()) {
      assembles();
      for (const auto& s : threads_[i]) step(s, ~i);
      note("ends", ~i);
      finished();
      if (i == 0) {
        to_close_.wait();
        if (!closes_) close(kDriver);
        over_.wait();
        sched_.reset();
      }
    }
    if (i == 0) answers();
  }

  // Lets all go on that wait by the driver's means.
  void release() {
    note("release", kDriver);
    released_ = true;
    for (auto& [n, gate] : events_) gate.open();
    for (auto& gate : ends_) gate.open();
    to_close_.open();
  }

  long long now() const { return std::chrono::nanoseconds(std::chrono::steady_clock::now() - begin_).count(); }
  long long turns() const { return turns_; }

  // Returns the log as JSON.
  std::string log() {
    std::lock_guard hold(lock_);
    std::string out = "[";
    for (const auto& e : log_) {
      out += out.size() > 1 ? ",[\"" : "[\"";
      out.append(e.what).append("\",").append(std::to_string(e.who)).append(",\"").append(e.step).append("\",").append(std::to_string(e.at));
      if (!e.text.empty()) out.append(",").append(Json(e.text).dump(-1, ' ', true, Json::error_handler_t::replace));
      out += ']';
    }
    return out + "]";
  }

  std::string error;               // the scheduler could not be made
  std::atomic<bool> full{false};  // there is more to note than there may be

 private:
  std::string contract(const std::string& choice) const {
    auto it = entry_.hello.contract.find(choice);
    return it == entry_.hello.contract.end() ? "" : it->second;
  }

  bool offers(const std::string& what) const {
    const auto& all = entry_.hello.offers;
    return std::find(all.begin(), all.end(), what) != all.end();
  }

  std::vector<Step> steps(const std::string& script, const std::string& own) const {
    std::vector<Step> steps;
    for (size_t i = 0; i < script.size();) {
      if (script[i] == ' ') {
        i++;
        continue;
      }
      size_t end = i + 1;
      while (end < script.size() && std::isdigit(static_cast<unsigned char>(script[end]))) end++;
      Step s{script[i], 0, script.substr(i, end - i)};
      const bool number = end > i + 1;
      if (!(has(kBoth, s.op) || has(own, s.op)) || number == has(kNoNumber, s.op) || end - i > 10) throw std::runtime_error("'" + s.text + "' is no step here");
      if (number) s.n = std::stoi(s.text.substr(1));
      auto need = kNeeds.find(s.op);
      if (need != kNeeds.end() && !offers(need->second)) throw std::runtime_error("'" + s.text + "' needs " + need->second + ", which is not offered");
      if (s.op == 'z' && own == kTasks && !offers("sleep")) throw std::runtime_error("'" + s.text + "' needs sleep, which is not offered");
      steps.push_back(std::move(s));
      i = end;
    }
    return steps;
  }

  void note(const char* what, int who, const std::string& step = "", const std::string& text = "") {
    {
      std::lock_guard hold(lock_);
      full = log_.size() >= most_;
      if (!full) return log_.push_back({what, who, step, now(), text});
    }
    answers();
  }

  // Answers, once: the run is over, or the log is full.
  void answers() {
    if (!answered_.exchange(true)) answer_(*this);
  }

  // Waits until all threads are there, as far as none is late.
  void assembles() {
    there_++;
    const auto late = std::chrono::steady_clock::now() + std::chrono::milliseconds(5);
    for (int looks = 1; there_ < int(threads_.size()); looks++)
      if (looks % 64 == 0) {
        if (std::chrono::steady_clock::now() > late) return;
        std::this_thread::yield();
      }
  }

  // A thread has ended, or a task that was submitted, or that was refused.
  void finished() {
    if (--unfinished_ == 0) {
      over_.open();
      to_close_.open();
    }
  }

  // Task k is submitted. It counts once, though the task that submits it may run twice.
  void submitted(int k) {
    std::lock_guard hold(lock_);
    if (!was_submitted_[k]) unfinished_++;
    was_submitted_[k] = true;
  }

  // Task k has ended, or was refused. One that runs twice ends once here.
  void ended(int k) {
    bool first;
    {
      std::lock_guard hold(lock_);
      first = !has_ended_[k];
      has_ended_[k] = true;
    }
    ends_[k].open();
    if (first) finished();
  }

  void task(int k) {
    struct Ends {
      Run& run;
      int k;
      ~Ends() {
        run.note("ends", k);
        run.ended(k);
      }
    };
    note("begins", k);
    Ends ends{*this, k};
    for (const auto& s : tasks_[k]) step(s, k);
  }

  // Does a step of a thread, or of a task.
  void step(const Step& s, int who) {
    std::string said;
    switch (s.op) {
      case 'a':
        event(s.n).open();
        return note("did", who, s.text);
      case 'x':
        throw OnPurpose();
      case 'c':
        return close(who);
      case 's':
      case 'f':
        return submit(s, who);
    }
    note("does", who, s.text);
    switch (s.op) {
      case 'm':
        arrives(s.n);
        [[fallthrough]];
      case 'w':
      case 'j': {
        Gate& gate = s.op == 'j' ? ends_[s.n] : event(s.n);
        if (who >= 0 && cooperative_)
          sched_->park(gate);
        else
          gate.wait();
        break;
      }
      case 'p':
        if (!sched_->park(event(s.n))) said = kNoNeed;
        break;
      case 'b':
        sched_->block([&] { event(s.n).wait(); });
        break;
      case 'y':
        sched_->yield();
        break;
      case 'l':
      case 'h':
      case 'k':
        while (!event(s.n).opened() && !released_) {
          turns_++;
          if (s.op == 'l') sched_->yield();
          if (s.op == 'k') sched_->sleep(std::chrono::milliseconds(20));
        }
        break;
      case 'z':
        if (who < 0)
          std::this_thread::sleep_for(std::chrono::microseconds(s.n));
        else
          sched_->sleep(std::chrono::microseconds(s.n));
        break;
      case 'n':
        if (forked_[s.n]) forked_[s.n]();  // else it was refused
        break;
      case 'r':
        said = refusal("refused: ", [&] { sched_->resize(s.n); });
        break;
      case 'v':
        said = refusal("", [&] { sched_->wait(); });
        break;
    }
    note("did", who, s.text, said);
  }

  Gate& event(int n) { return events_.find(n)->second; }

  void submit(const Step& s, int who) {
    submitted(s.n);
    note("does", who, s.text);
    auto task = [self = shared_from_this(), k = s.n] { self->task(k); };
    std::string said = kNotAsked;
    if (!last_ || !closed_) said = refusal("refused: ", [&] {
        if (s.op == 'f')
          forked_[s.n] = sched_->fork(task);
        else if (who >= 0 && offers("spawn"))
          sched_->spawn(task);
        else
          sched_->submit(task);
      });
    note("did", who, s.text, said);
    if (!said.empty()) refused(s.n);
  }

  // Returns the text of what the call throws, if anything.
  template <class Call>
  static std::string refusal(const std::string& before, Call call) {
    try {
      call();
    } catch (const std::exception& e) {
      return before + e.what();
    }
    return "";
  }

  // Does for a task that will not run what others may wait for.
  void refused(int k) {
    for (const auto& s : tasks_[k]) {
      if (s.op == 'a') event(s.n).open();
      if (s.op == 'm') arrives(s.n);
      if (s.op == 's' || s.op == 'f') {
        submitted(s.n);
        refused(s.n);
      }
    }
    ended(k);
  }

  void arrives(int n) {
    if (--missing_.find(n)->second == 0) event(n).open();
  }

  void close(int who) {
    note("does", who, "c");
    auto said = refusal("", [&] { sched_->close(); });
    closed_ = true;
    note("did", who, "c", said);
  }

  const Entry& entry_;
  const std::function<void(Run&)> answer_;
  const bool cooperative_;
  int workers_ = 0;
  bool last_ = false, closes_ = false;  // last: nothing is submitted once Close has returned; a script closes
  std::vector<std::vector<Step>> threads_, tasks_;
  size_t most_ = size_t(-1);  // events in the log
  std::map<int, Gate> events_;
  std::map<int, std::atomic<int>> missing_;  // at meetings
  std::deque<Gate> ends_;                    // of tasks
  std::vector<Task> forked_;                 // what joins them
  std::unique_ptr<Scheduler> sched_;

  std::mutex lock_;  // of the log, whose order is the order in which it was held, and of these
  std::vector<Event> log_;
  std::vector<bool> was_submitted_;
  std::vector<bool> has_ended_;
  const std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();

  std::atomic<int> unfinished_{0};  // threads, and tasks that were submitted, and have neither ended nor been refused
  std::atomic<int> there_{0};
  std::atomic<bool> closed_{false}, released_{false}, answered_{false};
  std::atomic<long long> turns_{0};
  Gate made_, over_, to_close_;  // there is a scheduler; none are unfinished; the same, or released
};

// The threads outside, which stay from run to run.
class Threads {
 public:
  void start(const std::shared_ptr<Run>& run) {
    for (int i = 0; i < run->threads(); i++) {
      if (i == int(inboxes_.size())) {
        inboxes_.emplace_back();
        std::thread([&inbox = inboxes_.back(), i] {
          for (;;) inbox.take()->thread(i);
        }).detach();
      }
      inboxes_[i].put(run);
    }
  }

 private:
  struct Inbox {
    std::mutex lock;
    std::condition_variable comes;
    std::shared_ptr<Run> run;

    void put(std::shared_ptr<Run> r) {
      std::lock_guard hold(lock);
      run = std::move(r);
      comes.notify_one();
    }
    std::shared_ptr<Run> take() {
      std::unique_lock hold(lock);
      comes.wait(hold, [&] { return run != nullptr; });
      return std::move(run);
    }
  };
  std::deque<Inbox> inboxes_;
};

// A Child answers questions.
class Child {
 public:
  Child(const Entry& entry, int output) : entry_(entry), output_(output) {}

  void hello() {
    const auto& h = entry_.hello;
    Json capabilities = Json::object();
    for (const auto& c : h.offers) capabilities[c] = true;
    Json hello = {{"protocol", 3}, {"subject", "scheduler"}, {"name", "cpp-" + h.name}, {"version", h.version}, {"contract", h.contract}, {"capabilities", capabilities}};
    if (!h.workers.empty()) hello["workers"] = h.workers;
    say(Json{{"hello", hello}}.dump());
  }

  void answers(const std::string& line) {
    long long seq = 0;
    try {
      const Json q = Json::parse(line);
      seq = number(q, "seq");
      const auto cmd = q.at("cmd").get<std::string>();
      if (cmd == "run") {
        start(q.at("graph"), seq);
      } else if (cmd == "look") {
        say("{" + head(seq) + ",\"now\":" + std::to_string(run_ ? run_->now() : 0) + ",\"sofar\":" + (run_ ? run_->log() : "[]") +
            ",\"turns\":" + std::to_string(run_ ? run_->turns() : 0) + "}");
      } else if (cmd == "release") {
        if (running_) run_->release();
        say("{" + head(seq) + "}");
      } else {
        throw std::runtime_error("no question of version 3: " + cmd);
      }
    } catch (const std::exception& e) {
      say("{" + head(seq) + "," + error(e.what()) + "}");
    }
  }

 private:
  static std::string head(long long seq) { return "\"seq\":" + std::to_string(seq); }
  static std::string error(const std::string& text) { return "\"error\":" + Json(text).dump(-1, ' ', true, Json::error_handler_t::replace); }

  void start(const Json& graph, long long seq) {
    if (running_) throw std::runtime_error("one run at a time");
    run_ = std::make_shared<Run>(entry_, graph, [this, seq](Run& run) {
      auto line = "{" + head(seq) + "," + (!run.error.empty() ? error(run.error) : run.full ? "\"full\":true" : "\"events\":" + run.log()) + "}";
      running_ = false;
      say(line);
    });
    running_ = true;
    threads_.start(run_);
  }

  // Writes a line, in one piece.
  void say(std::string line) {
    line += '\n';
    std::lock_guard hold(said_);
    for (size_t at = 0; at < line.size();) {
      auto n = ::write(output_, line.data() + at, line.size() - at);
      if (n < 0 && errno != EINTR) _exit(1);  // the suite has gone
      at += std::max<ssize_t>(n, 0);
    }
  }

  const Entry& entry_;
  const int output_;
  std::mutex said_;
  std::shared_ptr<Run> run_;
  std::atomic<bool> running_{false};
  Threads threads_;
};

}  // namespace
}  // namespace spindle

int main(int argc, char** argv) {
  const std::string name = argc == 2 ? argv[1] : "";
  auto& all = spindle::adapters();
  if (name == "--list") {
    for (const auto& [n, entry] : all) std::cout << n << "\n";
    for (const auto& text : spindle::lacking()) std::cout << text << "\n";
    return 0;
  }
  auto found = all.find(name);
  if (found == all.end()) {
    std::cerr << "usage: child --list | NAME\n";
    return 2;
  }
  const int output = dup(1);
  dup2(2, 1);  // what a scheduler prints is no answer
  spindle::Child child(found->second, output);
  child.hello();
  for (std::string line; std::getline(std::cin, line);) child.answers(line);
  std::_Exit(0);  // whatever threads still wait for
}
