import VmxModel
import VmxStore

/// The first step of a removal, which is recorded before any file is touched: want, state and the
/// row for `vmx undo`, together.
struct RemovalBeginning: Sendable {
  /// What is left to do.
  enum Rest: Sendable {
    /// Its files, by the row.
    case files(JournalEntry)
    /// Nothing.
    case nothing(isChanged: Bool)
  }

  let episode: Episode
  let rest: Rest

  /// Tells what an order comes to for an episode, and changes nothing.
  init(_ order: RemovalOrder, of episode: Episode, run: Operation, now: Timestamp) {
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

  /// Records it.
  ///
  /// - Returns: the same with the row that counts: an episode that is on its way out already keeps
  ///   the row by which it is.
  func recorded(
    in transaction: inout StoreTransaction, open: JournalEntry?, _ order: RemovalOrder
  ) -> RemovalBeginning {
    switch rest {
    case .files(let own):
      var row = open ?? own
      row.isPermanent = row.isPermanent || order.isPermanent
      row.forgets = row.forgets || order.forgets
      transaction.put(row.record)
      return RemovalBeginning(transaction.recorded(episode), .files(row))
    case .nothing(true) where order.forgets:
      transaction.delete(.episode, episode.id.description)
      return self
    case .nothing(true): return RemovalBeginning(transaction.recorded(episode), rest)
    case .nothing(false): return self
    }
  }

  private init(_ episode: Episode, _ rest: Rest) {
    self.episode = episode
    self.rest = rest
  }
}

extension Part {
  /// Whether it is on its way out, or was stopped on it.
  package var isLeaving: Bool {
    state.isLeaving || [.waiting, .failed].contains(state) && resumeState?.isLeaving == true
  }
}
