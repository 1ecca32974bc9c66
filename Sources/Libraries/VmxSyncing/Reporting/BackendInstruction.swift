package import VmxModel
import VmxSettings
package import VmxStore

/// An instruction about an episode, in the backend's response to a message.
///
/// Orders are recorded in the same transaction that deletes the events of the message. A crash thus
/// loses no instruction: the next run executes the recorded ones.
package struct BackendInstruction: Sendable, Equatable {
  /// The kind of an instruction. The raw value is the name in responses and in `report.orders`.
  package enum Kind: String, Sendable, CaseIterable {
    /// Move the files into the trash. A `keep` mark prevents it.
    case remove
    /// Delete the files permanently, the key first.
    case revoke
    /// Extend the time until which the episode may be watched.
    case extend
    /// Download an episode again that was removed or failed.
    case fetchAgain = "fetch-again"
  }

  /// The maximum number of instructions in a response.
  package static let maxCount = 1000
  private static let prefix = "\(OutboxBackend.report.rawValue)~order~"

  /// The unique key of the record.
  package var key: String
  /// The kind of the instruction.
  package var kind: Kind
  /// The id of the episode as sent by the backend.
  package var episode: String
  /// The new end, for `extend`.
  package var until: Timestamp?

  /// Creates an instruction.
  package init(key: String, _ kind: Kind, episode: String, until: Timestamp? = nil) {
    self.key = key
    self.kind = kind
    self.episode = episode
    self.until = until
  }
}

extension BackendInstruction.Kind: FieldValue {}

extension BackendInstruction: LenientRecord {
  /// The fields of the record.
  package enum Field: String, RecordField {
    case kind = "order"
    case episode, until
  }

  package static let fields = FieldSet<Field>(Field.allCases)
  package static var blank: BackendInstruction {
    BackendInstruction(key: "", .remove, episode: "")
  }

  package mutating func code<C: FieldCoder>(
    _ field: Field, _ coder: inout C
  ) throws(C.Problem) {
    switch field {
    case .kind: try coder.required(&kind)
    case .episode: try coder.required(&episode)
    case .until: try coder.field(&until)
    }
  }

  init?(_ record: StoredRecord) {
    guard record.id.hasPrefix(Self.prefix) else { return nil }
    self.init(reading: record.fields)
    key = String(record.id.dropFirst(Self.prefix.count))
  }

  /// The id of the record.
  var id: String { Self.prefix + key }

  /// The record of the instruction, until it is executed.
  var stored: StoredRecord { StoredRecord(kind: .outbox, id: id, fields: record) }
}

extension StoreSnapshot {
  /// Returns the pending instructions, in the order of arrival.
  package func instructions() -> [BackendInstruction] {
    var instructions: [(seq: Int64, instruction: BackendInstruction)] = []
    records(of: .outbox) { record in
      if let instruction = BackendInstruction(record) {
        instructions.append((record.seq, instruction))
      }
      return true
    }
    return instructions.sorted { $0.seq < $1.seq }.map(\.instruction)
  }
}

extension Settings {
  /// Returns the kinds of instructions that a backend may give (`report.orders`).
  ///
  /// - Throws: `bad-setting`.
  package func allowedOrders() throws(Failure) -> Set<BackendInstruction.Kind> {
    let key = SettingKey.reportOrders
    let words = (try text(key) ?? "").split { $0 == " " || $0 == "," }.map(String.init)
    var kinds: Set<BackendInstruction.Kind> = []
    for word in words where word != "none" {
      guard let kind = BackendInstruction.Kind(rawValue: word) else {
        let names = BackendInstruction.Kind.allCases.map(\.rawValue).joined(separator: ", ")
        throw Failure(
          .badSetting, "'\(key.rawValue)' has '\(word)', must be one of \(names)",
          hint: "separate several by blanks")
      }
      kinds.insert(kind)
    }
    return kinds
  }
}
