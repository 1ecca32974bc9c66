/// Converts the parser's error messages into the form of vmx.
enum UsageText {
  /// Returns the first line, with a lower-case first letter and without a full stop.
  static func summary(of message: String) -> String {
    var line = message.split(separator: "\n").first.map(String.init) ?? message
    if line.hasPrefix("Error: ") { line.removeFirst("Error: ".count) }
    if line.hasSuffix(".") { line.removeLast() }
    return line.prefix(1).lowercased() + line.dropFirst()
  }
}
