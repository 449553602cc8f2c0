#include <microslip/structure/linear_structure.hpp>

int main() {
  const auto structure =
      microslip::LinearStructure::lumped({1.0}, {"mass"}, {{-1, 0, 1.0}}, {}, microslip::ModalDamping{{1e-3}});
  return structure.index_of("mass");
}
