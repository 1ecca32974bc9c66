import SystemPackage
package import VmxSystem

extension SpooledText {
  /// Creates a text of at most 1 MiB, which needs no file.
  package convenience init(_ bytes: [UInt8]) {
    self.init(in: "/")
    do {
      try bytes.withUnsafeBytes { try append($0) }
    } catch {
      fatalError("the text does not fit into memory: \(error)")
    }
  }
}
