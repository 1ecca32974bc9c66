import Glibc
import SystemPackage
package import VmxModel

/// Which process does something, as progress lines and hints tell it.
package struct ProcessIdentity: Sendable, Hashable {
  /// Number of the process on its host.
  package let pid: Int32
  /// Name of the host.
  package let host: String
  /// Id of the host's boot.
  package let boot: String
  /// When the process began its work.
  package let since: Timestamp

  /// An identity read from elsewhere.
  package init(pid: Int32, host: String, boot: String, since: Timestamp) {
    self.pid = pid
    self.host = host
    self.boot = boot
    self.since = since
  }

  /// This process, which is taken to begin its work now.
  package init(clock: any WallClock) {
    self.init(pid: getpid(), host: hostName(), boot: bootID(), since: clock.now)
  }

  /// One line for people: `pid 4711 on castle since 2026-11-21T03:36:00.000Z`.
  package var text: String { "pid \(pid) on \(host) since \(since.text)" }
}

/// The name of this host; `localhost` where it has none.
package func hostName() -> String {
  var buffer = [CChar](repeating: 0, count: 256)
  guard gethostname(&buffer, buffer.count - 1) == 0 else { return "localhost" }
  let name = String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  return name.isEmpty ? "localhost" : name
}

/// The id of this boot of the machine: two equal ones mean that no power cut lies between.
///
/// Where the kernel does not tell, each call gives another one, so that nothing is ever taken to
/// be of the same boot.
package func bootID() -> String {
  let text = readText("/proc/sys/kernel/random/boot_id")?.prefix { $0 != "\n" } ?? ""
  guard text.isEmpty else { return String(text) }
  return "unknown-\(Hex.text(of: UInt64.random(in: .min ... .max)))"
}
