package import SystemPackage
import VmxModel

extension FilePath {
  /// Creates the path that a command-line argument names, with arbitrary bytes.
  ///
  /// - Parameter text: an argument or a part of it, as `ArgumentText`.
  package init(argument text: String) {
    self.init(bytes: ArgumentText.bytes(of: text))
  }
}
