#include "microslip/transient/linear_flow.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <stdexcept>

#include "microslip/numerics/constants.hpp"
#include "microslip/numerics/dense.hpp"

namespace microslip {
namespace {

using Complex = std::complex<double>;

/// Directions that the stuck dampers leave free, orthonormal.
Eigen::MatrixXd complement(const Eigen::MatrixXd& directions) {
  const Eigen::Index n = directions.rows();
  const Eigen::Index held = directions.cols();
  if (held == 0) return Eigen::MatrixXd::Identity(n, n);
  return orthogonal_columns(directions, n).rightCols(n - held);
}

/// Coupled coordinates in blocks of two: eta = q Q + v V, eta' = -v w2 Q + (q + 2 v a) V for blocks (Q, V).
struct EigenBlocks {
  Eigen::ArrayXd a, w2, b2;
  Eigen::MatrixXd q, v;
  Eigen::MatrixXd inverse;  ///< (Q, V) of (eta, eta')
  double condition = 0.0;   ///< reciprocal; 0: the eigenvectors do not span the states
};

/// The block of a pair of complex eigenvalues.
void set_pair(std::complex<double> value, Eigen::VectorXcd shape, Eigen::Index block, EigenBlocks& out) {
  const double a = value.real();
  const double b = value.imag();
  Eigen::Index largest = 0;
  shape.cwiseAbs().maxCoeff(&largest);
  shape /= shape(largest);
  out.q.col(block) = shape.real() - (a / b) * shape.imag();
  out.v.col(block) = shape.imag() / b;
  out.a(block) = std::min(a, 0.0);
  out.b2(block) = b * b;
  out.w2(block) = a * a + b * b;
}

/// The block of two real eigenvalues with eigenvectors `one` and `two`.
void set_reals(double first, const Eigen::VectorXd& one, double second, const Eigen::VectorXd& two, Eigen::Index block,
               EigenBlocks& out) {
  const double difference = first - second;
  out.q.col(block) = (first * two - second * one) / difference;
  out.v.col(block) = (one - two) / difference;
  out.a(block) = 0.5 * (first + second);
  out.w2(block) = std::max(0.0, first * second);
  out.b2(block) = -0.25 * difference * difference;
}

/// (eta, eta') of (Q, V) backwards, and its condition.
void set_inverse(EigenBlocks& out) {
  const Eigen::Index m = out.a.size();
  Eigen::MatrixXd map(2 * m, 2 * m);
  const auto a = out.a.matrix().asDiagonal();
  const auto w2 = out.w2.matrix().asDiagonal();
  map << out.q, out.v, -out.v * w2, out.q + 2.0 * out.v * a;
  if (!map.allFinite()) return;
  // Columns of one size make the condition say what it should.
  const Eigen::VectorXd rows = map.rowwise().norm();
  const Eigen::MatrixXd balanced = rows.cwiseInverse().asDiagonal() * map;
  const Eigen::VectorXd columns = balanced.colwise().norm();
  const LuFactors<double> lu(balanced * columns.cwiseInverse().asDiagonal());
  out.inverse = columns.cwiseInverse().asDiagonal() * lu.solve(Eigen::MatrixXd(rows.cwiseInverse().asDiagonal()));
  if (out.inverse.allFinite()) out.condition = lu.rcond();
}

/// Of eta'' + damping eta' + omega2 eta = 0: a block for each pair of eigenvalues.
EigenBlocks eigen_blocks(const Eigen::VectorXd& omega2, const Eigen::MatrixXd& damping) {
  const Eigen::Index m = omega2.size();
  const double scale = std::max(std::sqrt(omega2.maxCoeff()), damping.diagonal().maxCoeff());
  Eigen::MatrixXd state = Eigen::MatrixXd::Zero(2 * m, 2 * m);
  state.topRightCorner(m, m).diagonal().setConstant(scale);
  state.bottomLeftCorner(m, m).diagonal() = -omega2 / scale;
  state.bottomRightCorner(m, m) = -damping;
  const ComplexEigen eigen = complex_eigen(state);
  const auto& mu = eigen.values;
  const auto& vectors = eigen.vectors;
  std::vector<Eigen::Index> pairs, reals;
  for (Eigen::Index k = 0; k < 2 * m; ++k) {
    if (mu(k).imag() > 0.0) pairs.push_back(k);
    if (mu(k).imag() == 0.0) reals.push_back(k);
  }
  std::sort(reals.begin(), reals.end(), [&](Eigen::Index i, Eigen::Index j) { return mu(i).real() < mu(j).real(); });
  const std::size_t half = reals.size() / 2;

  EigenBlocks out;
  out.a.resize(m);
  out.w2.resize(m);
  out.b2.resize(m);
  out.q.resize(m, m);
  out.v.resize(m, m);
  Eigen::Index block = 0;
  for (const Eigen::Index k : pairs) {
    set_pair(mu(k), vectors.col(k).head(m), block, out);
    ++block;
  }
  // Real eigenvalues in pairs far from each other.
  const auto unit = [&](Eigen::Index k) {
    const Eigen::VectorXd shape = vectors.col(k).head(m).real();
    const double size = shape.norm();
    return (size > 0.0 ? Eigen::VectorXd(shape / size) : shape).eval();
  };
  for (std::size_t i = 0; i < half; ++i) {
    set_reals(mu(reals[i]).real(), unit(reals[i]), mu(reals[i + half]).real(), unit(reals[i + half]), block, out);
    ++block;
  }

  set_inverse(out);
  return out;
}

/// Where eigenvectors fall together (a defective pair), rounding grows with their condition. A change of the damping by
/// delta of its size parts them: their condition grows as 1/sqrt(delta), so that rounding and change together stay near
/// epsilon^(2/3) = 4e-11, epsilon^(3/5) = 4e-10 where three meet. The best of a few is taken.
EigenBlocks best_eigen_blocks(const Eigen::VectorXd& omega2, const Eigen::MatrixXd& damping) {
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  constexpr double golden = 0.6180339887498949;
  EigenBlocks best = eigen_blocks(omega2, damping);
  double error = epsilon / best.condition;
  if (error < 1e-10) return best;
  const double size = damping.diagonal().maxCoeff();
  for (const double delta : {1e-12, 1e-11, 1e-10, 1e-9, 1e-8}) {
    if (delta > error) break;
    Eigen::MatrixXd changed = damping;
    for (Eigen::Index k = 0; k < omega2.size(); ++k) {  // more damping, everywhere another amount
      const double place = golden * static_cast<double>(k + 1);
      changed(k, k) += delta * size * (place - std::floor(place));
    }
    EigenBlocks blocks = eigen_blocks(omega2, changed);
    const double its_error = epsilon / blocks.condition + delta;
    if (its_error >= error) continue;
    error = its_error;
    best = std::move(blocks);
  }
  if (!(best.condition > 0.0)) throw std::invalid_argument("the free motion of a regime has no basis of eigenvectors");
  return best;
}

}  // namespace

void ForcedMotion::add(double tau, double shift, double factor, Eigen::ArrayXd& q_out, Eigen::ArrayXd& v_out) const {
  for (const Term& term : terms) {
    const Complex turn = factor * std::exp(i_unit * (term.omega * (tau + shift)));
    const double c = turn.real();
    const double s = turn.imag();
    q_out += term.qa.real() * c - term.qa.imag() * s;
    v_out += term.va.real() * c - term.va.imag() * s;
    if (!term.grows) continue;
    q_out += (term.qb.real() * c - term.qb.imag() * s) * tau;
    v_out += (term.vb.real() * c - term.vb.imag() * s) * tau;
  }
  double power = factor;
  for (int i = 0; i <= degree; ++i, power *= tau) {
    q_out += power * q[i];
    v_out += power * v[i];
  }
}

void ForcedMotion::add_rate(double tau, double shift, double factor, Eigen::ArrayXd& q_out,
                            Eigen::ArrayXd& v_out) const {
  for (const Term& term : terms) {
    const Complex turn = factor * std::exp(i_unit * (term.omega * (tau + shift)));
    const Complex slope = turn * i_unit * term.omega;
    q_out += (term.qa * slope).real();
    v_out += (term.va * slope).real();
    if (!term.grows) continue;
    q_out += (term.qb * (turn + tau * slope)).real();
    v_out += (term.vb * (turn + tau * slope)).real();
  }
  double power = factor;
  for (int i = 1; i <= degree; ++i, power *= tau) {
    q_out += static_cast<double>(i) * power * q[i];
    v_out += static_cast<double>(i) * power * v[i];
  }
}

LinearFlow::LinearFlow(const PiecewiseModel& model, const ContactStates& states) {
  const Eigen::Index n = model.size();
  const bool bare = set_contacts(model, states);
  const auto held = static_cast<Eigen::Index>(stuck_.size());
  if (bare && held == 0 && model.proportional()) {
    identity_ = true;
    real_blocks(Eigen::MatrixXd::Identity(n, n), model.omega_squared(), model.damping());
    held_.resize(n, 0);
    return;
  }
  if (held == n) {  // nothing moves
    a_.resize(0);
    w2_.resize(0);
    b2_.resize(0);
    xq_.resize(n, 0);
    held_ = reaction_.transpose();
    return;
  }
  const Eigen::MatrixXd free = complement(stuck_directions_);
  const SymmetricEigen eigen = symmetric_eigen(congruent(stiffness_, free));
  Eigen::VectorXd omega2 = eigen.values;
  const double largest = omega2.cwiseAbs().maxCoeff();
  for (double& w2 : omega2) {
    if (std::abs(w2) <= 1e-12 * largest) w2 = 0.0;
    if (w2 < 0.0) throw std::invalid_argument("the stiffness of a regime is indefinite");
  }
  const Eigen::MatrixXd modes = times(free, eigen.vectors);
  const Eigen::MatrixXd damping = congruent(model.damping(), modes);
  Eigen::MatrixXd off = damping;
  off.diagonal().setZero();
  const double damping_size = std::max(1e-300, damping.cwiseAbs().maxCoeff());
  real_modes_ = off.cwiseAbs().maxCoeff() <= 1e-12 * damping_size;
  if (real_modes_) {
    real_blocks(modes, omega2, damping);
  } else {
    complex_blocks(modes, omega2, damping);
  }
  hold(modes, omega2, largest);
}

/// Springs in the stiffness, and the dampers that hold; true where no spring has any stiffness.
bool LinearFlow::set_contacts(const PiecewiseModel& model, const ContactStates& states) {
  const Eigen::Index n = model.size();
  const auto& contacts = model.contacts();
  stiffness_ = model.omega_squared().asDiagonal();
  bool bare = true;
  for (std::size_t j = 0; j < contacts.size(); ++j) {
    if (contacts[j].kind == Contact::Kind::friction) {
      if (states[j] == 0) stuck_.push_back(static_cast<int>(j));
      continue;
    }
    const double k = contacts[j].stiffness[static_cast<std::size_t>(states[j])];
    if (k == 0.0) continue;
    stiffness_ += k * contacts[j].b * contacts[j].b.transpose();
    bare = false;
  }
  const auto held = static_cast<Eigen::Index>(stuck_.size());
  stuck_directions_.resize(n, held);
  for (Eigen::Index i = 0; i < held; ++i) {
    stuck_directions_.col(i) = contacts[static_cast<std::size_t>(stuck_[static_cast<std::size_t>(i)])].b;
  }
  if (held > 0) {
    reaction_ = solve_symmetric(transpose_times(stuck_directions_, stuck_directions_),
                                Eigen::MatrixXd(stuck_directions_.transpose()));
  } else {
    reaction_.resize(0, n);
  }
  return bare;
}

/// Displacements that go with those of the stuck dampers. `largest`: of all omega2, before small ones were set to 0.
void LinearFlow::hold(const Eigen::MatrixXd& modes, const Eigen::VectorXd& omega2, double largest) {
  // H = R - modes K_r^+ modes^T K R, R = B (B^T B)^-1.
  held_ = reaction_.transpose();
  if (stuck_.empty()) return;
  Eigen::MatrixXd pull = times(transpose_times(modes, stiffness_), held_);
  for (Eigen::Index k = 0; k < omega2.size(); ++k) {
    if (omega2(k) > 0.0) {
      pull.row(k) /= omega2(k);
      continue;
    }
    if (pull.row(k).cwiseAbs().maxCoeff() > 1e-9 * (1.0 + largest) * held_.cwiseAbs().maxCoeff()) {
      throw std::invalid_argument("a stuck damper moves a body that nothing else holds");
    }
    pull.row(k).setZero();
  }
  held_ -= modes * pull;
}

void LinearFlow::real_blocks(const Eigen::MatrixXd& free, const Eigen::VectorXd& omega2,
                             const Eigen::MatrixXd& damping) {
  real_modes_ = true;
  xq_ = free;
  w2_ = omega2.array();
  a_ = (-0.5 * damping.diagonal()).array().min(0.0);
  b2_ = w2_ - a_ * a_;
  beta_ = b2_.abs().sqrt();
}

void LinearFlow::complex_blocks(const Eigen::MatrixXd& free, const Eigen::VectorXd& omega2,
                                const Eigen::MatrixXd& damping) {
  const Eigen::Index all = omega2.size();
  // Rigid motions that nothing damps: blocks of their own, where the eigenvectors would be incomplete.
  std::vector<Eigen::Index> coupled, rigid;
  for (Eigen::Index k = 0; k < all; ++k) {
    const bool drifts =
        omega2(k) == 0.0 && damping.row(k).cwiseAbs().maxCoeff() <= 1e-13 * damping.cwiseAbs().maxCoeff();
    (drifts ? rigid : coupled).push_back(k);
  }
  const auto m = static_cast<Eigen::Index>(coupled.size());
  const EigenBlocks blocks = best_eigen_blocks(omega2(coupled), damping(coupled, coupled));
  a_ = w2_ = b2_ = Eigen::ArrayXd::Zero(all);
  a_.head(m) = blocks.a;
  w2_.head(m) = blocks.w2;
  b2_.head(m) = blocks.b2;
  beta_ = b2_.abs().sqrt();
  const Eigen::MatrixXd part = free(Eigen::all, coupled);
  xq_ = Eigen::MatrixXd::Zero(free.rows(), all);
  xv_ = Eigen::MatrixXd::Zero(free.rows(), all);
  xq_.leftCols(m) = part * blocks.q;
  xv_.leftCols(m) = part * blocks.v;
  const auto expand = [&](const Eigen::MatrixXd& corner) {
    Eigen::MatrixXd result = Eigen::MatrixXd::Zero(all, free.rows());
    result.topRows(m) = corner * part.transpose();
    return result;
  };
  lqu_ = expand(blocks.inverse.topLeftCorner(m, m));
  lqv_ = expand(blocks.inverse.topRightCorner(m, m));
  lvu_ = expand(blocks.inverse.bottomLeftCorner(m, m));
  lvv_ = expand(blocks.inverse.bottomRightCorner(m, m));
  for (std::size_t i = 0; i < rigid.size(); ++i) {
    const Eigen::Index at = m + static_cast<Eigen::Index>(i);
    xq_.col(at) = free.col(rigid[i]);
    lqu_.row(at) = lvv_.row(at) = free.col(rigid[i]).transpose();
  }
  yq_ = -xv_ * w2_.matrix().asDiagonal();
  yv_ = xq_ + 2.0 * xv_ * a_.matrix().asDiagonal();
}

void LinearFlow::coordinates(const FlowState& state, Eigen::VectorXd& eta, Eigen::VectorXd& rate) const {
  if (identity_) {
    eta = state.q.matrix();
    rate = state.v.matrix();
    return;
  }
  eta.noalias() = xq_ * state.q.matrix();
  if (real_modes_) {
    rate.noalias() = xq_ * state.v.matrix();
  } else {
    eta.noalias() += xv_ * state.v.matrix();
    rate.noalias() = yq_ * state.q.matrix();
    rate.noalias() += yv_ * state.v.matrix();
  }
  if (held_.cols() > 0) eta.noalias() += held_ * state.d;
}

void LinearFlow::state(const Eigen::VectorXd& eta, const Eigen::VectorXd& rate, FlowState& state) const {
  if (identity_) {
    state.q = eta.array();
    state.v = rate.array();
    state.d.resize(0);
    return;
  }
  state.d.noalias() = stuck_directions_.transpose() * eta;
  Eigen::VectorXd rest = eta;
  if (held_.cols() > 0) rest.noalias() -= held_ * state.d;
  if (real_modes_) {
    state.q = (xq_.transpose() * rest).array();
    state.v = (xq_.transpose() * rate).array();
    return;
  }
  state.q = (lqu_ * rest + lqv_ * rate).array();
  state.v = (lvu_ * rest + lvv_ * rate).array();
}

void LinearFlow::step(double tau, FlowStep& step) const {
  const Eigen::Index n = blocks();
  step.e11.resize(n);
  step.e12.resize(n);
  step.e21.resize(n);
  step.e22.resize(n);
  for (Eigen::Index k = 0; k < n; ++k) {
    const double a = a_(k);
    double c = 0.0, s = 0.0;
    swing(k, tau, c, s);
    step.e11(k) = c - a * s;
    step.e12(k) = s;
    step.e21(k) = -w2_(k) * s;
    step.e22(k) = c + a * s;
  }
}

Eigen::ArrayXd LinearFlow::modal(const Eigen::VectorXd& force) const {
  if (identity_) return force.array();
  if (force.isZero(0.0)) return Eigen::ArrayXd::Zero(blocks());
  return (xq_.transpose() * force).array();
}

Eigen::ArrayXcd LinearFlow::modal(const Eigen::VectorXcd& force) const {
  Eigen::ArrayXcd result(blocks());
  result.real() = modal(Eigen::VectorXd(force.real()));
  result.imag() = modal(Eigen::VectorXd(force.imag()));
  return result;
}

void LinearFlow::harmonic(const Eigen::VectorXcd& force, double s, Eigen::ArrayXcd& q, Eigen::ArrayXcd& v) const {
  const Complex is = i_unit * s;
  if (real_modes_) {
    const Eigen::ArrayXcd p = modal(force);
    q = p / (w2_ - s * s - 2.0 * is * a_);
    v = is * q;
    return;
  }
  const Eigen::ArrayXcd pq = (lqv_ * force).array();
  const Eigen::ArrayXcd pv = (lvv_ * force).array();
  const Eigen::ArrayXcd z = w2_ - s * s - 2.0 * is * a_;
  q = ((is - 2.0 * a_) * pq + pv) / z;
  v = (is * pv - w2_ * pq) / z;
}

void LinearFlow::harmonic_change(double s, const Eigen::ArrayXcd& q, const Eigen::ArrayXcd& v, Eigen::ArrayXcd& dq,
                                 Eigen::ArrayXcd& dv) const {
  // (i s - J) x = p: dx/ds = -i (i s - J)^-1 x.
  const Complex is = i_unit * s;
  const Eigen::ArrayXcd z = i_unit / (w2_ - s * s - 2.0 * is * a_);
  dq = -z * ((is - 2.0 * a_) * q + v);
  dv = -z * (is * v - w2_ * q);
}

ForcedMotion::Term LinearFlow::forced_by(const HarmonicForce& term) const {
  const Eigen::Index n = blocks();
  ForcedMotion::Term out;
  out.omega = term.omega;
  out.grows = !term.b.isZero(0.0);
  const double w = term.omega;
  // Undamped and in resonance: the answer grows in time, q = (p/(2 i w)) tau exp(i w tau).
  Eigen::Array<bool, Eigen::Dynamic, 1> resonant = (w2_ - w * w).abs() + (2.0 * w * a_).abs() <= 1e-11 * (w2_ + w * w);
  harmonic(term.a, w, out.qa, out.va);
  out.qb = out.vb = Eigen::ArrayXcd::Zero(n);
  if (out.grows) {
    harmonic(term.b, w, out.qb, out.vb);
    Eigen::ArrayXcd dq, dv;
    harmonic_change(w, out.qb, out.vb, dq, dv);  // -(i w - J)^-1 x = dx/ds / i
    out.qa += dq / i_unit;
    out.va += dv / i_unit;
  }
  if (resonant.any()) {
    if (!real_modes_ || out.grows) {
      throw std::invalid_argument("an undamped mode is driven exactly at its frequency: add a little damping");
    }
    const Eigen::ArrayXcd p = modal(term.a);
    for (Eigen::Index k = 0; k < n; ++k) {
      if (!resonant(k)) continue;
      out.qb(k) = p(k) / (2.0 * i_unit * w);
      out.vb(k) = i_unit * w * out.qb(k);
      out.qa(k) = 0.0;
      out.va(k) = out.qb(k);
    }
    out.grows = true;
  }
  return out;
}

ForcedMotion LinearFlow::forced(const ForceTerms& force) const {
  const Eigen::Index n = blocks();
  ForcedMotion result;
  for (const HarmonicForce& term : force.harmonics) {
    result.terms.push_back(forced_by(term));
  }
  // Straight lines: x = sum x_i tau^i with (i+1) x_{i+1} = J x_i + p F_i.
  Eigen::ArrayXd pq[2], pv[2];
  const Eigen::VectorXd* lines[2] = {&force.constant, &force.slope};
  for (int i = 0; i < 2; ++i) {
    if (real_modes_) {
      pq[i] = Eigen::ArrayXd::Zero(n);
      pv[i] = modal(*lines[i]);
    } else {
      pq[i] = (lqv_ * *lines[i]).array();
      pv[i] = (lvv_ * *lines[i]).array();
    }
  }
  for (int i = 0; i < 4; ++i) result.q[i] = result.v[i] = Eigen::ArrayXd::Zero(n);
  result.degree = force.slope.isZero(0.0) ? 0 : 1;
  for (Eigen::Index k = 0; k < n; ++k) {
    if (w2_(k) > 0.0) {
      // J^-1 = [2a -1; w2 0]/w2.
      const auto solve = [&](double rq, double rv, double& q, double& v) {
        q = (2.0 * a_(k) * rq - rv) / w2_(k);
        v = rq;
      };
      solve(-pq[1](k), -pv[1](k), result.q[1](k), result.v[1](k));
      solve(result.q[1](k) - pq[0](k), result.v[1](k) - pv[0](k), result.q[0](k), result.v[0](k));
      continue;
    }
    double v[3] = {0.0, 0.0, 0.0};
    if (a_(k) != 0.0) {
      v[1] = -pv[1](k) / (2.0 * a_(k));
      v[0] = (v[1] - pv[0](k)) / (2.0 * a_(k));
    } else {
      v[1] = pv[0](k);
      v[2] = 0.5 * pv[1](k);
    }
    double top = 0.0;
    for (int i = 0; i < 3; ++i) {
      result.v[i](k) = v[i];
      result.q[i + 1](k) = (v[i] + (i < 2 ? pq[i](k) : 0.0)) / (i + 1.0);
      if (result.q[i + 1](k) != 0.0) top = i + 1.0;
    }
    result.degree = std::max(result.degree, static_cast<int>(top));
  }
  return result;
}

void LinearFlow::weights(const Eigen::VectorXd& wu, const Eigen::VectorXd& wv, Eigen::ArrayXd& on_q,
                         Eigen::ArrayXd& on_v) const {
  if (real_modes_) {
    on_q = (xq_.transpose() * wu).array();
    on_v = (xq_.transpose() * wv).array();
    return;
  }
  on_q = (xq_.transpose() * wu + yq_.transpose() * wv).array();
  on_v = (xv_.transpose() * wu + yv_.transpose() * wv).array();
}

}  // namespace microslip
