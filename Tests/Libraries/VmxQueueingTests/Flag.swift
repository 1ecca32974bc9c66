import Synchronization

/// A flag that is set only once.
final class Flag: Sendable {
  private let isUp = Atomic(true)

  func take() -> Bool { isUp.exchange(false, ordering: .relaxed) }
}
