import VmxModel

// The requests of the actions, and the processing of the responses.

extension LicenceContext {
  /// The largest difference between the backend's clock and ours, in milliseconds.
  private static let clockTolerance: Int64 = 3_600_000

  /// The state of the next pending call; `settling` if there is none.
  var nextCall: LicenceState {
    let meaning = record.reconciled(now: actions.now())
    for call in meaning.calls where status != nil {
      switch call {
      case .update where updateTried != status?.document.licenceChanged: return .updating
      case .returnLicence: return .returning
      case .renew: return .renewing
      case .register where !hasRegistered: return .registering
      default: break
      }
    }
    return .settling
  }

  /// Fetches the status document. On failure, adds a note and keeps the last known status.
  ///
  /// - Throws: `WorkEnded.interrupted`.
  mutating func readStatus() throws {
    guard let address = record.statusURL else { return }
    do {
      let answer = try actions.send(
        HTTPRequest.licence(
          address, accepts: [StatusDocument.mediaType, "application/json"],
          limit: StatusDocument.maxBytes, allowsPrivateAddresses: record.allowsPrivateAddresses))
      guard !answer.isRefusal else {
        throw Failure(.httpRefused, "the provider responded with status \(answer.status)")
      }
      try applyStatus(answer)
    } catch {
      if error.isInterruption { throw error }
      let failure = Failure(error)
      unread = failure
      let since = record.seen.map { "not confirmed since \($0.text)" } ?? "never confirmed"
      notes.append("cannot read the status of '\(id)', \(since): \(failure.summary)")
    }
  }

  /// Applies a status document.
  ///
  /// - Throws: `not-a-licence`; `licence-foreign` for the status document of another licence.
  private mutating func applyStatus(_ answer: HTTPResponse) throws(Failure) {
    let document = try StatusDocument(answer.bytes)
    guard document.id == record.local.id else {
      throw Failure(.licenceForeign, "the status document is of another licence")
    }
    let base = address(answer.url)
    let now = actions.clock.now
    status = (document, base, answer.isFromPrivate)
    record.backend = BackendView(document, base: base, before: record.backend, now: now)
    record.seen = now
    if let date = answer.date {
      let difference = date.milliseconds.subtractingReportingOverflow(now.milliseconds)
      record.isClockContradicted =
        difference.overflow || difference.partialValue.magnitude > UInt64(Self.clockTolerance)
    }
  }

  private func address(_ text: String) -> WebURL? {
    do throws(Failure) {
      return try WebURL(text)
    } catch {
      return nil
    }
  }

  /// Records the registration if the events of the status document list this device. This covers a
  /// registration whose response was lost.
  mutating func noteRegistration() {
    guard record.local.played != nil, record.local.registered == nil, let status else { return }
    do {
      let device = try actions.device(record.local.provider)
      if status.document.registered.contains(device) {
        record.local.registered = actions.clock.now
      }
    } catch {
      // Without a device id there is no registration; the `register` action reports the error.
    }
  }

  /// Returns the pending call after the user's request `requestedCall`; nil if it has already taken
  /// effect. If the provider does not
  /// offer that call, sets `refusal` and keeps the current pending call.
  ///
  /// - Parameter isKnown: whether the recorded status is used even if this process has not fetched
  ///   it.
  mutating func accepted(_ requestedCall: PendingCall, isKnown: Bool = false) -> PendingCall? {
    // The provider has already accepted a return of a run that ended before it recorded that.
    if requestedCall.kind == .returnLicence, status != nil || isKnown,
      let known = record.backend?.status, known == .returned || known == .cancelled
    {
      return nil
    }
    let offer: BackendView.Offer = requestedCall.kind == .renew ? .renew : .returnLicence
    // Without a status document the offered links are unknown, so the request is kept.
    let isUnknown = !isKnown && record.statusURL != nil && status == nil
    guard !isUnknown, record.backend?.offers.contains(offer) != true else { return requestedCall }
    let name = requestedCall.kind == .renew ? "renewal" : "return"
    refusal = Failure(
      .licenceNotOffered, "the provider does not offer the \(name) of '\(id)'",
      hint: requestedCall.kind == .renew
        ? record.backend?.page.map { "renew it on the provider's page: \($0)" } : nil)
    return record.local.call
  }

  /// Clears the pending call if the status document shows that it is done or no longer possible.
  mutating func endCompletedCall() {
    guard let call = record.local.call, let status else { return }
    switch call.kind {
    case .renew:
      if let seen = call.seen, status.document.licenceChanged > seen {
        record.local.call = nil
      } else if status.document.link(.renew) == nil {
        record.local.call = nil
        refusal =
          refusal
          ?? Failure(.licenceNotOffered, "the provider does not offer the renewal of '\(id)' now")
      } else {
        record.local.call?.seen = status.document.licenceChanged
      }
    case .returnLicence:
      if status.document.status.isEnded { record.local.call = nil }
    }
  }

  /// Makes a call and applies the status document in its response. An invalid status document does
  /// not fail the call: the next refresh fetches the status again.
  mutating func call(
    _ offer: BackendView.Offer, method: HTTPRequest.Method, values more: [String: String] = [:]
  ) throws(CallRefusal) {
    let answer: HTTPResponse
    do {
      guard let status, let link = status.document.link(offer) else { throw CallRefusal.notOffered }
      var values = more
      values["id"] = try actions.device(record.local.provider)
      values["name"] = actions.deviceName
      guard let url = link.address(values, base: status.base) else {
        throw CallRefusal.notOffered
      }
      answer = try actions.send(
        HTTPRequest.licence(
          url.text, method, accepts: [StatusDocument.mediaType, "application/json"],
          limit: StatusDocument.maxBytes, allowsPrivateAddresses: status.isFromPrivate))
    } catch let refusal as CallRefusal {
      throw refusal
    } catch {
      throw error.isInterruption
        ? CallRefusal.ended(.interrupted) : CallRefusal.failed(Failure(error))
    }
    guard !answer.isRefusal else {
      throw CallRefusal.refused(ProblemDocument(answer.bytes), status: answer.status)
    }
    do throws(Failure) {
      try applyStatus(answer)
    } catch {
      notes.append("cannot read the response for '\(id)': \(error.summary)")
    }
  }

  /// Fetches the newer licence document, validates it, and replaces the file.
  ///
  /// - Throws: transfer and file errors; `not-a-licence`, `licence-foreign`, `licence-used-up`,
  ///   `licence-not-offered`.
  mutating func fetchLicence() throws {
    guard let status, let link = status.document.link(.licence),
      let url = link.address(base: status.base)
    else {
      throw Failure(.licenceNotOffered, "the provider's response has no usable link to a licence")
    }
    let answer = try actions.send(
      HTTPRequest.licence(
        url.text, accepts: [LicenceDocument.mediaType, "application/json"],
        limit: LicenceDocument.maxBytes, allowsPrivateAddresses: status.isFromPrivate))
    guard !answer.isRefusal else {
      throw try CallRefusal.refused(ProblemDocument(answer.bytes), status: answer.status)
        .failure("licence of '\(id)'")
    }
    var fresh = record
    try fresh.apply(try LicenceDocument(answer.bytes), periods: actions.periods)
    do {
      replaced = try actions.replace(id, answer.bytes)
    } catch let failure as Failure where failure.code == .noFile {
      // Files that were removed after an earlier expiry are not fetched again automatically.
      notes.append("'\(id)' must be fetched again: \(failure.summary)")
    }
    record = fresh
  }

  /// Records the status that a refusal implies.
  mutating func recordStatus(_ status: BackendStatus) {
    let now = actions.clock.now
    if record.backend?.status != status {
      record.backend?.status = status
      record.backend?.since = now
    }
    record.seen = now
  }
}

extension HTTPRequest {
  /// Creates a request to a licence provider. A refusal is returned as a response with its problem
  /// document. Methods other than GET have an empty body.
  static func licence(
    _ url: String, _ method: Method = .get, accepts: [String], limit: Int,
    allowsPrivateAddresses: Bool
  ) -> HTTPRequest {
    var request = HTTPRequest(
      url, method, accepts: accepts, limit: ByteCount(clamping: Int64(limit)),
      allowsPrivateAddresses: allowsPrivateAddresses)
    if method != .get { request.body = Body([], type: "application/octet-stream") }
    request.acceptedStatuses = .clientErrors
    request.ignoresRetryAfter = true
    return request
  }
}
