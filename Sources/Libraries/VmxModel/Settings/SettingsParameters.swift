/// The encoding by which the dispatcher passes `-c key=value` to the tool that it executes. It uses
/// one environment variable, with each parameter in single quotes and blanks between them. A quote
/// within a parameter is written `'\''`.
package enum SettingsParameters {
  /// The name of the variable.
  package static let variable = "VMX_CONFIG_PARAMETERS"

  /// Encodes parameters as the variable's value, in their order.
  package static func text(of parameters: [String]) -> String {
    let quoted = parameters.map { parameter in
      let parts = parameter.utf8.split(separator: quote, omittingEmptySubsequences: false)
      return "'" + parts.map { String(Substring($0)) }.joined(separator: #"'\''"#) + "'"
    }
    return quoted.joined(separator: " ")
  }

  /// Decodes the parameters from the variable's value, in their order.
  ///
  /// - Throws: `bad-setting` if the value is malformed.
  package static func parameters(of text: String) throws(Failure) -> [String] {
    var parameters: [String] = []
    var rest = Substring(text).utf8
    while true {
      rest = rest.drop { $0 == UInt8(ascii: " ") }
      guard !rest.isEmpty else { return parameters }
      parameters.append(try word(&rest))
    }
  }

  private static let quote = UInt8(ascii: "'")

  /// Decodes one parameter: quoted pieces and `\'` between them, up to a blank.
  private static func word(_ rest: inout Substring.UTF8View) throws(Failure) -> String {
    var word = ""
    while let first = rest.first, first != UInt8(ascii: " ") {
      let inner = rest.dropFirst()
      if first == quote, let end = inner.firstIndex(of: quote) {
        word += String(Substring(inner[..<end]))
        rest = inner[end...].dropFirst()
      } else if first == UInt8(ascii: "\\"), inner.first == quote {
        word += "'"
        rest = inner.dropFirst()
      } else {
        throw Failure(.badSetting, "variable '\(variable)': a parameter is not in single quotes")
      }
    }
    return word
  }
}
