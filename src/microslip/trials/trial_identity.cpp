#include "microslip/trials/trial_identity.hpp"

#include <elf.h>
#include <fmt/format.h>
#include <link.h>

#include <cstring>
#include <limits>

#include "microslip/io/text_file.hpp"

namespace microslip {
namespace {

/// Of the program's own notes, the one in which the linker has left a hash of all that it holds.
std::string_view build_in(const char* at, std::size_t size) {
  const auto padded = [](std::size_t bytes) { return (bytes + 3) / 4 * 4; };
  while (size >= sizeof(ElfW(Nhdr))) {
    ElfW(Nhdr) note;
    std::memcpy(&note, at, sizeof note);
    const std::size_t name = sizeof note, value = name + padded(note.n_namesz);
    const std::size_t whole = value + padded(note.n_descsz);
    if (whole > size) break;
    if (note.n_type == NT_GNU_BUILD_ID && std::string_view(at + name, note.n_namesz) == std::string_view("GNU", 4)) {
      return {at + value, note.n_descsz};
    }
    at += whole;
    size -= whole;
  }
  return {};
}

/// The first object is the program itself.
int visit_program(dl_phdr_info* program, std::size_t, void* build) {
  for (int i = 0; i < program->dlpi_phnum; ++i) {
    const ElfW(Phdr)& part = program->dlpi_phdr[i];
    if (part.p_type != PT_NOTE) continue;
    const auto* notes = reinterpret_cast<const char*>(program->dlpi_addr + part.p_vaddr);
    const std::string_view found = build_in(notes, part.p_memsz);
    if (!found.empty()) *static_cast<std::string_view*>(build) = found;
  }
  return 1;
}

}  // namespace

TrialIdentity::TrialIdentity() {
  std::string_view build;
  dl_iterate_phdr(visit_program, &build);
  add("build", build);
}

void TrialIdentity::add_bytes(std::string_view bytes) {
  for (const char byte : bytes) state_ = (state_ ^ static_cast<unsigned char>(byte)) * 1099511628211ULL;
}

void TrialIdentity::add(std::string_view name, std::string_view value) {
  for (const std::string_view part : {name, value}) {
    add_bytes(fmt::format("{}:", part.size()));
    add_bytes(part);
  }
}

void TrialIdentity::add_file(const std::string& path) {
  add("file", read_text_file(path, std::numeric_limits<std::size_t>::max()));
}

std::string TrialIdentity::text() const {
  return fmt::format("{:016x}", state_);
}

}  // namespace microslip
