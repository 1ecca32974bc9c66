package import VmxModel

/// A message to the backend: some events as JSON Lines.
package struct ReportMessage: Sendable, Equatable {
  private static let type = "application/x-ndjson"
  /// The maximum size of an answer in bytes.
  private static let largestAnswer = 1 << 20
  /// The maximum number of events in a message.
  package static let mostEvents = 100

  /// The events, in their order.
  package let events: [OutboxEvent]
  /// One JSON object a line.
  package let body: [UInt8]
  /// The idempotency key: the same for the same events, another one for others
  /// (draft-ietf-httpapi-idempotency-key-header).
  package let key: String

  /// Creates a message of events.
  package init(_ events: [OutboxEvent]) {
    self.events = events
    var bytes: [UInt8] = []
    for event in events {
      JSONWriter.append(event.message, to: &bytes)
      bytes.append(UInt8(ascii: "\n"))
    }
    body = bytes
    key = Hex.text(of: StableHash.of(events.map(\.key).joined(separator: "\n")))
  }
}

extension ReportMessage {
  /// Returns the request that sends the message.
  ///
  /// - Parameter url: the address in the settings; the user named it, so it may be private.
  func request(to url: String) -> ServiceRequest {
    var request = ServiceRequest(url, .post, limit: Self.largestAnswer, mayBePrivate: true)
    request.body = ServiceRequest.Body(body, type: Self.type)
    request.idempotencyKey = ServiceRequest.Field("Idempotency-Key", "\"\(key)\"")
    request.answers = .all
    request.asksAnyway = true
    return request
  }
}

extension OutboxEvent {
  /// The event as a backend reads it. It has no title, no path and no address.
  package var message: JSONObject {
    var object = JSONObject()
    object.append("key", key)
    object.append("event", step.rawValue)
    object.append("id", episode)
    object.append("at", at.text)
    object.append("code", code?.rawValue)
    object.append("position_ms", position.map { .integer($0) })
    object.append("duration_ms", duration.map { .integer($0) })
    object.append("omitted", omitted > 0 ? .integer(omitted) : nil)
    return object
  }
}
