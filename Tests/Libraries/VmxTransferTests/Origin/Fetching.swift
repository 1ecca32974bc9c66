import Glibc
import Synchronization
import VmxModel
import VmxSystem

@testable import VmxTransfer

/// Observes a transfer for a test, and stops it at a given point.
final class TestObserver: TransferObserver {
  struct Seen {
    var held: Int64 = 0
    var total: Int64?
    var received: Int64 = 0
    var retries: [(attempt: Int, code: ErrorCode, delay: Int64)] = []
    var notes: [String] = []
    var calls = 0
  }

  private let seen = Mutex(Seen())
  private let limit: Int64

  /// Creates an observer that interrupts once this many bytes are held.
  init(stoppingAt limit: Int64 = .max) {
    self.limit = limit
  }

  var last: (held: Int64, total: Int64?, received: Int64) {
    seen.withLock { ($0.held, $0.total, $0.received) }
  }
  var retries: [(attempt: Int, code: ErrorCode, delay: Int64)] { seen.withLock { $0.retries } }

  func progressed(held: Int64, total: Int64?, received: Int64, connections: Int) {
    seen.withLock { seen in
      (seen.held, seen.total, seen.received) = (held, total, received)
      seen.calls += 1
    }
  }

  var notes: [String] { seen.withLock { $0.notes } }

  func noted(_ text: String) {
    seen.withLock { $0.notes.append(text) }
  }

  func retrying(attempt: Int, after failure: Failure, delay milliseconds: Int64) {
    seen.withLock { $0.retries.append((attempt, failure.code, milliseconds)) }
  }

  var stop: StopRequest? {
    seen.withLock { $0.held >= limit } ? .interrupted : nil
  }
}

/// Settings with minimal waits.
var quick: TransferSettings {
  var settings = TransferSettings()
  settings.backoffBase = 2
  settings.backoffCap = 10
  return settings
}

/// The bytes of a fetch, and the requests that it sent.
@dynamicMemberLookup
struct Fetched {
  let found: FoundBytes
  /// The index of the job's source from which the bytes came.
  let sourceIndex: Int?
  let requests: Int

  subscript<Value>(dynamicMember path: KeyPath<FoundBytes, Value>) -> Value {
    found[keyPath: path]
  }
}

extension TransferEngine {
  /// Runs a job as `run` does, and counts its requests. If a host refuses for a short time, the job
  /// runs again after it, as with the queue.
  func fetch(_ job: TransferJob, observer: any TransferObserver) throws -> Fetched {
    var requests = 0
    let found = try waitingForHosts {
      let session = TransferSession(self, observer)
      defer { requests += session.requests }
      return try PartTransfer(job, session).perform()
    }
    return Fetched(
      found: found, sourceIndex: job.sources.firstIndex { $0.url == found.source },
      requests: requests)
  }
}

/// Runs a transfer again at the times that a host has requested.
///
/// - Parameter attempts: more than five for many simultaneous transfers, each of which may be
///   refused again until the others have ended.
func waitingForHosts<Result>(
  attempts: Int = 5, _ body: () throws -> Result
) throws -> Result {
  for _ in 1..<attempts {
    do {
      return try body()
    } catch let error as TransferError {
      let now = SystemClock().now.milliseconds
      guard let until = error.retryAt?.milliseconds, until - now < 5000 else { throw error }
      usleep(UInt32(max(0, until - now)) * 1000)
    }
  }
  return try body()
}

/// Fetches with a separate engine.
@discardableResult
func fetch(
  _ job: TransferJob, _ settings: TransferSettings = quick,
  observer: any TransferObserver = TestObserver()
) throws -> Fetched {
  let engine = try TransferEngine(settings, clock: SystemClock())
  defer { engine.stop() }
  return try engine.fetch(job, observer: observer)
}

/// Returns the code with which a fetch fails; nil if it does not.
func failure(
  _ job: TransferJob, _ settings: TransferSettings = quick,
  observer: any TransferObserver = TestObserver()
) throws -> ErrorCode? {
  do {
    try fetch(job, settings, observer: observer)
    return nil
  } catch let error as TransferError {
    return error.code
  }
}
