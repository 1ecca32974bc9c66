import Glibc

/// The description of the operating system, without the host name, which the user chose.
package enum MachineName {
  /// The kernel, its release and the processor architecture, such as `Linux 6.1.0 x86_64`.
  package static var text: String {
    var names = utsname()
    guard uname(&names) == 0 else { return "unknown" }
    return [text(&names.sysname), text(&names.release), text(&names.machine)]
      .joined(separator: " ")
  }

  private static func text<Field>(_ field: inout Field) -> String {
    withUnsafeBytes(of: &field) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
  }
}
