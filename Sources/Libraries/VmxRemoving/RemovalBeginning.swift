import VmxLibrary
import VmxModel
import VmxStore

/// The first step of a removal, which is recorded before any file is changed: want, state and the
/// journal entry for `vmx undo`, together.
struct RemovalBeginning: Sendable {
  /// The remaining work.
  enum Rest: Sendable {
    /// To remove the files, by the journal entry.
    case files(JournalEntry)
    /// Nothing.
    case nothing(isChanged: Bool)
  }

  let episode: Episode
  let rest: Rest

  /// Tells what an order comes to for an episode, and changes nothing.
  ///
  /// A record that leaves no room for the removal is shortened, also in the row.
  init(_ order: RemovalOrder, of episode: Episode, run: Operation, now: Timestamp) {
    let episode = episode.withRoomForRemoval()
    let hasFiles = episode.parts.contains { $0.state != .removed }
    var changed = episode
    changed.want = order.want
    for index in changed.parts.indices
    where changed.parts[index].state != .removed && !changed.parts[index].isLeaving {
      changed.step(of: index, to: order.cause, now: now)
    }
    self.episode = changed
    let row = JournalEntry(
      run, episode.id.description, order.reason, before: episode, isPermanent: order.isPermanent,
      forgets: order.forgets)
    rest =
      hasFiles ? .files(row) : .nothing(isChanged: order.forgets || changed.want != episode.want)
  }

  /// Records the first step.
  ///
  /// - Returns: the same with the row that counts. An episode whose removal has an open row keeps
  ///   that row, also where only the end of the removal was not recorded.
  func recorded(
    in transaction: inout StoreTransaction, open: JournalEntry?, _ order: RemovalOrder
  ) -> RemovalBeginning {
    // Another process may have closed the row since it was read.
    let open = open.flatMap { transaction.record(.step, $0.id) }.flatMap { JournalEntry($0) }
      .flatMap { $0.state == .begun ? $0 : nil }
    var own: JournalEntry?
    if case .files(let row) = rest { own = row }
    if var row = open ?? own {
      row.isPermanent = row.isPermanent || order.isPermanent
      row.forgets = row.forgets || order.forgets
      transaction.put(row.record)
      return RemovalBeginning(transaction.recorded(episode), .files(row))
    }
    switch rest {
    case .nothing(true) where order.forgets:
      transaction.delete(.episode, episode.id.description)
      return self
    case .nothing(true): return RemovalBeginning(transaction.recorded(episode), rest)
    case .nothing(false), .files: return self
    }
  }

  private init(_ episode: Episode, _ rest: Rest) {
    self.episode = episode
    self.rest = rest
  }
}
