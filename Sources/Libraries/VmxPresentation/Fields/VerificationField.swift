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
      FieldKey(.text, "The path of the file; absolute if the root is known", fitting: .end)
    case .relativePath: FieldKey(.text, "The path relative to the root", fitting: .end)
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
    JSONKey(
      "tracks[].type", .word, meaning: "The type as reported by ffprobe, such as video or audio"),
    JSONKey("tracks[].duration_ms", .milliseconds, meaning: "The duration of the track"),
  ]
}
