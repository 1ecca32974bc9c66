package import VmxModel

/// A line as `sha256sum -c` reads it.
package enum ChecksumLine {
  /// The line, with its end, of a file of this digest.
  ///
  /// A name that has a backslash or an end of line in it is escaped, and the line begins with a
  /// backslash, as GNU's programs do it.
  package static func text(of digest: Digest, _ path: String) -> String {
    let special: Set<UInt8> = [UInt8(ascii: "\\"), UInt8(ascii: "\n"), UInt8(ascii: "\r")]
    guard path.utf8.contains(where: special.contains) else { return "\(digest.hex)  \(path)\n" }
    var escaped = ""
    for scalar in path.unicodeScalars {
      switch scalar {
      case "\\": escaped += "\\\\"
      case "\n": escaped += "\\n"
      case "\r": escaped += "\\r"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return "\\\(digest.hex)  \(escaped)\n"
  }
}
