# For Doxygen: the comment at the top of a header, below #pragma once, becomes the documentation of the file, as it stands.
# <path> is no HTML, and \n no command. A header without a comment gets a command that Doxygen does not know, which is a warning.
/^#pragma once/ { print; waiting = 1; next }
waiting && /^\/\// {
  sub(/^\/\/ ?/, "")
  print (inside ? "" : "/*! \\file\n\\verbatim\n") $0
  inside = 1
  next
}
waiting {
  print (inside ? "\\endverbatim */" : "/*! \\file \\this_header_does_not_say_what_it_is_about */")
  waiting = 0
}
/\/\/\// {
  gsub(/<path>/, "PATH")
  gsub(/\\[nr]/, "\\\\&")
}
{ print }
