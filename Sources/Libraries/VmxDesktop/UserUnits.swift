import VmxModel

/// A systemd user service, and the timer that starts it if it has one.
///
///     let units = UserUnits.following(program: "/usr/bin/vmx-mark", environment: variables)
///
/// A user manager starts with the user's first session, without the environment of the user's
/// shell. So the service uses the absolute path of its program, and sets the variables that locate
/// the library.
package struct UserUnits: Sendable, Equatable {
  /// A unit file.
  package struct Unit: Sendable, Equatable {
    /// The file's name.
    package let name: String
    /// Its content.
    package let text: String
  }

  /// The variables that locate the library and its settings. Proxy variables are omitted, since
  /// they may contain passwords.
  package static let inheritedVariables = [
    "VMX_HOME", "VMX_CONFIG", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CONFIG_DIRS",
    "XDG_CACHE_HOME", "XDG_STATE_HOME",
  ]

  /// The first words of each file; vmx did not write a file that begins differently.
  package let mark: String
  /// The unit that does the work.
  package let service: Unit
  /// The unit that starts the service; nil for a service that runs as long as the session.
  package let timer: Unit?
  /// The target that starts the enabled unit.
  let target: String

  /// The units, in the order in which they are written.
  package var all: [Unit] { [service] + (timer.map { [$0] } ?? []) }

  /// The unit that is enabled.
  package var enabled: Unit { timer ?? service }

  /// Creates the units from the lines that are specific to them.
  ///
  /// - Parameters:
  ///   - name: the name of both files, without the suffix.
  ///   - author: the command that writes them.
  ///   - program: the absolute path of the service's program, and its options.
  ///   - environment: the environment variables of the installing process.
  ///   - service: the description of the service, its manual pages and its additional lines.
  ///   - timer: the description of the timer, and the lines that determine when it starts the
  ///     service, which then does its work once; nil for a service of the graphical session.
  init(
    _ name: String, by author: String, _ program: (path: String, options: String),
    environment: [String: String], service: (about: String, pages: String, lines: [String]),
    timer: (about: String, lines: [String])?
  ) {
    mark = "# Written by '\(author)'"
    target = timer == nil ? Self.session : "timers.target"
    let head = "\(mark), which rewrites it; '--uninstall' removes it."
    let variables = Self.inheritedVariables.compactMap { name in
      environment[name].flatMap { $0.isEmpty ? nil : "Environment=\(Self.quoted("\(name)=\($0)"))" }
    }
    let command = Self.command(program.path)
    let unit = [head, "[Unit]", "Documentation=\(service.pages)"]
    let install = ["", "[Install]", "WantedBy=\(target)"]
    let bonds = timer == nil ? ["PartOf=\(target)", "After=\(target)"] : []
    let manner = ["Nice=10", "IOSchedulingClass=idle"]
    let work = ["", "[Service]", "Type=\(timer == nil ? "simple" : "oneshot")"] + variables
    self.service = Unit(
      name: "\(name).service",
      text: Self.text(
        unit + ["Description=\(service.about)"] + bonds + work
          + ["ExecStart=\(command) \(program.options)"] + service.lines + manner
          + (timer == nil ? install : [])))
    self.timer = timer.map { timer in
      Unit(
        name: "\(name).timer",
        text: Self.text(
          unit + ["Description=\(timer.about)", "", "[Timer]"] + timer.lines + install))
    }
  }

  private static let session = "graphical-session.target"

  private static func text(_ lines: [String]) -> String {
    lines.joined(separator: "\n") + "\n"
  }

  /// Quotes the path of a program for a command line of a unit file.
  private static func command(_ path: String) -> String {
    quoted(path).split(separator: "$", omittingEmptySubsequences: false).joined(separator: "$$")
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

extension UserUnits {
  /// Returns the units that check the feeds and fetch wanted episodes in the background.
  ///
  /// - Parameters:
  ///   - program: the absolute path of `vmx-fetch`.
  ///   - feed: the absolute path of `vmx-feed`. A feed that fails does not stop the fetch.
  ///   - environment: the environment variables of the installing process.
  package static func fetching(
    program: String, feed: String, environment: [String: String]
  ) -> UserUnits {
    UserUnits(
      "vmx-fetch", by: "vmx queue --install-timer", (program, "--due --quiet"),
      environment: environment,
      service: (
        "Check feeds, and fetch what the vmx library wants",
        "man:vmx-queue(1) man:vmx-feed(1) man:vmx-fetch(1)",
        ["ExecStartPre=-\(Self.command(feed)) update --quiet", "SuccessExitStatus=75"]
      ),
      timer: (
        "Check feeds, and fetch what the vmx library wants, each hour",
        ["OnStartupSec=2min", "OnCalendar=hourly", "RandomizedDelaySec=5min", "Persistent=true"]
      ))
  }

  /// Returns the units that run `vmx clean --login` soon after a login, and once a day.
  ///
  /// - Parameters:
  ///   - program: the absolute path of `vmx-clean`.
  ///   - environment: the environment variables of the installing process.
  package static func cleaning(program: String, environment: [String: String]) -> UserUnits {
    UserUnits(
      "vmx-clean", by: "vmx clean --install-login", (program, "--login"),
      environment: environment,
      service: ("Tidy the vmx library", "man:vmx-clean(1)", ["TimeoutStartSec=1min"]),
      timer: (
        "Tidy the vmx library at login and once a day",
        ["OnStartupSec=1min", "OnCalendar=daily", "RandomizedDelaySec=10min", "Persistent=true"]
      ))
  }

  /// Returns the unit that runs `vmx mark --follow` as long as a graphical session.
  ///
  /// - Parameters:
  ///   - program: the absolute path of `vmx-mark`.
  ///   - environment: the environment variables of the installing process.
  package static func following(program: String, environment: [String: String]) -> UserUnits {
    UserUnits(
      "vmx-mark", by: "vmx mark --install-login", (program, "--follow --quiet"),
      environment: environment,
      service: (
        "Mark what media players play", "man:vmx-mark(1)",
        ["Restart=on-failure", "RestartSec=30"]
      ), timer: nil)
  }
}
