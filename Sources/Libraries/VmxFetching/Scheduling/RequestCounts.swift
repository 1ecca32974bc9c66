import Synchronization
import SystemPackage
import VmxModel
import VmxSettings
import VmxSystem
import VmxTransfer

// Dry runs and searches spend the budget of a host too, and must not change the library. So the
// times of the last requests are in the cache, a small file for each host. Any process may delete
// it; then at most one more interval's requests are sent. All libraries of the user share it, as
// they share the address that the server counts. Where it cannot be written, a process counts only
// its own requests.

/// The times of the last requests to hosts with a budget, shared by all processes of the user.
final class RequestCounts: Sendable {
  /// The maximum size of a file: 1000 times.
  private static let maxSize = 32 * 1024

  private let folder: FilePath?
  private let clock: any WallClock
  /// The times of this process, also of other processes as last read.
  private let times = Mutex<[HostName: [Timestamp]]>([:])

  /// Creates counts in a folder, which the first request creates; nil to count only in this
  /// process.
  init(in folder: FilePath?, clock: any WallClock) {
    self.folder = folder
    self.clock = clock
  }

  /// Takes one request from a budget.
  ///
  /// - Returns: the milliseconds to wait before the next request; nil if it is allowed now.
  func count(_ host: HostName, within budget: CallBudget) -> Int64? {
    times.withLock { times in
      let own = times[host] ?? []
      do {
        return try counted(host, within: budget, &times[host, default: []])
      } catch {
        times[host] = own
        return take(from: budget, &times[host, default: []])
      }
    }
  }

  private func counted(
    _ host: HostName, within budget: CallBudget, _ times: inout [Timestamp]
  ) throws -> Int64? {
    guard let folder else { return take(from: budget, &times) }
    try makeFolders(folder)
    let lock = try LockFile.open(folder.appending("lock"))
    try lock.lock(0, .exclusive, timeout: 2000, what: "the lock of the request counts")
    defer { lock.unlock(0) }
    let path = folder.appending(host.description)
    times = try Self.times(in: path)
    if let wait = take(from: budget, &times) { return wait }
    let text = times.map { "\($0.text)\n" }.joined()
    try AtomicFile.replace(path, with: Array(text.utf8), durable: false)
    return nil
  }

  /// Appends the present time unless the budget is spent; then returns the time to wait.
  private func take(from budget: CallBudget, _ times: inout [Timestamp]) -> Int64? {
    let now = clock.now
    let wait = budget.wait(after: times, now: now)
    guard wait == 0 else { return wait }
    times = (times + [now]).suffix(budget.calls)
    return nil
  }

  private static func times(in path: FilePath) throws(FileError) -> [Timestamp] {
    do throws(FileError) {
      let bytes = try OpenFile(path, .readOnly).read(maxSize, at: 0)
      return String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        .compactMap { Timestamp(String($0)) }
    } catch  where error.errno == .noSuchFileOrDirectory {
      return []
    }
  }
}
