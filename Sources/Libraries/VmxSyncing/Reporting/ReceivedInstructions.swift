import VmxJSON
package import VmxModel
package import VmxStore

/// An order in a response that cannot be executed: another verb, or without what it requires.
///
/// It is recorded as an order is, until a tool has told the user: a delivery beside the transfers
/// of a fetch may be killed before that.
package struct InvalidInstruction: Sendable, Equatable {
  private static let prefix = "\(OutboxBackend.report.rawValue)~invalid~"
  /// The maximum number of characters of a text of the backend that is recorded.
  private static let maxLength = 200

  /// The unique key of the record.
  private let key: String
  /// The id that the order names; nil if it names none.
  package let episode: String?
  /// The name of the order; nil if the line is no JSON object.
  package let name: String?

  fileprivate init(key: String, episode: String?, name: String?) {
    self.key = key
    self.episode = episode.map { String($0.prefix(Self.maxLength)) }
    self.name = name.map { String($0.prefix(Self.maxLength)) }
  }

  fileprivate init?(_ record: StoredRecord) {
    guard record.id.hasPrefix(Self.prefix) else { return nil }
    self.init(
      key: String(record.id.dropFirst(Self.prefix.count)),
      episode: record.fields["episode"]?.string, name: record.fields["order"]?.string)
  }

  /// The id of the record.
  var id: String { Self.prefix + key }

  /// The record, until the user was told.
  var record: StoredRecord {
    var fields = JSONObject()
    fields.append("order", name)
    fields.append("episode", episode)
    return StoredRecord(kind: .outbox, id: id, fields: fields)
  }

  /// The refusal of the order, for the user.
  package var refusal: Failure {
    let hint = "see ORDERS in vmx-report(1) for the orders of a backend"
    guard let name else {
      return Failure(.orderRefused, "a line of the backend is not an order", hint: hint)
    }
    return Failure(
      .orderRefused, "the order '\(name)' of the backend is unknown or incomplete", hint: hint)
  }
}

extension StoreSnapshot {
  /// Returns the invalid orders of which the user was not told, in the order of arrival.
  package func invalidOrders() -> [InvalidInstruction] {
    var orders: [(seq: Int64, order: InvalidInstruction)] = []
    records(of: .outbox) { record in
      if let order = InvalidInstruction(record) { orders.append((record.seq, order)) }
      return true
    }
    return orders.sorted { $0.seq < $1.seq }.map(\.order)
  }
}

/// The orders in a response.
struct ReceivedInstructions: Sendable, Equatable {
  /// The orders, in the order of their lines.
  private(set) var orders: [BackendInstruction] = []
  /// The first lines that are meant as orders but are invalid.
  private(set) var invalid: [InvalidInstruction] = []
  private let key: String

  /// Parses the lines of a response. Ignores objects without `order`, and text that is neither JSON
  /// nor begins with the name of an order, for example that of a web page.
  ///
  /// - Parameter key: the key of the message, from which the order keys are derived. A repeated
  ///   response thus creates no second order.
  init(_ bytes: [UInt8], key: String) {
    self.key = key
    let parser = JSONParser()
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      let fields = line.withUnsafeBytes { parser.withTape(copying: $0) { $0.value.object } }
      guard let fields = fields ?? nil else {
        refuse(text: String(decoding: line, as: UTF8.self))
        continue
      }
      guard let order = fields["order"] else { continue }
      let name = order.string ?? ""
      guard orders.count < BackendInstruction.maxCount,
        let kind = BackendInstruction.Kind(rawValue: name),
        let episode = fields["id"]?.string,
        let order = Self.order(kind, of: episode, fields: fields, key: "\(key)~\(orders.count)")
      else {
        refuse(episode: fields["id"]?.string, name: name)
        continue
      }
      orders.append(order)
    }
  }

  /// Refuses a line that is no JSON object if it is meant as an order.
  private mutating func refuse(text: String) {
    let word = text.prefix { !$0.isWhitespace }
    if let kind = BackendInstruction.Kind(rawValue: word.lowercased()) {
      refuse(episode: nil, name: kind.rawValue)
    } else if text.hasPrefix("{") || text.hasPrefix("[") {
      refuse(episode: nil, name: nil)
    }
  }

  private mutating func refuse(episode: String?, name: String?) {
    guard invalid.count < BackendInstruction.maxCount else { return }
    invalid.append(InvalidInstruction(key: "\(key)~\(invalid.count)", episode: episode, name: name))
  }

  private static func order(
    _ kind: BackendInstruction.Kind, of episode: String, fields: JSONObject, key: String
  ) -> BackendInstruction? {
    guard EpisodeID(valid: episode) != nil else { return nil }
    let until = fields["until"]?.string.flatMap { Timestamp($0) }
    if kind == .extend, until == nil { return nil }
    return BackendInstruction(key: key, kind, episode: episode, until: until)
  }
}
