#pragma once
// States of one regime of a piecewise-linear model in the coordinates of another, one by one or many side by side.

#include <Eigen/Core>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "microslip/transient/linear_flow.hpp"

namespace microslip {

/// Many variations of a state side by side.
struct FlowColumns {
  Eigen::MatrixXd q, v, d;
};

/// State of one regime in the coordinates of the next.
class FlowTransition {
 public:
  FlowTransition(const PiecewiseModel& model, const LinearFlow& from, const LinearFlow& to);

  /// With `rows`, only these blocks; the others are zero.
  void apply(const FlowState& in, FlowState& out, const std::vector<Eigen::Index>* rows = nullptr) const;

  /// The rows `rows` of the blocks only; empty: all.
  void apply(const FlowColumns& in, const std::vector<Eigen::Index>* rows, FlowColumns& out) const;

  /// Images of unit values of the q and v of some blocks and of some stuck positions, times `sign`, into the first
  /// columns of `out` (sized by the caller, zero).
  void units(const std::vector<Eigen::Index>& blocks, const std::vector<Eigen::Index>& held, Eigen::Index from_blocks,
             double sign, FlowColumns& out) const;

 private:
  void fill_full(const LinearFlow& from, const LinearFlow& to);

  const LinearFlow* to_;
  bool same_ = false;
  bool real_ = false;
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> rows_;  ///< rate_ by rows
  Eigen::MatrixXd rate_, held_to_q_, q_of_held_, q_to_held_, held_to_held_, full_;
};

/// Transitions met so far, made when first needed.
class TransitionBook {
 public:
  explicit TransitionBook(const PiecewiseModel& model) : model_(&model) {}
  const FlowTransition& operator()(const std::shared_ptr<const LinearFlow>& from,
                                   const std::shared_ptr<const LinearFlow>& to);

 private:
  const PiecewiseModel* model_;
  std::map<std::pair<const LinearFlow*, const LinearFlow*>, std::shared_ptr<const FlowTransition>> transitions_;
};

}  // namespace microslip
