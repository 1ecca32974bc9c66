package import VmxModel

/// The fields of a verification in listings.
package enum VerificationField: String, ListingField {
  case id, rev, part, role, root, path
  case relativePath = "relative_path"
  case verdict = "answer", segments, size, sha256, proof, verifiedAt = "proven", tracks
  case declared = "declared_ms"
  case outcome, code, message

  package static let defaultFields: [VerificationField] = [.id, .part, .verdict, .size, .path]
  package static let recorded = allCases.filter { ![.outcome, .code, .message].contains($0) }
  /// The default fields if the user asked for the playing times of tracks.
  package static let timed: [VerificationField] = [.id, .part, .verdict, .tracks, .size, .path]

  package var key: FieldKey {
    switch self {
    case .id: FieldKey(.text, "The id of the episode")
    case .rev: FieldKey(.number, "The revision of the compared record")
    case .part: FieldKey(.text, "The name of the part")
    case .role: FieldKey(.word, "video, subtitle, image, metadata or key")
    case .root: FieldKey(.text, "The UUID of the root")
    case .path:
      FieldKey(.text, "The path of the file; absolute if the root is known", .end)
    case .relativePath: FieldKey(.text, "The path relative to the root", .end)
    case .verdict: FieldKey(.word, "intact, damaged, missing, moved or unreachable")
    case .segments: FieldKey(.list, "The damaged segments of 4 MiB, counted from 0")
    case .size: FieldKey(.bytes, "The recorded size")
    case .sha256: FieldKey(.text, "The recorded SHA-256 in hexadecimal")
    case .proof: FieldKey(.word, "The level of proof of the bytes: vmx-store(5)")
    case .verifiedAt:
      FieldKey(.time, "The time of the last verification, including this one")
    case .tracks:
      FieldKey(.list, "The tracks of the file; with --probe", keys: Self.trackKeys)
    case .declared: FieldKey(.milliseconds, "The declared duration of the file")
    case .outcome: .outcome
    case .code: .errorCode
    case .message: .errorMessage
    }
  }

  private static let trackKeys = [
    JSONKey("tracks[].type", .word, "The type as reported by ffprobe, such as video or audio"),
    JSONKey("tracks[].duration_ms", .milliseconds, "The duration of the track"),
  ]
}

/// The result of verifying one file of an episode, as a row of output.
package struct VerificationRow: ResultRow {
  /// The episode.
  package let id: String
  /// The sequence number (`seq`) of the record that was compared.
  package let rev: Int64
  /// The name of the part.
  package let part: String
  /// The role of the part.
  package let role: PartRole
  /// The result, as the next command in the pipe reads it.
  package let result: OperationResult?
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

  package var stage: String { "verify" }

  package func value(_ field: VerificationField) -> RowValue {
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
  package static let known = EpisodeJSON.known.union(VerificationField.allCases.map(\.rawValue))

  private var style: TextStyle {
    switch verdict {
    case .intact: .success
    case .damaged, .missing: .failure
    case .moved, .unreachable: .warning
    case nil: .plain
    }
  }
}
