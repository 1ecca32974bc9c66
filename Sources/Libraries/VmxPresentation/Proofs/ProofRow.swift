package import VmxModel

/// The fields of a proof in listings.
package enum ProofField: String, ListingField {
  case id, rev, part, role, root, path, answer, segments, size, sha256, proof, proven
  case tracks, declared
  case outcome, code, message

  package static let usual: [ProofField] = [.id, .part, .answer, .size, .path]
  /// The usual ones where it was asked how long tracks play.
  package static let timed: [ProofField] = [.id, .part, .answer, .tracks, .size, .path]

  package var column: Column {
    switch self {
    case .path, .message: Column(rawValue.uppercased(), isFlexible: true)
    case .size, .rev, .declared: Column(rawValue.uppercased(), .right)
    default: Column(rawValue.uppercased())
    }
  }
}

/// What was found of one file of an episode, as a row of output.
package struct ProofRow: ListingRow {
  /// The episode.
  package let id: String
  /// `seq` of the record that was compared.
  package let rev: Int64
  /// The name of the part.
  package let part: String
  /// What the part is for.
  package let role: PartRole
  /// UUID of the root.
  package let root: String
  /// The whole path of the file, or the path below its root where that is not known.
  package let path: String
  /// The answer; nil where there is none.
  package let answer: Verdict?
  /// Segments of 4 MiB that are wrong, as far as they are known.
  package let segments: [Int]
  /// Bytes, as recorded.
  package let size: ByteCount?
  /// SHA-256, as recorded.
  package let sha256: Digest?
  /// How far the bytes are trusted.
  package let proof: Proof?
  /// When they were last found to be right, this proof included.
  package let proven: Timestamp?
  /// How long its tracks play; nil where that was not asked for or is not known.
  package let times: TrackTimes?
  /// What the row says to the next tool.
  package let outcome: Outcome
  private let now: Timestamp
  private let received: JSONObject

  /// A row.
  ///
  /// - Parameters:
  ///   - now: for the words of times.
  ///   - received: the row it came in as; its fields that are not ours pass through.
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

  /// One line for people, told as soon as it is known.
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

  /// Keys of rows from other tools that do not pass on: a row of one file says nothing of others.
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
