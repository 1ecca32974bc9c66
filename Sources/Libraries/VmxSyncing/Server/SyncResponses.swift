import VmxJSON
package import VmxModel

// Servers differ, and other clients write malformed rows. Parsing is lenient: unreadable rows are
// skipped and counted. Only a response that is not JSON of the expected form is an error.

/// A page of actions from a server.
package struct ActionPage: Sendable, Equatable {
  /// The largest accepted position or length in seconds: 100 days.
  private static let maxSeconds: Int64 = 8_640_000

  /// The actions, in the server's order.
  package private(set) var actions: [SyncAction] = []
  /// The number of unreadable rows.
  package private(set) var skipped = 0
  /// The number of rows.
  package private(set) var rows = 0
  /// The `since` of the next request in seconds; nil if the server sent none.
  package private(set) var timestamp: Int64?

  /// Parses a response.
  ///
  /// - Throws: `sync-unreadable`.
  package init(_ bytes: consuming [UInt8]) throws(Failure) {
    guard let document = JSONDocument(bytes) else { throw Failure.unreadableSync }
    let isFound = document.withRoot { root -> Bool in
      guard let list = root.field("actions"), list.isArray else { return false }
      timestamp = root.field("timestamp").flatMap(Self.integer)
      list.forEachElement { row in
        rows += 1
        switch Self.action(row) {
        case .action(let action): actions.append(action)
        case .malformed: skipped += 1
        case .meaningless: break
        }
        return true
      }
      return true
    }
    guard isFound else { throw Failure.unreadableSync }
  }

  private enum Row {
    case action(SyncAction)
    /// An unreadable row.
    case malformed
    /// A row that is irrelevant for a library, such as `flattr`.
    case meaningless
  }

  private static func action(_ row: JSONTape) -> Row {
    guard let name = row.field("action")?.string?.lowercased(),
      let podcast = row.field("podcast")?.string, !podcast.isEmpty,
      let episode = row.field("episode")?.string, !episode.isEmpty,
      let at = row.field("timestamp").flatMap(time)
    else { return .malformed }
    if name == "flattr" { return .meaningless }
    guard let kind = SyncAction.Kind(rawValue: name) else { return .malformed }
    let guid = row.field("guid")?.string
    var action = SyncAction(
      kind, podcast: podcast, episode: episode, guid: guid?.isEmpty == false ? guid : nil, at: at)
    if kind == .play {
      action.started = row.field("started").flatMap(milliseconds)
      action.position = row.field("position").flatMap(milliseconds)
      action.total = row.field("total").flatMap(milliseconds).flatMap { $0 > 0 ? $0 : nil }
    }
    return .action(action)
  }

  private static func time(_ value: JSONTape) -> Timestamp? {
    if let text = value.string { return Timestamp(action: text) }
    return value.integer.map { Timestamp(seconds: $0) }
  }

  /// Returns milliseconds; nil for a negative number, which means unknown, for more than 100 days,
  /// and for other values.
  private static func milliseconds(_ value: JSONTape) -> Int64? {
    guard let seconds = integer(value), (0...maxSeconds).contains(seconds) else { return nil }
    return seconds * 1000
  }

  /// Returns a whole number. Rounds a fraction down and parses a string.
  private static func integer(_ value: JSONTape) -> Int64? {
    switch value.value {
    case .integer(let number): number
    case .double(let number) where number.magnitude < 1e15: Int64(number.rounded(.down))
    case .string(let text): Int64(text)
    default: nil
    }
  }
}

/// The changes of a subscription list.
package struct SubscriptionChanges: Sendable, Equatable {
  /// The added URLs, trimmed and without duplicates.
  package var added: [String] = []
  /// The removed URLs. None of them is in `added`.
  package var removed: [String] = []
  /// The `since` of the next request in seconds; nil if the server sent none.
  package var timestamp: Int64?

  /// Creates an empty set of changes.
  package init() {}

  /// Parses a response.
  ///
  /// - Throws: `sync-unreadable`.
  package init(_ bytes: consuming [UInt8]) throws(Failure) {
    guard let document = JSONDocument(bytes) else { throw Failure.unreadableSync }
    let isFound = document.withRoot { root -> Bool in
      guard let added = root.field("add"), added.isArray else { return false }
      timestamp = root.field("timestamp")?.integer
      removed = Self.urls(root.field("remove"))
      let gone = Set(removed)
      self.added = Self.urls(added).filter { !gone.contains($0) }
      return true
    }
    guard isFound else { throw Failure.unreadableSync }
  }

  /// Parses the subscription lists of all devices and returns each URL once. A response of another
  /// form yields an empty list, because not every server supports such lists.
  package static func lists(_ bytes: consuming [UInt8]) -> [String] {
    guard let document = JSONDocument(bytes) else { return [] }
    return document.withRoot { root in urls(root) }
  }

  /// Returns whether a response is a JSON array, as the device list is.
  static func isList(_ bytes: consuming [UInt8]) -> Bool {
    JSONDocument(bytes)?.withRoot { $0.isArray } ?? false
  }

  private static func urls(_ list: JSONTape?) -> [String] {
    var seen: Set<String> = []
    var urls: [String] = []
    list?.forEachElement { value in
      let text = value.string ?? value.field("url")?.string ?? value.field("feed")?.string
      // oPodSync keeps the line feeds of a list that was uploaded as text.
      let url = text?.trimmed ?? ""
      if !url.isEmpty, seen.insert(url).inserted { urls.append(url) }
      return true
    }
    return urls
  }
}

/// The response to an upload.
package struct UploadReceipt: Sendable, Equatable {
  /// The new addresses by the old ones that the server changed. An empty new address means that the
  /// server refuses the old one.
  package private(set) var renamed: [String: String] = [:]
  /// The `since` of the next request in seconds; nil if the server sent none.
  package private(set) var timestamp: Int64?

  /// Parses a response. An empty body is valid.
  ///
  /// - Throws: `sync-unreadable` for a body that is not a JSON object or array, such as a web page.
  ///   The server may then not have stored the upload.
  package init(_ bytes: consuming [UInt8]) throws(Failure) {
    if bytes.allSatisfy({ [0x20, 0x09, 0x0a, 0x0d].contains($0) }) { return }
    guard let document = JSONDocument(bytes) else { throw Failure.unreadableSync }
    let isObject = document.withRoot { root -> Bool in
      guard root.isObject || root.isArray else { return false }
      timestamp = root.field("timestamp")?.integer
      root.field("update_urls")?.forEachElement { pair in
        var texts: [String] = []
        pair.forEachElement { text in
          texts.append(text.string ?? "")
          return true
        }
        if texts.count == 2, !texts[0].isEmpty, texts[0] != texts[1] {
          renamed[texts[0]] = texts[1].trimmed
        }
        return true
      }
      return true
    }
    guard isObject else { throw Failure.unreadableSync }
  }
}

extension Failure {
  /// The failure for a response of an unexpected form.
  static var unreadableSync: Failure {
    Failure(.syncUnreadable, "the answer of the server is not what such servers send")
  }
}
