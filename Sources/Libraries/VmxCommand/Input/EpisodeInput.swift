package import VmxModel
package import VmxPresentation

/// What a row of the input asks of a tool that takes episodes: only its id, rev and fields that
/// are not ours count, everything else is looked up afresh.
package struct EpisodeWish: Sendable, Equatable {
  /// The episode.
  package let id: EpisodeID
  /// The `rev` the row was made from; nil if it names none.
  package let rev: Int64?
  /// The row as it came; empty for a plain id.
  package let received: JSONObject
  /// Where it stood.
  package let place: InputPlace
}

/// Reads the rows of a tool that takes episodes.
package struct EpisodeInput {
  /// One row.
  package enum Row: Sendable, Equatable {
    /// An episode.
    case wish(EpisodeWish)
    /// What failed at an earlier stage, or a warning of it: passed on untouched.
    case passing(JSONObject)
    /// A line that is neither.
    case bad(Failure, InputPlace)
  }

  private var records: RecordInput
  private let takesProofs: Bool
  /// Episodes that were given: `vmx verify` has a row for each part.
  private var given: Set<EpisodeID> = []

  /// The rows of an input.
  ///
  /// - Parameter takesProofs: whether it is for those that `vmx verify` found damaged or missing:
  ///   each such episode is given once, and its rows with another answer pass.
  package init(_ records: RecordInput, takesProofs: Bool = false) {
    self.records = records
    self.takesProofs = takesProofs
  }

  /// Whether another whole line was read already, so that `next` need not wait for it.
  package var hasWholeLine: Bool { records.hasWholeLine }

  /// The next row; nil at the end.
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
  /// Whether the row is one of `vmx verify`.
  fileprivate var isProof: Bool { received.proofAnswer != nil }
}

extension JSONObject {
  /// What `vmx verify` found of the part that the row is about.
  fileprivate var proofAnswer: String? {
    self["stage"]?.string == "verify" ? self["answer"]?.string : nil
  }
}
