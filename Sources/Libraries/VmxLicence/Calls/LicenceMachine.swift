import VmxEngine
package import VmxModel
import VmxStore

/// The state machine of the remote axis: fetches the status, makes the pending calls, and settles.
///
/// Every run begins with `checking`, also after a crash, so a call that already took effect is not
/// repeated. `registering`, `renewing` and `returning` are recorded durably before the request. A
/// missing or unreadable response never blocks: the machine settles without it.
package enum LicenceMachine {
  /// The resting states of a settled licence.
  private static let restingStates: Set<LicenceState> = [
    .pending, .usable, .renewable, .expired, .returned, .revoked,
  ]
  private static let calls: Set<LicenceState> = [.registering, .renewing, .returning, .settling]

  /// The transition table of the remote axis.
  package static let machine = StateMachine<LicenceState, LicenceContext>(
    "licence",
    [
      .checking: Action(to: calls.union([.updating]), isReadOnly: true, check),
      .updating: Action(to: calls, update),
      .renewing: Action(to: calls.union([.updating]), renew),
      .returning: Action(to: calls.union([.updating]), returnLicence),
      .registering: Action(to: [.updating, .settling], register),
      .settling: Action(to: restingStates, isReadOnly: true, deriveRestingState),
    ])

  /// Fetches the status document. Records the call that the user requested if the provider offers
  /// it.
  static func check(_ context: inout LicenceContext) throws -> LicenceState {
    try context.readStatus()
    context.noteRegistration()
    if let requestedCall = context.requestedCall {
      context.requestedCall = nil
      context.record.local.call = context.accepted(requestedCall)
    }
    context.endCompletedCall()
    if context.record.local.call != nil, context.status == nil, let failure = context.unread {
      // The links are unknown without a status document, so the pending call waits.
      throw failure
    }
    return context.nextCall
  }

  /// Fetches the newer licence document and replaces the file. Rejects a document that is
  /// malformed, older or of another licence, and keeps the present file.
  static func update(_ context: inout LicenceContext) throws -> LicenceState {
    context.updateTried = context.status?.document.licenceChanged
    do {
      try context.fetchLicence()
    } catch let failure {
      if failure.isInterruption { throw failure }
      let failure = Failure(failure)
      if failure.code == .licenceUsedUp { context.refusal = failure }
      context.notes.append("cannot fetch the newer licence of '\(context.id)': \(failure.summary)")
    }
    return context.nextCall
  }

  /// Requests a later end.
  static func renew(_ context: inout LicenceContext) throws -> LicenceState {
    let end = context.record.local.call?.end
    do throws(CallRefusal) {
      try context.call(.renew, method: .put, values: end.map { ["end": $0.wholeSeconds] } ?? [:])
    } catch {
      context.refusal = try error.failure("renewal of '\(context.id)'")
    }
    context.record.local.call = nil
    return context.nextCall
  }

  /// Returns the licence. The problem types `return/already` and `return/expired` end the call.
  static func returnLicence(_ context: inout LicenceContext) throws -> LicenceState {
    do throws(CallRefusal) {
      try context.call(.returnLicence, method: .put)
    } catch {
      switch error.problem?.readiumType {
      case "return/already": context.recordStatus(.returned)
      case "return/expired": context.recordStatus(.expired)
      default: context.refusal = try error.failure("return of '\(context.id)'")
      }
    }
    context.record.local.call = nil
    return context.nextCall
  }

  /// Registers this device after the first play. A refusal does not block playback: a later run
  /// retries it.
  static func register(_ context: inout LicenceContext) throws -> LicenceState {
    context.hasRegistered = true
    do throws(CallRefusal) {
      try context.call(.register, method: .post)
      context.record.local.registered = context.actions.clock.now
    } catch {
      if case .ended(let end) = error { throw end }
      context.notes.append(error.message("registration of '\(context.id)'"))
    }
    return context.nextCall == .updating ? .updating : .settling
  }

  /// Derives the resting state.
  static func deriveRestingState(_ context: inout LicenceContext) -> LicenceState {
    let meaning = context.record.reconciled(now: context.actions.now())
    context.reconciliation = meaning
    return meaning.state
  }
}

/// The reason why a call had no confirmed effect.
enum CallRefusal: Error {
  /// The backend refused the call.
  case refused(ProblemDocument, status: Int)
  /// The status document has no usable link for the call.
  case notOffered
  /// The transfer or the server failed: the call may or may not have taken effect.
  case failed(Failure)
  /// This process was asked to stop.
  case ended(WorkEnded)

  var problem: ProblemDocument? {
    if case .refused(let problem, _) = self { problem } else { nil }
  }

  /// The refusal as one phrase.
  func message(_ subject: String) -> String {
    switch self {
    case .refused(let problem, let status):
      let reason = problem.message.map { ": \($0)" } ?? " (status \(status))"
      return "the provider refused the \(subject)\(reason)"
    case .notOffered: return "the provider does not offer the \(subject)"
    case .failed(let failure): return "the \(subject) failed: \(failure.summary)"
    case .ended(let end): return end.summary
    }
  }

  /// Returns the failure of a call that had no effect.
  ///
  /// - Throws: the error of a call that will be retried.
  func failure(_ subject: String) throws -> Failure {
    switch self {
    case .refused(let problem, _):
      let code = problem.resets == nil ? ErrorCode.licenceRefused : .licenceUsedUp
      return Failure(code, message(subject), retryAt: problem.resets)
    case .notOffered: return Failure(.licenceNotOffered, message(subject))
    case .failed(let failure): throw failure
    case .ended(let end): throw end
    }
  }
}

extension Timestamp {
  /// The time in RFC 3339 form to the second, as providers expect it in a query.
  var wholeSeconds: String { "\(text.prefix(19))Z" }
}

/// Records each step of a licence in the store, and the episode's rights with the last step.
///
/// The intent of a call that changes the provider's state is durable before the request is sent.
struct LicenceJournal: StepJournal {
  let store: LibraryStore

  func record(
    _ steps: [Step<LicenceState>], of context: inout LicenceContext
  ) throws {
    let state = context.state
    let isIntent = [.registering, .renewing, .returning].contains(state)
    try store.update(isIntent || state.awaitsEvent ? .durable : .soon, room: .useReserve) {
      transaction throws in
      guard var episode = try transaction.episode(context.id), episode.id == context.id else {
        throw WorkEnded.wantChanged
      }
      transaction.write(context.record.stored(of: episode.id))
      if let meaning = context.reconciliation, state.awaitsEvent {
        episode.licence = context.record.mark(meaning)
        episode.expires = meaning.ends
      }
      if let file = context.replaced { episode.replaceKey(by: file) }
      transaction.write(episode)
    }
  }
}
