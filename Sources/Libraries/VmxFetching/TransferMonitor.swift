import Synchronization
package import VmxModel
package import VmxStore
import VmxSystem
import VmxTransfer

/// The progress of one part, for display.
package struct TransferProgress: Sendable, Equatable {
  /// The kind of progress.
  package enum Event: Sendable, Equatable {
    case began, moved, ended
    /// The transfer will be retried after a failure, in this many milliseconds.
    case retrying(Failure, delay: Int64)
    /// The transfer is held and will continue without user action.
    case held(Failure)
    /// A note that is not a failure.
    case noted(String)
  }

  /// The episode.
  package let id: EpisodeID
  /// The part's name.
  package let part: String
  /// The kind of progress.
  package let event: Event
  /// The number of the attempt, from 1 on.
  package let attempt: Int
  /// The number of bytes held.
  package let held: Int64
  /// The size of the whole in bytes, once known.
  package let total: Int64?
}

/// Observes every transfer of the process. Informs the listener, writes progress lines for other
/// processes and forwards requests to stop.
package final class TransferMonitor: Sendable {
  private let journal: ProgressJournal
  private let worker: ProcessIdentity
  private let wants: CancellationMonitor
  let shouldStop: @Sendable () -> Bool
  fileprivate let listener: @Sendable (TransferProgress) -> Void

  /// Creates a monitor whose transfers stop within a second of `shouldStop` returning true.
  ///
  /// - Parameter listener: called on the transfer thread; must not block.
  package init(
    store: LibraryStore, clock: any WallClock, shouldStop: @escaping @Sendable () -> Bool,
    listener: @escaping @Sendable (TransferProgress) -> Void
  ) {
    journal = ProgressJournal(store, clock: clock)
    worker = ProcessIdentity(clock: clock)
    wants = CancellationMonitor(store)
    self.shouldStop = shouldStop
    self.listener = listener
  }

  /// Reports the progress to other processes through the store.
  fileprivate func record(_ id: EpisodeID, _ part: String, _ seen: PartObserver.Seen) {
    let line = ProgressLine(
      episode: id, part: part, bytes: ByteCount(clamping: seen.held),
      total: seen.total.map { ByteCount(clamping: $0) },
      rate: seen.meter.rate.map { ByteCount(clamping: $0) }, attempt: Int64(seen.attempt),
      worker: worker)
    do {
      try journal.report(line)
    } catch {
      // Only the progress display suffers: the outcome of the episode is recorded separately.
    }
  }

  fileprivate func forget(_ id: EpisodeID) { journal.end(id) }

  /// The reason to stop working on an episode; nil while it is wanted. A change by another process
  /// appears within half a second.
  func unwanted(_ id: EpisodeID) -> Failure? { wants.refusal(of: id) }

  /// Records that an episode is wanted, right after it was recorded.
  func saw(_ id: EpisodeID) { wants.saw(id) }

  /// Begins to observe a part, given the number of bytes already held.
  ///
  /// - Parameter place: released as soon as all bytes have arrived.
  func begin(
    _ subject: PolicySubject, held: Int64, policies: TransferPolicies,
    room: FreeSpaceMonitor? = nil,
    place: TransferPlace? = nil
  ) -> PartObserver {
    PartObserver(subject, held: held, watch: self, policies: policies, room: room, place: place)
  }
}

/// Observes the transfer of one part.
final class PartObserver: TransferObserver {
  fileprivate struct Seen {
    var attempt = 1
    var held: Int64 = 0
    var total: Int64?
    var received: Int64 = 0
    var meter = RateMeter()
  }

  private let watch: TransferMonitor
  private let policies: TransferPolicies
  private let room: FreeSpaceMonitor?
  private let place: TransferPlace?
  private let subject: PolicySubject
  private let seen: Mutex<Seen>

  init(
    _ subject: PolicySubject, held: Int64, watch: TransferMonitor, policies: TransferPolicies,
    room: FreeSpaceMonitor?, place: TransferPlace?
  ) {
    self.place = place
    seen = Mutex(Seen(held: held))
    self.subject = subject
    self.watch = watch
    self.policies = policies
    self.room = room
    tell(.began)
    record()
  }

  private var id: EpisodeID { subject.episode }

  var stop: StopRequest? {
    if watch.shouldStop() { return .interrupted }
    return (watch.unwanted(id) ?? policies.refusal(of: subject) ?? room?.refusal).map { .held($0) }
  }

  func progressed(held: Int64, total: Int64?, received: Int64) {
    let new = seen.withLock { seen in
      seen.held = held
      seen.total = total
      seen.meter.sample(received, at: Deadline.now / 1_000_000)
      defer { seen.received = max(seen.received, received) }
      return received - seen.received
    }
    policies.received(new, of: subject)
    tell(.moved)
    record()
  }

  func arrived() { place?.leave() }

  func retrying(attempt: Int, after failure: Failure, delay milliseconds: Int64) {
    seen.withLock { seen in
      seen.attempt = attempt + 1
      seen.meter = RateMeter()
    }
    if [.hostUnreachable, .netStalled, .netReset, .bodyCut].contains(failure.code) {
      policies.failed(subject)
    }
    tell(.retrying(failure, delay: milliseconds))
    record()
  }

  /// Reports that the part waits until the hold has passed.
  func hold(by failure: Failure) { tell(.held(failure)) }
  func noted(_ text: String) { tell(.noted(text)) }

  func end() {
    tell(.ended)
    watch.forget(id)
    policies.end(subject)
  }

  private func record() { watch.record(id, subject.part, seen.withLock { $0 }) }

  private func tell(_ event: TransferProgress.Event) {
    let seen = seen.withLock { $0 }
    watch.listener(
      TransferProgress(
        id: id, part: subject.part, event: event, attempt: seen.attempt, held: seen.held,
        total: seen.total))
  }
}
