package import SystemPackage
import VmxModel

extension FilePath {
  /// The path that a command-line argument names, whatever its bytes are.
  ///
  /// - Parameter text: an argument or a part of one, as `ArgumentText`.
  package init(argument text: String) {
    self.init(bytes: ArgumentText.bytes(of: text))
  }
}
