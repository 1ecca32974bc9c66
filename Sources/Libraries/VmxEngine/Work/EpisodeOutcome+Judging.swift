import VmxModel

extension EpisodeOutcome {
  /// Creates the outcome of an episode that is not wanted, and so was not worked on.
  init(unwanted episode: Episode) {
    let failure: Failure? =
      switch episode.want {
      case .fetch: nil
      case .none:
        Failure(
          .held, "'\(episode.id)' is not wanted",
          hint: "'vmx queue add \(episode.id)' asks for it")
      case .hold:
        Failure(
          .held, "'\(episode.id)' is on hold",
          hint: "'vmx queue resume \(episode.id)' lets it go on")
      case .gone:
        Failure(
          .held, "'\(episode.id)' was removed on purpose",
          hint: "'vmx queue add \(episode.id)' asks for it again")
      }
    self.init(episode.id, .unchanged, episode, failure)
  }

  /// Creates the outcome of the work on an episode, judged by the requested parts: the required
  /// ones, or those that were named.
  init(of episode: Episode, before: Episode, _ order: WorkOrder, wasInterrupted: Bool) {
    let parts = order.judged(of: episode)
    let state = EpisodeState.of(required: parts.map(\.state))
    let word: Word =
      switch state {
      case .ready: Self.isSame(before, episode, order) ? .unchanged : .done
      case .waiting: .waiting
      case .failed: .failed
      default: .unchanged
      }
    let speaking = parts.first { $0.state == state }
    let failure = speaking?.code.map { code in
      Failure(code, speaking?.message ?? code.entry.sentence, retryAt: speaking?.until)
    }
    self.init(
      episode.id, word, episode, failure ?? Self.refusal(of: episode, order, parts),
      wasInterrupted: wasInterrupted)
  }

  /// Whether neither a requested part nor an optional one was fetched.
  private static func isSame(_ before: Episode, _ after: Episode, _ order: WorkOrder) -> Bool {
    let wasReady = order.judged(of: before).allSatisfy { $0.state == .ready }
    return wasReady && (order.only != nil || before.lacks == after.lacks)
  }

  /// Returns the reason why nothing was done for a request; nil if there is none.
  private static func refusal(
    of episode: Episode, _ order: WorkOrder, _ parts: [Part]
  ) -> Failure? {
    if parts.isEmpty, order.only != nil {
      return Failure(
        .noFile, "'\(episode.id)' has no such part", hint: "it has no part of those asked for")
    }
    guard parts.contains(where: { $0.state == .ready && $0.isOther(than: order) }) else {
      return nil
    }
    return Failure(
      .noSuchQuality, "'\(episode.id)' is here in another quality",
      hint: "it is ready in another quality, and what is ready is not replaced")
  }
}
