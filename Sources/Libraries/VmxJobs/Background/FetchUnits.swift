import VmxModel

/// The systemd units that fetch what is wanted while nobody looks: a service and its timer.
///
/// A user manager starts with the person's first session and knows nothing of their shell, so the
/// service names its program by an absolute path, and brings what says where the library is.
package struct FetchUnits: Sendable, Equatable {
  /// A file with a unit.
  package struct Unit: Sendable, Equatable {
    /// The file's name.
    package let name: String
    /// What stands in it.
    package let text: String
  }

  /// The first line of each: a file without it is not ours.
  package static let mark = "# Written by 'vmx queue --install-timer'"

  /// Variables that say where the library and its settings are. Proxies may carry passwords.
  private static let kept = [
    "VMX_HOME", "VMX_CONFIG", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CONFIG_DIRS",
    "XDG_CACHE_HOME", "XDG_STATE_HOME",
  ]

  /// Starts the service.
  package let timer: Unit
  /// Runs one fetch.
  package let service: Unit

  /// The units for a program.
  ///
  /// - Parameters:
  ///   - program: absolute path of `vmx-fetch`.
  ///   - environment: the variables of whoever installs them.
  package init(program: String, environment: [String: String]) {
    let variables = Self.kept.compactMap { name in
      environment[name].flatMap {
        $0.isEmpty ? nil : "Environment=\(Self.quoted("\(name)=\($0)"))\n"
      }
    }
    let command = Self.quoted(program).split(separator: "$", omittingEmptySubsequences: false)
      .joined(separator: "$$")
    service = Unit(
      name: "vmx-fetch.service",
      text: """
        \(Self.mark), which writes it anew; '--uninstall' removes it.
        [Unit]
        Description=Fetch what the vmx library wants
        Documentation=man:vmx-queue(1) man:vmx-fetch(1)

        [Service]
        Type=oneshot
        \(variables.joined())ExecStart=\(command) --due --quiet
        SuccessExitStatus=75
        Nice=10
        IOSchedulingClass=idle

        """)
    timer = Unit(
      name: "vmx-fetch.timer",
      text: """
        \(Self.mark), which writes it anew; '--uninstall' removes it.
        [Unit]
        Description=Fetch what the vmx library wants, each hour
        Documentation=man:vmx-queue(1)

        [Timer]
        OnStartupSec=2min
        OnCalendar=hourly
        RandomizedDelaySec=5min
        Persistent=true

        [Install]
        WantedBy=timers.target

        """)
  }

  /// The files in the order in which they are written.
  package var all: [Unit] { [service, timer] }

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
