import VmxSystem

/// Runs stories: a few at the same time, each on a separate thread.
///
/// A story mostly waits for processes. On the threads that run the tests, it would block all other
/// tests; if all stories ran at once, they would slow each other down.
actor StoryScheduler {
  static let house = StoryScheduler(stages: 6)

  private var free: Int
  private var queue: [CheckedContinuation<Void, Never>] = []

  init(stages: Int) {
    free = stages
  }

  /// Runs the body on a thread as soon as a slot is free.
  func play<Outcome: Sendable>(
    _ body: @escaping @Sendable () -> Outcome
  ) async throws -> Outcome {
    await enter()
    defer { leave() }
    return try await withCheckedThrowingContinuation { continuation in
      do {
        _ = try WorkerThread.start("story") { continuation.resume(returning: body()) }
      } catch {
        continuation.resume(throwing: error)
      }
    }
  }

  private func enter() async {
    guard free == 0 else {
      free -= 1
      return
    }
    await withCheckedContinuation { queue.append($0) }
  }

  private func leave() {
    guard !queue.isEmpty else {
      free += 1
      return
    }
    queue.removeFirst().resume()
  }
}
