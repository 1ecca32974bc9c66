package import VmxModel

/// A line in the input format of `sha256sum -c`.
package enum ChecksumLine {
  /// Returns the line for a file with this digest, including the newline.
  ///
  /// A path that contains a backslash or a line break is escaped. The line then begins with a
  /// backslash, as GNU coreutils writes it.
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
