/// Lets many threads share few flushes (group commit), without a timer.
///
/// One flush runs at a time. It begins as soon as the previous one has ended and includes all items
/// submitted by then, in the order of submission. A single thread therefore never waits for
/// others, and a thread among many waits for at most two flushes. The flush runs on the thread of
/// one of the submitters.
package final class GroupFlush<Item: Sendable, Failure: Error>: Sendable {
  struct State {
    /// The number of the group that currently collects items.
    var gathering: UInt64 = 0
    var items: [Item] = []
    var isFlushing = false
    /// The outcomes of groups that some members have not read yet.
    var outcomes: [UInt64: (failure: Failure?, unread: Int)] = [:]

    /// Whether a member of that group may flush it now.
    func isFree(for number: UInt64) -> Bool { !isFlushing && gathering == number }
  }

  let state = Monitor(State())
  private let flush: @Sendable ([Item]) throws(Failure) -> Void

  /// - Parameter flush: makes a group durable; it must not submit to the same object.
  package init(_ flush: @escaping @Sendable ([Item]) throws(Failure) -> Void) {
    self.flush = flush
  }

  /// Submits an item and blocks until its group is flushed.
  ///
  /// - Throws: the error of the group's flush, to each of its members.
  package func submit(_ item: Item) throws(Failure) {
    let number = state.withLock { state in
      state.items.append(item)
      return state.gathering
    }
    if let items = try awaitFlush(of: number) { try flushGroup(number, items) }
  }

  /// Waits until the group is flushed, or returns its items if the caller must flush them.
  private func awaitFlush(of number: UInt64) throws(Failure) -> [Item]? {
    try state.when({ $0.outcomes[number] != nil || $0.isFree(for: number) }) {
      state throws(Failure) in
      if let outcome = state.outcomes[number] {
        state.outcomes[number]?.unread -= 1
        if outcome.unread == 1 { state.outcomes[number] = nil }
        if let failure = outcome.failure { throw failure }
        return nil
      }
      let items = state.items
      state.items = []
      state.gathering += 1
      state.isFlushing = true
      return items
    }
  }

  private func flushGroup(_ number: UInt64, _ items: [Item]) throws(Failure) {
    var failure: Failure?
    do throws(Failure) { try flush(items) } catch { failure = error }
    state.withLock { state in
      state.isFlushing = false
      if items.count > 1 {
        state.outcomes[number] = (failure, items.count - 1)
      }
    }
    if let failure { throw failure }
  }
}
