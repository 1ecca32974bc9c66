import Glibc
package import SystemPackage

/// The login session of a process, as far as the kernel knows it.
package struct LoginSession: Sendable, Equatable {
  /// The name; equal names within one boot mean the same session.
  package let name: String

  /// Creates a session with a name.
  package init(name: String) {
    self.name = name
  }

  /// Returns the session of this process. It is the kernel's audit session, which a login sets once
  /// and no user can change. Without one, it is the session of its terminal (setsid(2)) with the
  /// start time of its leader.
  package static func ofProcess() -> LoginSession {
    let unset = "4294967295"
    let audit = readText("/proc/self/sessionid")?.prefix { $0 != "\n" } ?? ""
    if !audit.isEmpty, audit != unset { return LoginSession(name: "login \(audit)") }
    let leader = getsid(0)
    return LoginSession(name: "terminal \(leader) \(startTime(of: leader))")
  }

  /// Returns the clock ticks from boot to the start of a process, which distinguish it from a later
  /// process with the same id; empty if the process has ended (proc(5), field 22).
  private static func startTime(of process: pid_t) -> String {
    guard let text = readText(FilePath("/proc/\(process)/stat")),
      let name = text.lastIndex(of: ")")
    else { return "" }
    let fields = text[text.index(after: name)...].split(separator: " ")
    return fields.count > 19 ? String(fields[19]) : ""
  }
}

/// The effective user id of this process, by which the kernel judges its access to files.
package func currentUser() -> UInt32 { geteuid() }

/// Whether a path is a folder, not a symbolic link, that belongs to this user and that no other
/// user may enter.
package func isFolderOfUserAlone(_ path: FilePath) -> Bool {
  var facts = stat()
  return path.withPlatformString { lstat($0, &facts) } == 0 && facts.st_mode & S_IFMT == S_IFDIR
    && facts.st_uid == getuid() && facts.st_mode & 0o077 == 0
}

/// Returns the name of the user of this process; its number if it has none.
package func userName() -> String {
  var entry = passwd()
  var found: UnsafeMutablePointer<passwd>?
  var buffer = [CChar](repeating: 0, count: 16 << 10)
  guard getpwuid_r(getuid(), &entry, &buffer, buffer.count, &found) == 0, found != nil,
    let name = entry.pw_name
  else { return "\(getuid())" }
  return String(cString: name)
}
