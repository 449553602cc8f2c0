#include "starter_studies.hpp"

namespace microslip::cli {
namespace {

constexpr std::string_view lap_joint =
    R"(# Three masses in a row; a lap joint between the last two. A blow on the last mass, then the motion dies out.
# Check it with `microslip check study.toml`, run it with `microslip run study.toml`.

title = "Three masses, one lap joint"

[units]                 # labels for tables and plots only; the numbers are in one consistent set
length = "m"
force  = "N"
time   = "s"

[structure]
kind    = "lumped"
masses  = [10.0, 10.0, 10.0]                                          # degrees of freedom "1", "2", "3"
springs = [["ground", "1", 9.0], ["1", "2", 9.0], ["2", "3", 9.0]]    # [from, to, stiffness]
damping = { modal = 1e-4 }                                            # ratio of every stuck mode

[[joint]]
name    = "lap"
between = ["2", "3"]    # u = q3 - q2
law     = "iwan4"       # `microslip laws` lists the laws and their parameters
FS      = 10.0          # macroslip force
KT      = 1.0           # tangent stiffness at rest
chi     = -0.5          # energy loss grows as amplitude^(chi+3)
beta    = 5.0

[[load]]
name   = "hit"
at     = "3"
signal = { kind = "half_sine", amplitude = 10.0, duration = 1.8 }

[[analysis]]
kind = "modes"

[[analysis]]
kind     = "transient"
name     = "ring"       # ring.csv
load     = "hit"
duration = 100.0
step     = 1e-2
record   = { dofs = ["3"], joints = ["lap"] }
)";

constexpr std::string_view matrices =
    R"(# A structure given by its matrices, e.g. from a finite-element program, with two joints of the Jenkins type.

title = "Two free bodies, two bolts"

[structure]
kind      = "matrices"
mass      = "M.mtx"         # Matrix Market files
stiffness = "K.mtx"         # without the joints
labels    = "dofs.txt"      # one a line
damping   = { rayleigh = [0.0, 1e-6] }
constrain_rigid_body = true # free-free: leave the rigid motion out

[[joint]]
name    = "left"
between = ["a1", "b1"]
law     = "jenkins"
kt      = 2e6
fs      = 100.0

[[joint]]
name    = "right"
between = ["a2", "b2"]
law     = "jenkins"
kt      = 2e6
fs      = 80.0

[[load]]
name   = "shake"
vector = { a1 = 1.0, b2 = -1.0 }
signal = { kind = "sine", amplitude = 50.0, frequency_hz = 100.0 }

[[analysis]]
kind = "modes"

[[analysis]]
kind             = "transient"
load             = "shake"
duration         = 0.1
steps_per_period = 40       # of the highest mode kept
)";

constexpr std::string_view mass_matrix = R"(%%MatrixMarket matrix coordinate real symmetric
4 4 4
1 1 2.0
2 2 2.0
3 3 1.5
4 4 1.5
)";

constexpr std::string_view stiffness_matrix = R"(%%MatrixMarket matrix coordinate real symmetric
4 4 6
1 1 1e6
2 1 -1e6
2 2 1e6
3 3 8e5
4 3 -8e5
4 4 8e5
)";

constexpr std::string_view base_motion = R"(# A mass on a spring and a dry-friction damper, shaken by the ground.

title = "Friction damper on a shaken floor"

[units]
length = "m"
force  = "N"
time   = "s"

[structure]
kind    = "lumped"
masses  = [2.0, 1.0]
labels  = ["frame", "tip"]
springs = [["ground", "frame", 2e4], ["frame", "tip", 8e3]]
dampers = [["ground", "frame", 1.0]]

[[joint]]
name    = "damper"
between = ["ground", "frame"]
law     = "jenkins"
kt      = 1e5
fs      = 15.0

[[load]]
name   = "floor"
base   = true           # the displacement of every "ground"; q stays absolute
signal = { kind = "random", amplitude = 2e-3, cutoff_hz = 30.0, seed = 7 }

[[analysis]]
kind     = "transient"
name     = "shaken"
load     = "floor"
duration = 2.0
step     = 2e-4
method   = "generalized_alpha"
record   = { every = 5 }
)";

}  // namespace

std::span<const StarterStudy> starter_studies() {
  static const std::vector<StarterStudy> studies = {
      {"lap_joint", "three masses and an Iwan joint; ring-down after a blow", {{"study.toml", lap_joint}}},
      {"matrices",
       "structure from Matrix Market files, free-free",
       {{"study.toml", matrices},
        {"M.mtx", mass_matrix},
        {"K.mtx", stiffness_matrix},
        {"dofs.txt", "a1\na2\nb1\nb2\n"}}},
      {"base_motion", "random motion of the ground", {{"study.toml", base_motion}}}};
  return studies;
}

}  // namespace microslip::cli
