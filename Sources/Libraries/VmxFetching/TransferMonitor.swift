import Synchronization
import VmxEngine
package import VmxModel
import VmxStore
import VmxSystem
import VmxTransfer

/// The progress of one part, for display.
package struct TransferProgress: Sendable, Equatable {
  /// The kind of progress.
  package enum Event: Sendable, Equatable {
    case began, moved, ended
    /// The transfer will be retried in this many milliseconds after a failure.
    case retrying(Failure, delay: Int64)
    /// The transfer is held by a policy and will continue without user action.
    case held(Failure)
    /// A note that is not a failure.
    case noted(String)
  }

  /// The episode.
  package let id: EpisodeID
  /// The title of the episode.
  package let title: String
  /// The part's name.
  package let part: String
  /// The kind of progress.
  package let event: Event
  /// The phase of the transfer.
  package let phase: ProgressPhase
  /// The number of the attempt, starting at 1.
  package let attempt: Int
  /// The number of bytes held.
  package let completedBytes: Int64
  /// The size of the complete part in bytes, once known.
  package let total: Int64?
  /// The size of the complete part in bytes as recorded before the transfer; nil if unknown.
  package let expected: Int64?
  /// The number of open connections.
  package let connections: Int
}

/// Reports every transfer of the process to the listener and, through the store, to other
/// processes.
final class TransferMonitor: Sendable {
  let store: LibraryStore
  let clock: any WallClock
  private let journal: ProgressJournal
  private let worker: ProcessIdentity
  fileprivate let stallSpeed: Int64
  fileprivate let listener: @Sendable (TransferProgress) -> Void

  /// Creates a monitor.
  ///
  /// - Parameters:
  ///   - stallSpeed: the bytes a second below which a transfer stalls.
  ///   - listener: called on the transfer thread; must not block.
  init(
    _ store: LibraryStore, _ environment: FetchEnvironment, stallSpeed: Int64,
    listener: @escaping @Sendable (TransferProgress) -> Void
  ) {
    self.store = store
    clock = environment.clock
    journal = ProgressJournal(store, clock: clock)
    worker = ProcessIdentity(clock: clock)
    self.stallSpeed = stallSpeed
    self.listener = listener
  }

  /// Reports the progress to other processes through the store.
  fileprivate func record(_ id: EpisodeID, of part: String, progress: PartObserver.Progress) {
    var line = ProgressLine(
      episode: id, part: part, bytes: ByteCount(clamping: progress.completedBytes),
      total: progress.total.map { ByteCount(clamping: $0) },
      rate: progress.phase.isMoving ? progress.meter.rate.map { ByteCount(clamping: $0) } : nil,
      worker: worker)
    line.phase = progress.phase
    line.attempt = Int64(progress.attempt)
    do {
      try journal.report(line)
    } catch {
      // Only the progress display is affected: the outcome of the episode is recorded separately.
    }
  }

  fileprivate func end(_ id: EpisodeID) { journal.end(id) }
}

/// Observes the transfer of one part, or its wait for a policy.
final class PartObserver: TransferObserver {
  fileprivate struct Progress {
    var attempt = 1
    var completedBytes: Int64 = 0
    var total: Int64?
    var received: Int64 = 0
    var connections = 0
    var failedSources: [String: ErrorCode] = [:]
    var meter = RateMeter()
    var phase = ProgressPhase.connecting
    var stall: StallMeter

    /// Records the number of bytes received so far, and returns how many of them are new.
    mutating func receive(_ bytes: Int64, at moment: Int64) -> Int64 {
      let new = bytes - received
      meter.sample(bytes, at: moment)
      // Bytes that arrive after the verification belong to another request for the same part.
      if new > 0, !phase.isMoving { phase = .receiving }
      if phase == .receiving || phase == .stalling {
        stall.sample(bytes, at: moment)
        phase = stall.isStalling ? .stalling : .receiving
      }
      received = max(received, bytes)
      return new
    }
  }

  /// The permission of the scheduler for a transfer.
  struct Allowance: Sendable {
    /// The permit, whose slots are released as soon as all bytes have arrived.
    let permit: TransferPermit
    /// Returns the disk bytes that are allocated for bytes not yet received.
    let preallocated: @Sendable () -> Int64
  }

  private let monitor: TransferMonitor
  private let scheduler: TransferScheduler
  private let allowance: Allowance?
  private let subject: PolicySubject
  private let title: String
  private let expected: Int64?
  private let progress: Mutex<Progress>

  /// Begins to observe a part.
  ///
  /// - Parameters:
  ///   - held: the number of bytes already held.
  ///   - allowance: the permission to transfer; nil for a wait.
  init(
    _ work: EpisodePart, _ subject: PolicySubject, held: Int64, monitor: TransferMonitor,
    scheduler: TransferScheduler, allowance: Allowance? = nil
  ) {
    self.allowance = allowance
    progress = Mutex(Progress(completedBytes: held, stall: StallMeter(limit: monitor.stallSpeed)))
    self.subject = subject
    title = work.episode.title
    expected = work.part.expectedSize?.bytes
    self.monitor = monitor
    self.scheduler = scheduler
    report(.began)
    record()
  }

  private var id: EpisodeID { subject.episode }

  var stop: StopRequest? { scheduler.stop(of: subject) }

  func willTry(source url: String) -> Failure? { allowance?.permit.move(to: url) }

  var sourceRefusal: Failure? { allowance?.permit.refusal }

  func requestSent() { scheduler.queue.endTurn(of: id) }

  func responseReceived(_ host: HostName) { allowance?.permit.recordResponse(host) }

  func announced(total: Int64, held: Int64) -> StopRequest? {
    var subject = subject
    let missing = max(0, total - held)
    subject.missing = missing
    subject.unallocated = missing - (allowance?.preallocated() ?? 0)
    return scheduler.policies.refusal(of: subject, in: .announced).map { .held($0) }
  }

  func progressed(held: Int64, total: Int64?, received: Int64, connections: Int) {
    let new = progress.withLock { progress in
      progress.connections = connections
      progress.completedBytes = held
      progress.total = total
      return progress.receive(received, at: Deadline.nowMilliseconds)
    }
    if new > 0 { scheduler.policies.handle(.received(new), of: subject) }
    report(.moved)
    record()
  }

  func allBytesReceived() { allowance?.permit.releaseSlots() }

  func verifying() { enter(.verifying) }

  /// Reports that the bytes are verified and the file is about to be published.
  func publishing() { enter(.publishing) }

  private func enter(_ phase: ProgressPhase) {
    progress.withLock { ($0.phase, $0.connections) = (phase, 0) }
    report(.moved)
    record()
  }

  func abandoned(source url: String, after failure: Failure) {
    if [.hostUnreachable, .netStalled].contains(failure.code) {
      allowance?.permit.recordNoResponse(failure, isLast: true)
    }
    guard failure.code.entry.retry == .never else { return }
    progress.withLock { $0.failedSources[url] = failure.code }
  }

  /// The number of bytes held.
  var completedBytes: Int64 { progress.withLock { $0.completedBytes } }

  /// The sources that failed permanently, with their failures.
  var failedSources: [String: ErrorCode] { progress.withLock { $0.failedSources } }

  func retrying(attempt: Int, after failure: Failure, delay milliseconds: Int64) {
    progress.withLock { progress in
      progress.attempt = attempt + 1
      progress.connections = 0
      progress.meter = RateMeter()
      progress.phase = .connecting
      progress.stall = StallMeter(limit: monitor.stallSpeed)
    }
    if [.hostUnreachable, .netStalled].contains(failure.code) {
      allowance?.permit.recordNoResponse(failure, isLast: false)
    }
    if [.hostUnreachable, .netStalled, .netReset, .bodyCut].contains(failure.code) {
      scheduler.policies.handle(.connectionLost, of: subject)
    }
    report(.retrying(failure, delay: milliseconds))
    record()
  }

  /// Reports that the part waits for the end of a policy's hold.
  func hold(by failure: Failure) { report(.held(failure)) }
  func noted(_ text: String) { report(.noted(text)) }

  func end() {
    allowance?.permit.end()
    report(.ended)
    monitor.end(id)
    scheduler.policies.handle(.ended, of: subject)
  }

  private func record() { monitor.record(id, of: subject.part, progress: progress.withLock { $0 }) }

  private func report(_ event: TransferProgress.Event) {
    let progress = progress.withLock { $0 }
    monitor.listener(
      TransferProgress(
        id: id, title: title, part: subject.part, event: event, phase: progress.phase,
        attempt: progress.attempt, completedBytes: progress.completedBytes, total: progress.total,
        expected: expected, connections: progress.connections))
  }
}
