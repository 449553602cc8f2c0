#pragma once
// Studies that are run into the folder "out", and their tables.

#include "microslip/io/csv_table.hpp"
#include "microslip/results/analysis_summary.hpp"
#include "microslip/study/run_study.hpp"
#include "support/study_folder.hpp"

namespace microslip::test {

class StudyRun : public StudyFolder {
 protected:
  [[nodiscard]] RunOutcome run(const std::string& text) const { return run_study(parse(text), path("out"), {}); }
  [[nodiscard]] CsvTable table(const std::string& name) const { return read_csv_table(path("out/" + name + ".csv")); }
};

}  // namespace microslip::test
