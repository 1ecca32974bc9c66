import VmxModel

/// A systemd user service, and the timer that starts it.
///
/// A user manager starts with the user's first session, without the environment of the user's
/// shell. So the service names its program by an absolute path, and sets the variables that locate
/// the library.
package struct TimerUnits: Sendable, Equatable {
  /// A unit file.
  package struct Unit: Sendable, Equatable {
    /// The file's name.
    package let name: String
    /// Its content.
    package let text: String
  }

  /// The variables that locate the library and its settings. Proxy variables are left out, since
  /// they may contain passwords.
  package static let kept = [
    "VMX_HOME", "VMX_CONFIG", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CONFIG_DIRS",
    "XDG_CACHE_HOME", "XDG_STATE_HOME",
  ]

  /// The first words of each file; vmx did not write a file that begins otherwise.
  package let mark: String
  /// The unit that starts the service.
  package let timer: Unit
  /// The unit that does the work once.
  package let service: Unit

  /// The units, in the order in which they are written.
  package var all: [Unit] { [service, timer] }

  /// Creates the units from the lines that are specific to them.
  ///
  /// - Parameters:
  ///   - name: the name of both files, without the suffix.
  ///   - author: the command that writes them.
  ///   - program: the absolute path of the service's program, and its options.
  ///   - environment: the environment variables of the installing process.
  ///   - about: the descriptions of the service and of the timer, and the manual pages of both.
  ///   - lines: the additional lines of the service, and those that tell when the timer starts it.
  init(
    _ name: String, by author: String, _ program: (path: String, options: String),
    environment: [String: String], about: (service: String, timer: String, pages: String),
    lines: (service: [String], timer: [String])
  ) {
    mark = "# Written by '\(author)'"
    let head = "\(mark), which writes it anew; '--uninstall' removes it."
    let variables = Self.kept.compactMap { name in
      environment[name].flatMap { $0.isEmpty ? nil : "Environment=\(Self.quoted("\(name)=\($0)"))" }
    }
    let command = Self.quoted(program.path).split(separator: "$", omittingEmptySubsequences: false)
      .joined(separator: "$$")
    let unit = [head, "[Unit]", "Documentation=\(about.pages)"]
    let work = ["", "[Service]", "Type=oneshot"] + variables
    let manner = ["Nice=10", "IOSchedulingClass=idle"]
    self.service = Unit(
      name: "\(name).service",
      text: Self.text(
        unit + ["Description=\(about.service)"] + work
          + ["ExecStart=\(command) \(program.options)"] + lines.service + manner))
    self.timer = Unit(
      name: "\(name).timer",
      text: Self.text(
        unit + ["Description=\(about.timer)", "", "[Timer]"] + lines.timer
          + ["", "[Install]", "WantedBy=timers.target"]))
  }

  private static func text(_ lines: [String]) -> String {
    lines.joined(separator: "\n") + "\n"
  }

  /// Quotes and escapes a word for a unit file; specifiers are disabled.
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

extension TimerUnits {
  /// The units that fetch wanted episodes in the background.
  ///
  /// - Parameters:
  ///   - program: the absolute path of `vmx-fetch`.
  ///   - environment: the environment variables of the installing process.
  package static func fetching(program: String, environment: [String: String]) -> TimerUnits {
    TimerUnits(
      "vmx-fetch", by: "vmx queue --install-timer", (program, "--due --quiet"),
      environment: environment,
      about: (
        "Fetch what the vmx library wants", "Fetch what the vmx library wants, each hour",
        "man:vmx-queue(1) man:vmx-fetch(1)"
      ),
      lines: (
        ["SuccessExitStatus=75"],
        ["OnStartupSec=2min", "OnCalendar=hourly", "RandomizedDelaySec=5min", "Persistent=true"]
      ))
  }

  /// The units that run `vmx clean --login` soon after a login, and once a day.
  ///
  /// - Parameters:
  ///   - program: the absolute path of `vmx-clean`.
  ///   - environment: the environment variables of the installing process.
  package static func cleaning(program: String, environment: [String: String]) -> TimerUnits {
    TimerUnits(
      "vmx-clean", by: "vmx clean --install-login", (program, "--login"),
      environment: environment,
      about: (
        "Tidy the vmx library", "Tidy the vmx library at login and once a day",
        "man:vmx-clean(1)"
      ),
      lines: (
        ["TimeoutStartSec=1min"],
        ["OnStartupSec=1min", "OnCalendar=daily", "RandomizedDelaySec=10min", "Persistent=true"]
      ))
  }
}
