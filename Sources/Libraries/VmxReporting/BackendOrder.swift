import VmxJSON
package import VmxModel
package import VmxStore

/// An order of a backend about an episode, in its answer to a message.
///
/// Orders are recorded in the same transaction that removes the events of the message. So a crash
/// loses none: those that are recorded are carried out by the next run.
package struct BackendOrder: Sendable, Equatable {
  /// An order that a backend may give; the raw value is sent, and named in `report.orders`.
  package enum Kind: String, Sendable, CaseIterable {
    /// Remove the files, into the trash. A mark `keep` keeps them.
    case remove
    /// Delete the files for good, key first.
    case revoke
    /// Let the episode be watched until a later time.
    case extend
    /// Fetch again what was removed or failed.
    case fetchAgain = "fetch-again"
  }

  /// The maximum number of orders in an answer.
  package static let most = 1000
  private static let prefix = "\(OutboxBackend.report.rawValue)~order~"

  /// The unique key of its record.
  package var key: String
  /// The kind of the order.
  package var kind: Kind
  /// The id of the episode, as the backend gave it.
  package var episode: String
  /// The new end, for `extend`.
  package var until: Timestamp?

  /// Creates an order.
  package init(key: String, _ kind: Kind, episode: String, until: Timestamp? = nil) {
    self.key = key
    self.kind = kind
    self.episode = episode
    self.until = until
  }
}

extension BackendOrder {
  init?(_ record: StoredRecord) {
    guard record.id.hasPrefix(Self.prefix),
      let kind = record.fields["order"]?.string.flatMap({ Kind(rawValue: $0) }),
      let episode = record.fields["episode"]?.string
    else { return nil }
    self.init(
      key: String(record.id.dropFirst(Self.prefix.count)), kind, episode: episode,
      until: record.fields["until"]?.string.flatMap { Timestamp($0) })
  }

  /// The id of its record.
  var id: String { Self.prefix + key }

  /// The record until it is carried out.
  var record: StoredRecord {
    var fields = JSONObject()
    fields.append("order", kind.rawValue)
    fields.append("episode", episode)
    fields.append("until", until?.text)
    return StoredRecord(kind: .outbox, id: id, fields: fields)
  }
}

extension StoreSnapshot {
  /// Returns the orders that are still to be carried out, in the order in which they came.
  package func orders() -> [BackendOrder] {
    var orders: [(seq: Int64, order: BackendOrder)] = []
    records(of: .outbox) { record in
      if let order = BackendOrder(record) { orders.append((record.seq, order)) }
      return true
    }
    return orders.sorted { $0.seq < $1.seq }.map(\.order)
  }
}

/// The orders in an answer.
struct ReceivedOrders: Sendable, Equatable {
  /// The orders, in their order.
  private(set) var orders: [BackendOrder] = []
  /// The number of lines that look like an order and cannot be understood.
  private(set) var unread = 0

  /// Reads the lines of an answer. A line that is no object with `order` means nothing, as in an
  /// answer that is a web page.
  ///
  /// - Parameter key: the key of the message, from which the keys of the orders are made. So the same
  ///   answer, given twice, orders once.
  init(_ bytes: [UInt8], key: String) {
    let parser = JSONParser()
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      let fields = line.withUnsafeBytes { parser.withTape(copying: $0) { $0.value.object } }
      guard let fields = fields ?? nil, let name = fields["order"]?.string else { continue }
      guard orders.count < BackendOrder.most, let kind = BackendOrder.Kind(rawValue: name),
        let episode = fields["id"]?.string,
        let order = Self.order(kind, episode, fields, "\(key)~\(orders.count)")
      else {
        unread += 1
        continue
      }
      orders.append(order)
    }
  }

  private static func order(
    _ kind: BackendOrder.Kind, _ episode: String, _ fields: JSONObject, _ key: String
  ) -> BackendOrder? {
    guard EpisodeID(valid: episode) != nil else { return nil }
    let until = fields["until"]?.string.flatMap { Timestamp($0) }
    if kind == .extend, until == nil { return nil }
    return BackendOrder(key: key, kind, episode: episode, until: until)
  }
}
