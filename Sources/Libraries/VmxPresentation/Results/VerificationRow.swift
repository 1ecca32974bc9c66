package import VmxModel

/// The fields of a verification in listings.
package enum VerificationField: String, ListingField {
  case id, rev, part, role, root, path
  case relativePath = "relative_path"
  case verdict = "answer", segments, size, sha256, proof, verifiedAt = "proven", tracks
  case declared = "declared_ms"
  case outcome, code, message

  package static let defaultFields: [VerificationField] = [.id, .part, .verdict, .size, .path]
  /// The default fields if the user asked for the playing times of tracks.
  package static let timed: [VerificationField] = [.id, .part, .verdict, .tracks, .size, .path]

  package var column: Column {
    switch self {
    case .path, .relativePath, .message: Column(heading, .left, .end)
    case .size, .rev, .declared: Column(heading, .right)
    default: Column(heading)
    }
  }
}

/// The result of verifying one file of an episode, as a row of output.
package struct VerificationRow: ListingRow {
  /// The episode.
  package let id: String
  /// The sequence number (`seq`) of the record that was compared.
  package let rev: Int64
  /// The name of the part.
  package let part: String
  /// The role of the part.
  package let role: PartRole
  /// The result, as the next command in the pipe reads it.
  package let result: OperationResult
  /// The UUID of the root.
  package var root = ""
  /// The absolute path of the file, or the path relative to its root if the root's path is unknown.
  package var path = ""
  /// The path relative to its root.
  package var relativePath = ""
  /// The verdict; nil if there is none.
  package var verdict: Verdict?
  /// The damaged segments of 4 MiB, as far as they are known.
  package var segments: [Int] = []
  /// The recorded size in bytes.
  package var size: ByteCount?
  /// The recorded SHA-256.
  package var sha256: Digest?
  /// The strength of the proof that the bytes are right.
  package var proof: Proof?
  /// The time of the last successful verification, this one included.
  package var verifiedAt: Timestamp?
  /// The playing times of its tracks; nil if the user did not ask for them or they are unknown.
  package var times: TrackTimes?
  /// The row received from the pipe; its unknown fields are passed on.
  package var received = JSONObject()
  private let now: Timestamp

  /// Creates the row of a file.
  ///
  /// - Parameter now: the current time, for relative times.
  package init(
    id: String, rev: Int64, part: String, role: PartRole, _ result: OperationResult, now: Timestamp
  ) {
    self.id = id
    self.rev = rev
    self.part = part
    self.role = role
    self.result = result
    self.now = now
  }

  package func cell(_ field: VerificationField) -> Cell {
    switch field {
    case .id: Cell(id, .strong)
    case .verdict: Cell(verdict?.rawValue ?? result.name, style)
    case .size: Cell(size?.forPeople ?? "")
    case .tracks: Cell(times?.text ?? "")
    case .declared: Cell(times?.declared.map(PlayingTime.text) ?? "")
    case .verifiedAt: Cell(verifiedAt.map { TimeText.relative($0, to: now) } ?? "never", .dim)
    default: Cell(exact(field))
    }
  }

  package func exact(_ field: VerificationField) -> String {
    switch field {
    case .id: id
    case .rev: String(rev)
    case .part: part
    case .role: role.rawValue
    case .root: root
    case .path: path
    case .relativePath: relativePath
    case .verdict: verdict?.rawValue ?? ""
    case .segments: segments.map { String($0) }.joined(separator: ",")
    case .size: size.map { String($0.bytes) } ?? ""
    case .sha256: sha256?.hex ?? ""
    case .proof: proof?.rawValue ?? ""
    case .verifiedAt: verifiedAt?.text ?? ""
    case .tracks: times?.tracks.map(Self.exact).joined(separator: ",") ?? ""
    case .declared: times?.declared.map { String($0) } ?? ""
    case .outcome: result.name
    case .code: result.failure?.code.rawValue ?? ""
    case .message: result.failure?.summary ?? ""
    }
  }

  package func record(_ fields: [VerificationField]?) -> JSONObject {
    var object = EpisodeJSON.head(id)
    object.append("rev", .integer(rev))
    for field in [VerificationField.part, .role, .root, .path, .relativePath] {
      object.append(field.rawValue, exact(field))
    }
    object.append("answer", verdict?.rawValue)
    object.append("segments", .array(segments.map { .integer(Int64($0)) }))
    object.append("size", size.map { .integer($0.bytes) })
    object.append("sha256", sha256?.hex)
    object.append("proof", proof?.rawValue)
    object.append("proven", verifiedAt?.text)
    object.append("tracks", (times?.tracks).map { .array($0.map { .object(Self.record(of: $0)) }) })
    object.append(VerificationField.declared.rawValue, times?.declared.map { .integer($0) })
    for field in received.without(Self.known).fields { object.append(field.key, field.value) }
    result.append(to: &object, stage: "verify")
    return object.selecting(fields)
  }

  /// Formats one line: verdict, id, part, playing times, path.
  package func line(_ terminal: TerminalFacts) -> String? {
    Self.line(cell(.verdict), width: 11, [id, part, times?.text, path], terminal)
  }

  private static func exact(_ track: MediaTrack) -> String {
    "\(track.kind.rawValue)=\(track.duration.map { String($0) } ?? "")"
  }

  private static func record(of track: MediaTrack) -> JSONObject {
    var object = JSONObject()
    object.append("type", track.kind.rawValue)
    object.append("duration_ms", track.duration.map { .integer($0) })
    return object
  }

  /// The received keys that are not passed on, because they may describe other files of the
  /// episode.
  private static let known = EpisodeJSON.known.union(VerificationField.allCases.map(\.rawValue))

  private var style: TextStyle {
    switch verdict {
    case .intact: .success
    case .damaged, .missing: .failure
    case .moved, .unreachable: .warning
    case nil: .plain
    }
  }
}
