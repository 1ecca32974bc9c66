import Synchronization

/// Is up once.
final class Flag: Sendable {
  private let isUp = Atomic(true)

  func take() -> Bool { isUp.exchange(false, ordering: .relaxed) }
}
