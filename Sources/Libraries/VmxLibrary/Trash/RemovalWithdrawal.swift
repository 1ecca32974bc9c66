package import VmxModel
package import VmxStore

// A removal that has begun holds only while the want is the one that it wrote. A later request
// withdraws it: the parts get the states that they had before, and the journal entry is undone. As
// long as the removal has moved no file, this takes one transaction and no disk. Otherwise the
// files return from the trash first (`EpisodeRemover.withdraw`).
//
// A removal because no right to the files is left is never withdrawn.

extension JournalEntry {
  /// Whether a request for the episode withdraws this removal.
  package var isWithdrawable: Bool {
    guard case .removal = subject, state == .begun else { return false }
    return !(cause?.isPermanent ?? isPermanent)
  }
}

extension Episode {
  /// Gives the parts that a removal was to remove the records that they had before it.
  ///
  /// - Parameter movedFiles: whether the removal may have deleted keys, which are fetched again.
  package mutating func withdrawRemoval(_ entry: JournalEntry, movedFiles: Bool, now: Timestamp) {
    for before in entry.before?.parts ?? [] where before.state != .removed {
      guard let index = parts.firstIndex(where: { $0.name == before.name }),
        parts[index].isBeingRemoved || parts[index].path == nil
      else { continue }
      // A part that was requested after its files were gone returns as one that was removed.
      let from = parts[index].isBeingRemoved ? parts[index].pendingState : .removed
      let sources = parts[index].variants
      parts[index] = before
      // Sources that were added since are kept.
      if !sources.isEmpty { parts[index].variants = sources }
      if movedFiles, before.role == .key, before.root != nil {
        parts[index].clearBytes()
        parts[index].enter(.new)
      }
      appendTransition(
        Transition(at: now, part: before.name, from: from, to: parts[index].state))
    }
    if want == .fetch || want == .hold { removal = nil }
  }

  /// Returns to the want before a removal, unless the user has requested the episode since.
  package mutating func restoreWant(_ entry: JournalEntry) {
    guard let before = entry.before, want == .none || want == .gone else { return }
    want = before.want
    place = place ?? before.place
    removal = before.removal
  }

  /// Whether the user wants it, so that no removal may be completed.
  package var isRequested: Bool { want == .fetch || want == .hold }
}

extension StoreTransaction {
  /// Withdraws the begun removal of a requested episode that has moved no file yet. Any other
  /// removal is withdrawn by the process that claims the episode next.
  ///
  /// - Returns: whether the episode was changed; the caller writes it.
  @discardableResult
  package mutating func withdrawRemoval(of episode: inout Episode) -> Bool {
    guard episode.isRequested, episode.parts.contains(where: \.isBeingRemoved),
      var entry = openRemoval(of: episode.id), entry.isUntouched, entry.isWithdrawable
    else { return false }
    episode.withdrawRemoval(entry, movedFiles: false, now: now)
    entry.state = .undone
    write(entry.stored)
    return true
  }

  /// Returns the open entry of an episode that is being removed; nil if there is none.
  package func openRemoval(of id: EpisodeID) -> JournalEntry? {
    let (text, begun) = (id.description, JournalEntry.State.begun.rawValue)
    return records(of: .step).last {
      $0.fields["state"]?.string == begun && $0.fields["episode"]?.string == text
    }
    .flatMap { JournalEntry($0) }
  }
}
