import VmxModel
import VmxPresentation
import VmxVerifying

/// The result of verifying one file of an episode, as a row of output.
struct VerificationRow: ResultRow {
  /// The episode.
  let id: String
  /// The sequence number (`seq`) of the record that was compared.
  let rev: Int64
  /// The name of the part.
  let part: String
  /// The role of the part.
  let role: PartRole
  /// The result, as the next command in the pipe reads it.
  let result: OperationResult?
  /// The UUID of the root.
  var root = ""
  /// The absolute path of the file, or the path relative to its root if the root's path is unknown.
  var path = ""
  /// The path relative to its root.
  var relativePath = ""
  /// The verdict; nil if there is none.
  var verdict: Verdict?
  /// The damaged segments of 4 MiB, as far as they are known.
  var segments: [Int] = []
  /// The recorded size in bytes.
  var size: ByteCount?
  /// The recorded SHA-256.
  var sha256: Digest?
  /// The strength of the proof that the bytes are right.
  var proof: Proof?
  /// The time of the last successful verification, this one included.
  var verifiedAt: Timestamp?
  /// The playing times of its tracks; nil if the user did not ask for them or they are unknown.
  var times: TrackTimes?
  /// The row received from the pipe; its unknown fields are passed on.
  var received = JSONObject()
  private let now: Timestamp

  /// Creates the row of a file.
  ///
  /// - Parameter now: the current time, for relative times.
  init(
    id: String, rev: Int64, part: String, role: PartRole, _ result: OperationResult, now: Timestamp
  ) {
    self.id = id
    self.rev = rev
    self.part = part
    self.role = role
    self.result = result
    self.now = now
  }

  var stage: String { "verify" }

  func value(_ field: VerificationField) -> RowValue {
    switch field {
    case .id: .text(id).styled(.strong)
    case .rev: .number(rev)
    case .part: .text(part)
    case .role: .word(role.rawValue)
    case .root: .text(root)
    case .path: .text(path)
    case .relativePath: .text(relativePath)
    case .verdict:
      .word(verdict?.rawValue, style).shown(Cell(verdict?.rawValue ?? result?.name ?? ""))
    case .segments:
      .object(
        .array(segments.map { .integer(Int64($0)) }),
        text: segments.map { String($0) }.joined(separator: ","))
    case .size: .bytes(size)
    case .sha256: .text(sha256?.hex)
    case .proof: .word(proof?.rawValue)
    case .verifiedAt: .time(verifiedAt, relativeTo: now, absent: "never").styled(.dim)
    case .tracks:
      .object(
        (times?.tracks).map { .array($0.map { .object(Self.record(of: $0)) }) },
        text: times?.tracks.map(Self.exact).joined(separator: ",") ?? ""
      ).shown(Cell(times?.text ?? ""))
    case .declared: .duration(times?.declared)
    case .outcome: outcome
    case .code: errorCode
    case .message: errorMessage
    }
  }

  /// Formats one line: verdict, id, part, playing times, path.
  func line(_ terminal: TerminalFacts) -> String? {
    Self.line(cell(.verdict), width: 11, texts: [id, part, times?.text, path], on: terminal)
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
  static let known = EpisodeJSON.known.union(VerificationField.allCases.map(\.rawValue))

  private var style: TextStyle {
    switch verdict {
    case .intact: .success
    case .damaged, .missing: .failure
    case .moved, .unreachable: .warning
    case nil: .plain
    }
  }
}
