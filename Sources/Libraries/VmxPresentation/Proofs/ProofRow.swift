package import VmxModel

/// The fields of a verification in listings.
package enum ProofField: String, ListingField {
  case id, rev, part, role, root, path, answer, segments, size, sha256, proof, proven
  case tracks, declared
  case outcome, code, message

  package static let usual: [ProofField] = [.id, .part, .answer, .size, .path]
  /// The default fields if the user asked for the playing times of tracks.
  package static let timed: [ProofField] = [.id, .part, .answer, .tracks, .size, .path]

  package var column: Column {
    switch self {
    case .path, .message: Column(rawValue.uppercased(), isFlexible: true)
    case .size, .rev, .declared: Column(rawValue.uppercased(), .right)
    default: Column(rawValue.uppercased())
    }
  }
}

/// The result of verifying one file of an episode, as a row of output.
package struct ProofRow: ListingRow {
  /// The episode.
  package let id: String
  /// The sequence number (`seq`) of the record that was compared.
  package let rev: Int64
  /// The name of the part.
  package let part: String
  /// The role of the part.
  package let role: PartRole
  /// The UUID of the root.
  package let root: String
  /// The absolute path of the file, or the path relative to its root if the root's path is unknown.
  package let path: String
  /// The verdict; nil if there is none.
  package let answer: Verdict?
  /// The damaged segments of 4 MiB, as far as they are known.
  package let segments: [Int]
  /// The recorded size in bytes.
  package let size: ByteCount?
  /// The recorded SHA-256.
  package let sha256: Digest?
  /// The strength of the proof that the bytes are right.
  package let proof: Proof?
  /// The time of the last successful verification, this one included.
  package let proven: Timestamp?
  /// The playing times of its tracks; nil if the user did not ask for them or they are unknown.
  package let times: TrackTimes?
  /// The outcome, as the next command in the pipe reads it.
  package let outcome: Outcome
  private let now: Timestamp
  private let received: JSONObject

  /// Creates a row.
  ///
  /// - Parameters:
  ///   - now: the current time, for relative times.
  ///   - received: the row received from the pipe; its unknown fields are passed on.
  package init(
    id: String, rev: Int64, part: String, role: PartRole, root: String, path: String,
    answer: Verdict?, segments: [Int], size: ByteCount?, sha256: Digest?, proof: Proof?,
    proven: Timestamp?, times: TrackTimes? = nil, outcome: Outcome, now: Timestamp,
    received: JSONObject = JSONObject()
  ) {
    self.id = id
    self.rev = rev
    self.part = part
    self.role = role
    self.root = root
    self.path = path
    self.answer = answer
    self.segments = segments
    self.size = size
    self.sha256 = sha256
    self.proof = proof
    self.proven = proven
    self.times = times
    self.outcome = outcome
    self.now = now
    self.received = received
  }

  package func cell(_ field: ProofField) -> Cell {
    switch field {
    case .id: Cell(id, .strong)
    case .answer: Cell(answer?.rawValue ?? outcome.name, tone)
    case .size: Cell(size?.forPeople ?? "")
    case .tracks: Cell(times?.words ?? "")
    case .declared: Cell(times?.declared.map(PlayingTime.text) ?? "")
    case .proven: Cell(proven.map { TimeText.relative($0, to: now) } ?? "never", .dim)
    default: Cell(exact(field))
    }
  }

  package func exact(_ field: ProofField) -> String {
    switch field {
    case .id: id
    case .rev: String(rev)
    case .part: part
    case .role: role.rawValue
    case .root: root
    case .path: path
    case .answer: answer?.rawValue ?? ""
    case .segments: segments.map { String($0) }.joined(separator: ",")
    case .size: size.map { String($0.bytes) } ?? ""
    case .sha256: sha256?.hex ?? ""
    case .proof: proof?.rawValue ?? ""
    case .proven: proven?.text ?? ""
    case .tracks: times?.tracks.map(Self.exact).joined(separator: ",") ?? ""
    case .declared: times?.declared.map { String($0) } ?? ""
    case .outcome: outcome.name
    case .code: outcome.failure?.code.rawValue ?? ""
    case .message: outcome.failure?.summary ?? ""
    }
  }

  package func record(_ fields: [ProofField]?) -> JSONObject {
    var object = EpisodeJSON.head(id)
    object.append("rev", .integer(rev))
    for field in [ProofField.part, .role, .root, .path] {
      object.append(field.rawValue, exact(field))
    }
    object.append("answer", answer?.rawValue)
    object.append("segments", .array(segments.map { .integer(Int64($0)) }))
    object.append("size", size.map { .integer($0.bytes) })
    object.append("sha256", sha256?.hex)
    object.append("proof", proof?.rawValue)
    object.append("proven", proven?.text)
    object.append("tracks", (times?.tracks).map { .array($0.map { .object(Self.record(of: $0)) }) })
    object.append("declared", times?.declared.map { .integer($0) })
    for field in received.without(Self.known).fields { object.append(field.key, field.value) }
    object.append("stage", "verify")
    object.append("outcome", outcome.name)
    object.append("error", outcome.failure.map { .object(FailureText.record(of: $0)) })
    guard let fields else { return object }
    let wanted = Set(fields.map(\.rawValue)).union(["schema", "id"])
    return JSONObject(distinct: object.fields.filter { wanted.contains($0.key) })
  }

  /// Formats one line of text, printed as soon as the result is known.
  package func line(_ terminal: TerminalFacts) -> String {
    let word = DisplayWidth.padded(answer?.rawValue ?? outcome.name, to: 11)
    let text = TerminalText.escaped(
      [id, part, times?.words, path].compactMap { $0 }.joined(separator: "  "))
    let rest = DisplayWidth.cut(text, to: max(20, terminal.width - 13))
    return "\(terminal.palette.paint(word, tone))  \(rest)\n"
  }

  private static func exact(_ track: MediaTrack) -> String {
    "\(track.kind.rawValue)=\(track.duration.map { String($0) } ?? "")"
  }

  private static func record(of track: MediaTrack) -> JSONObject {
    var object = JSONObject()
    object.append("type", track.kind.rawValue)
    object.append("duration", track.duration.map { .integer($0) })
    return object
  }

  /// The received keys that are not passed on, because they may describe other files of the
  /// episode.
  private static let known = EpisodeJSON.known.union(ProofField.allCases.map(\.rawValue))

  private var tone: Tone {
    switch answer {
    case .intact: .good
    case .damaged, .missing: .bad
    case .moved, .unreachable: .held
    case nil: .plain
    }
  }
}
