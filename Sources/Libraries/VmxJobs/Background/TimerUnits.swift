import VmxModel

/// A systemd service of a person's own, and the timer that starts it.
///
/// A user manager starts with the person's first session and knows nothing of their shell, so the
/// service names its program by an absolute path, and brings what says where the library is.
package struct TimerUnits: Sendable, Equatable {
  /// A file with a unit.
  package struct Unit: Sendable, Equatable {
    /// The file's name.
    package let name: String
    /// What stands in it.
    package let text: String
  }

  /// Variables that say where the library and its settings are. Proxies may carry passwords.
  package static let kept = [
    "VMX_HOME", "VMX_CONFIG", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CONFIG_DIRS",
    "XDG_CACHE_HOME", "XDG_STATE_HOME",
  ]

  /// How each file begins: one that begins otherwise is not ours.
  package let mark: String
  /// Starts the service.
  package let timer: Unit
  /// Does the work once.
  package let service: Unit

  /// The files in the order in which they are written.
  package var all: [Unit] { [service, timer] }

  /// Units from the lines that are theirs alone.
  ///
  /// - Parameters:
  ///   - name: of both files, without what they end with.
  ///   - author: the command that writes them.
  ///   - program: absolute path of what the service runs, with its options behind it.
  ///   - environment: the variables of whoever installs them.
  ///   - service: lines of the service beside those that all have.
  ///   - timer: lines that say when it starts.
  init(
    _ name: String, by author: String, _ program: (path: String, options: String),
    environment: [String: String], descriptions: (service: String, timer: String), pages: String,
    service: [String], timer: [String]
  ) {
    mark = "# Written by '\(author)'"
    let head = "\(mark), which writes it anew; '--uninstall' removes it."
    let variables = Self.kept.compactMap { name in
      environment[name].flatMap { $0.isEmpty ? nil : "Environment=\(Self.quoted("\(name)=\($0)"))" }
    }
    let command = Self.quoted(program.path).split(separator: "$", omittingEmptySubsequences: false)
      .joined(separator: "$$")
    let unit = [head, "[Unit]", "Documentation=\(pages)"]
    let work = ["", "[Service]", "Type=oneshot"] + variables
    let manner = ["Nice=10", "IOSchedulingClass=idle"]
    self.service = Unit(
      name: "\(name).service",
      text: Self.text(
        unit + ["Description=\(descriptions.service)"] + work
          + ["ExecStart=\(command) \(program.options)"] + service + manner))
    self.timer = Unit(
      name: "\(name).timer",
      text: Self.text(
        unit + ["Description=\(descriptions.timer)", "", "[Timer]"] + timer
          + ["", "[Install]", "WantedBy=timers.target"]))
  }

  private static func text(_ lines: [String]) -> String {
    lines.joined(separator: "\n") + "\n"
  }

  /// A word as systemd reads it: in quotes, with its escapes, and without specifiers.
  private static func quoted(_ word: String) -> String {
    var text = "\""
    for byte in word.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): text += "\\\(Character(UnicodeScalar(byte)))"
      case UInt8(ascii: "%"): text += "%%"
      case 0..<32, 127...: text += "\\x\(Hex.text(of: UInt64(byte)).suffix(2))"
      default: text.append(Character(UnicodeScalar(byte)))
      }
    }
    return text + "\""
  }
}
