package import VmxModel

extension EpisodeResult {
  /// Creates the result of an episode that is not wanted, and so was not worked on.
  package init(unwanted episode: Episode) {
    let result: OperationResult =
      switch episode.want {
      case .fetch: .unchanged()
      case .none: .unchanged(.notWanted, hint: "run 'vmx queue add \(episode.id)' to request it")
      case .hold: .unchanged(.onHold, hint: "run 'vmx queue resume \(episode.id)' to release it")
      case .gone: .unchanged(.gone, hint: episode.removedHint)
      }
    self.init(episode, result)
  }

  /// Creates the result of the work on an episode, judged by the requested parts: the required
  /// ones, or those that were named.
  ///
  /// - Parameter unsaved: the failure to write the sidecar or the NFO file.
  init(of episode: Episode, before: Episode, _ options: WorkOptions, unsaved: Failure?) {
    let parts = options.relevantParts(of: episode)
    let state = EpisodeState.of(required: parts.map(\.state))
    let failing = parts.first { $0.state == state }
    let failure = failing?.code.map { code in
      Failure(
        code, failing?.message ?? code.entry.sentence, hint: code.hint(for: episode),
        retryAt: failing?.until)
    }
    let reason = failure ?? Failure(.internalError, "'\(episode.id)' ended without a reason")
    let obstacle = Self.blockingReason(of: episode, options, parts)
    let hint = failure?.hint ?? obstacle?.phrase
    let result: OperationResult =
      switch state {
      case .ready where !Self.isSame(before, episode, for: options): .done
      case .waiting: .waiting(reason)
      case .failed: .failed(reason)
      case .damaged where failure != nil: .failed(reason)
      case _ where parts.isEmpty && options.only == nil:
        .failed(Failure(.noSource, "'\(episode.id)' has no known source"))
      default: .unchanged(obstacle ?? .upToDate, hint: hint)
      }
    self.init(
      episode.id, result, episode: episode,
      notes: (result == .done ? Self.lacking(of: episode) : [])
        + Self.notes(unsaved, of: episode.id))
  }

  /// The messages about a sidecar or an NFO file that could not be written.
  package static func notes(_ unsaved: Failure?, of id: EpisodeID) -> [String] {
    unsaved.map { ["cannot write the sidecar or NFO file of '\(id)': \($0.summary)"] } ?? []
  }

  /// The messages about optional parts that could not be fetched.
  private static func lacking(of episode: Episode) -> [String] {
    episode.parts.filter { !$0.isRequired }.compactMap { part in
      part.code.map { code in
        let message = part.message ?? part.state.rawValue
        return "'\(episode.id)' lacks '\(part.name)' [\(code.rawValue)]: \(message)"
      }
    }
  }

  /// Whether neither a requested part nor an optional one was fetched.
  private static func isSame(_ before: Episode, _ after: Episode, for options: WorkOptions) -> Bool
  {
    let wasReady = options.relevantParts(of: before).allSatisfy { $0.state == .ready }
    return wasReady && (options.only != nil || before.missingParts == after.missingParts)
  }

  /// Returns the reason why nothing was done for a request; nil if there is none.
  private static func blockingReason(
    of episode: Episode, _ options: WorkOptions, _ parts: [Part]
  ) -> UnchangedReason? {
    if parts.isEmpty, options.only != nil { return .noPart }
    let isOther = parts.contains { $0.state == .ready && $0.isOther(than: options) }
    return isOther ? .otherQuality : nil
  }
}
