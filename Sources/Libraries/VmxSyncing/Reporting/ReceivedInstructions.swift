import VmxJSON
package import VmxModel
package import VmxStore

/// An instruction in a response that cannot be executed: another verb, or without what it requires.
///
/// It is recorded as an instruction is, until a tool has told the user: a delivery beside the
/// transfers of a fetch may be killed before that.
package struct InvalidInstruction: Sendable, Equatable {
  private static let prefix = "\(OutboxBackend.report.rawValue)~invalid~"
  /// The maximum number of characters of a text of the backend that is recorded.
  private static let maxLength = 200

  /// The unique key of the record.
  private let key: String
  /// The id that the instruction names; nil if it names none.
  package let episode: String?
  /// The name of the instruction; nil if the line is no JSON object.
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

  /// The refusal of the instruction, for the user.
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
  /// Returns the invalid instructions of which the user was not told, in the order of arrival.
  package func invalidInstructions() -> [InvalidInstruction] {
    var instructions: [(seq: Int64, instruction: InvalidInstruction)] = []
    records(of: .outbox) { record in
      if let instruction = InvalidInstruction(record) {
        instructions.append((record.seq, instruction))
      }
      return true
    }
    return instructions.sorted { $0.seq < $1.seq }.map(\.instruction)
  }
}

/// The instructions in a response.
struct ReceivedInstructions: Sendable, Equatable {
  /// The instructions, in the order of their lines.
  private(set) var instructions: [BackendInstruction] = []
  /// The first lines that are meant as instructions but are invalid.
  private(set) var invalid: [InvalidInstruction] = []
  private let key: String

  /// Parses the lines of a response. Ignores objects without `order`, and text that is neither JSON
  /// nor begins with the name of an instruction, for example that of a web page.
  ///
  /// - Parameter key: the key of the message, from which the keys of instructions are derived. A
  ///   repeated response thus creates no second instruction.
  init(_ bytes: [UInt8], key: String) {
    self.key = key
    let parser = JSONParser()
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      let fields = line.withUnsafeBytes { parser.withTape(copying: $0) { $0.value.object } }
      guard let fields = fields ?? nil else {
        refuse(text: String(decoding: line, as: UTF8.self))
        continue
      }
      guard let value = fields["order"] else { continue }
      let name = value.string ?? ""
      guard instructions.count < BackendInstruction.maxCount,
        let kind = BackendInstruction.Kind(rawValue: name),
        let episode = fields["id"]?.string,
        let instruction = Self.instruction(
          kind, of: episode, fields: fields, key: "\(key)~\(instructions.count)")
      else {
        refuse(episode: fields["id"]?.string, name: name)
        continue
      }
      instructions.append(instruction)
    }
  }

  /// Refuses a line that is no JSON object if it is meant as an instruction.
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

  private static func instruction(
    _ kind: BackendInstruction.Kind, of episode: String, fields: JSONObject, key: String
  ) -> BackendInstruction? {
    guard EpisodeID(valid: episode) != nil else { return nil }
    let until = fields["until"]?.string.flatMap { Timestamp($0) }
    if kind == .extend, until == nil { return nil }
    return BackendInstruction(key: key, kind, episode: episode, until: until)
  }
}
