#pragma once
// Ceres says nothing while a QuietLog lives; its log is that of the whole program.

#include <glog/logging.h>

namespace microslip {

class QuietLog {
 public:
  QuietLog() : before_(FLAGS_minloglevel) { FLAGS_minloglevel = google::GLOG_FATAL; }
  QuietLog(const QuietLog&) = delete;
  QuietLog& operator=(const QuietLog&) = delete;
  ~QuietLog() { FLAGS_minloglevel = before_; }

 private:
  int before_;
};

}  // namespace microslip
