package import VmxModel
package import VmxPresentation

/// The request of an input row to a tool that takes episodes. Only the id, the rev and unknown
/// fields of the row are used; the tool reads everything else from the store.
package struct EpisodeWish: Sendable, Equatable {
  /// The episode.
  package let id: EpisodeID
  /// The `rev` from which the row was made; nil if the row has none.
  package let rev: Int64?
  /// The received row; empty for a plain id.
  package let received: JSONObject
  /// The position of the row in the input.
  package let place: InputPlace
}

/// Reads the rows of a tool that takes episodes.
package struct EpisodeInput {
  /// One row.
  package enum Row: Sendable, Equatable {
    /// An episode.
    case wish(EpisodeWish)
    /// A row that failed at an earlier stage, or a warning of it; passed on unchanged.
    case passing(JSONObject)
    /// An invalid line.
    case bad(Failure, InputPlace)
  }

  private var records: RecordInput
  private let takesProofs: Bool
  /// The episodes already returned; `vmx verify` prints a row for each part.
  private var given: Set<EpisodeID> = []

  /// Reads the rows of an input.
  ///
  /// - Parameter takesProofs: whether the tool takes the episodes that `vmx verify` found damaged
  ///   or missing. Each such episode is returned once; rows with another answer are passed on.
  package init(_ records: RecordInput, takesProofs: Bool = false) {
    self.records = records
    self.takesProofs = takesProofs
  }

  /// Whether another complete line is buffered, so that `next` will not block.
  package var hasWholeLine: Bool { records.hasWholeLine }

  /// Returns the next row; nil at the end.
  ///
  /// - Throws: `input-missing` if the stream cannot be read any further.
  package mutating func next() throws(Failure) -> Row? {
    while let record = try records.next() {
      let row = row(of: record)
      guard takesProofs, case .wish(let wish) = row, wish.isProof else { return row }
      if given.insert(wish.id).inserted { return row }
    }
    return nil
  }

  private func row(of record: RecordInput.Record) -> Row {
    switch record {
    case .bad(let failure, let place): return .bad(failure, place)
    case .text(let text, let place): return Self.row(of: text, rev: nil, JSONObject(), place)
    case .object(let object, let place):
      if passes(object) { return .passing(object) }
      let fields = FieldReader(object, of: place.description, code: .badLine)
      do throws(Failure) {
        let rev = try fields.integer("rev")
        guard let id = try fields.string("id") else {
          throw Failure(.badLine, "the row has no field 'id'")
        }
        return Self.row(of: id, rev: rev, object, place)
      } catch {
        return .bad(error, place)
      }
    }
  }

  private func passes(_ object: JSONObject) -> Bool {
    if object["row"]?.string == EpisodeJSON.warning { return true }
    if takesProofs, let answer = object.proofAnswer {
      return answer != "damaged" && answer != "missing"
    }
    return object["outcome"]?.string == "failed"
  }

  private static func row(
    of text: String, rev: Int64?, _ received: JSONObject, _ place: InputPlace
  ) -> Row {
    guard let id = EpisodeID(valid: text) else {
      return .bad(Failure.notAnID(text, .badLine), place)
    }
    return .wish(EpisodeWish(id: id, rev: rev, received: received, place: place))
  }
}

extension EpisodeWish {
  /// Whether the row is a row of `vmx verify`.
  fileprivate var isProof: Bool { received.proofAnswer != nil }
}

extension JSONObject {
  /// The answer of `vmx verify` for the part of the row; nil for a row of another tool.
  fileprivate var proofAnswer: String? {
    self["stage"]?.string == "verify" ? self["answer"]?.string : nil
  }
}
