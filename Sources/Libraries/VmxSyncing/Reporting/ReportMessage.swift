package import VmxModel

/// A message to the backend: events as JSON Lines.
package struct ReportMessage: Sendable, Equatable {
  private static let type = "application/x-ndjson"
  /// The maximum size of a response.
  private static let maxResponseSize = ByteCount(clamping: 1 << 20)
  /// The maximum number of events in a message.
  package static let maxEvents = 100

  /// The events, in their order.
  package let events: [OutboxEvent]
  /// The events as JSON Lines: one object per line.
  package let body: [UInt8]
  /// The idempotency key, derived from the events' keys
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
  /// - Parameter url: the address in the settings. It may be private, since the user entered it.
  func request(to url: String) -> HTTPRequest {
    var request = HTTPRequest(
      url, .post, limit: Self.maxResponseSize, allowsPrivateAddresses: true)
    request.body = HTTPRequest.Body(body, type: Self.type)
    request.idempotencyKey = HTTPRequest.Field("Idempotency-Key", "\"\(key)\"")
    request.acceptedStatuses = .all
    request.ignoresRetryAfter = true
    return request
  }
}

extension OutboxEvent {
  /// The event in the form sent to a backend, without title, path and address.
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
