import CLinux
import Glibc
package import SystemPackage
package import VmxModel

/// The identity of a process, as shown in progress lines and hints.
package struct ProcessIdentity: Sendable, Hashable {
  /// The process id on its host.
  package let pid: Int32
  /// The name of the host.
  package let host: String
  /// The boot id of the host.
  package let boot: String
  /// The time at which the process began its work.
  package let since: Timestamp

  /// Creates an identity from stored values.
  package init(pid: Int32, host: String, boot: String, since: Timestamp) {
    self.pid = pid
    self.host = host
    self.boot = boot
    self.since = since
  }

  /// Creates the identity of this process, which begins its work now.
  package init(clock: any WallClock) {
    self.init(pid: getpid(), host: hostName(), boot: bootID(), since: clock.now)
  }

  /// The identity as one line: `pid 4711 on castle since 2026-11-21T03:36:00.000Z`.
  package var text: String { "pid \(pid) on \(host) since \(since.text)" }
}

/// Returns the name of this host; `localhost` if it has none.
package func hostName() -> String {
  var buffer = [CChar](repeating: 0, count: 256)
  guard gethostname(&buffer, buffer.count - 1) == 0 else { return "localhost" }
  let name = String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  return name.isEmpty ? "localhost" : name
}

/// Returns the id of this boot of the machine; equal ids mean that there was no power cut in
/// between.
///
/// If the kernel does not provide one, each call returns another id, so that no two calls appear to
/// belong to the same boot.
package func bootID() -> String {
  let text = readText("/proc/sys/kernel/random/boot_id")?.prefix { $0 != "\n" } ?? ""
  guard text.isEmpty else { return String(text) }
  return "unknown-\(Hex.text(of: UInt64.random(in: .min ... .max)))"
}

/// Returns the kernel, its release and the processor architecture, such as `Linux 6.1.0 x86_64`,
/// without the host name, which the user chose.
package func systemDescription() -> String {
  var names = utsname()
  guard uname(&names) == 0 else { return "unknown" }
  func text<Field>(_ field: Field) -> String {
    withUnsafeBytes(of: field) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }
  return "\(text(names.sysname)) \(text(names.release)) \(text(names.machine))"
}

/// Returns the executable of this process with links resolved; nil if the system does not provide
/// it.
package func runningProgram() -> FilePath? {
  var buffer = [CChar](repeating: 0, count: Int(linux_longest_path))
  guard linux_program(&buffer, Int64(buffer.count)) == 0 else { return nil }
  return FilePath(platformString: buffer)
}

// Linux keeps both priorities per thread, and a new thread inherits them. So the first thread sets
// them before it starts others.

/// Lowers the CPU priority of the process, as `nice -n 10` does; a lower priority is kept. Call it
/// before any thread is started.
///
/// - Returns: whether the system allowed it.
package func lowerCPUPriority() -> Bool {
  let thisThread = Int32(PRIO_PROCESS.rawValue)
  let niceness: Int32 = 10
  return getpriority(thisThread, 0) >= niceness || setpriority(thisThread, 0, niceness) == 0
}

/// Sets the idle class of disk priority of the process, as `ionice -c 3` does: other processes use
/// the disk first. Call it before any thread is started.
///
/// - Returns: whether the system allowed it.
package func lowerDiskPriority() -> Bool { linux_idle_disk() == 0 }

/// Returns the id of this machine (`machine-id(5)`); empty if it has none.
package func machineID() -> String {
  do throws(FileError) {
    let bytes = try RegularFile.prefix(of: "/etc/machine-id", upTo: 64)
    return String(decoding: bytes, as: UTF8.self).filter(\.isHexDigit)
  } catch {
    return ""
  }
}
