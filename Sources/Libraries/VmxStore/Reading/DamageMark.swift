import Synchronization

/// Remembers that a reader has passed over a line that it could not read.
final class DamageMark: Sendable {
  private let isMet = Atomic<Bool>(false)

  /// Whether there was such a line so far.
  var isSet: Bool { isMet.load(ordering: .relaxed) }

  func set() { isMet.store(true, ordering: .relaxed) }
}
