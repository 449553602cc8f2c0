#pragma once
// Readers of user files meet any bytes: every cut and every changed byte of a valid text is read, and only a complaint
// of the expected type may come out.

#include <gtest/gtest.h>

#include <string>

namespace microslip::test {

template <class Expected, class Read>
void survives(const std::string& text, const Read& read) {
  const auto attempt = [&](const std::string& bytes) {
    try {
      read(bytes);
    } catch (const Expected&) {
      return;
    } catch (const std::exception& error) {
      ADD_FAILURE() << "unexpected exception: " << error.what() << "\nfor the text:\n" << bytes;
    }
  };
  for (std::size_t length = 0; length <= text.size(); ++length) attempt(text.substr(0, length));
  for (const char byte : {'\0', '\xff', '9', '-', '"', '[', '\n', 'e', '{'}) {
    for (std::size_t at = 0; at < text.size(); ++at) {
      std::string changed = text;
      changed[at] = byte;
      attempt(changed);
      attempt(text.substr(0, at) + byte + text.substr(at));
    }
  }
}

}  // namespace microslip::test
