/// One file of an episode, with its own state.
package struct Part: NamedPart, Sendable, Equatable {
  /// The name of the part, by which it is found in its episode.
  package var partName: PartName
  /// Whether the episode is `ready` only with this part.
  package var isRequired: Bool
  /// The state of the part.
  package var state: PartState = .new
  /// The state to resume from after `waiting` or `failed`.
  package var resumeState: PartState?
  /// The error code of the failure or wait.
  package var code: ErrorCode?
  /// The summary of the failure as reported at that time, without secrets.
  package var message: String?
  /// The reason for waiting.
  package var reason: WaitReason?
  /// The time at which waiting ends by itself.
  package var until: Timestamp?
  /// The UUID of the root that holds or will hold the file.
  package var root: String?
  /// The path of the file relative to its root, once it has a name.
  package var path: String?
  /// The size of the whole file in bytes, once known.
  package var size: ByteCount?
  /// The SHA-256 of the whole file, computed from the local bytes.
  package var sha256: Digest?
  /// The received file, where the part is stored in converted form; `size` and `sha256` describe
  /// the converted form.
  package var original: OriginalFile?
  /// The damaged file at the part's path that a running repair will replace.
  package var repairs: DamagedFile?
  /// The level of trust in the local bytes.
  package var proof: Proof?
  /// The time of the last successful verification of the local bytes.
  package var verifiedAt: Timestamp?
  /// The alternative files in order of preference; the first is used unless another was chosen.
  package var variants: [Variant]
  /// The `Variant.key` of the chosen variant; nil for the first.
  package var chosen: String?
  /// Unknown fields of other versions, kept unchanged.
  package var extra = JSONObject()

  /// The role of the part; not by way of the protocol, since every row of a list reads it.
  package var role: PartRole {
    get { partName.role }
    set { partName.role = newValue }
  }

  /// Creates a new part; only a video is required by default.
  package init(role: PartRole, language: String? = nil, variants: [Variant]) {
    self.init(PartName(role: role, language: language), variants: variants)
  }

  /// Creates a new part with a name; only a video is required by default.
  package init(_ name: PartName, variants: [Variant]) {
    partName = name
    isRequired = name.role == .video
    self.variants = variants
  }

  /// Whether its publisher has given the digest of these bytes, so that they are as intended
  /// whatever their structure.
  package func isPublished(_ digest: Digest?) -> Bool {
    digest != nil && variants.contains { $0.sha256 == digest }
  }

  /// The SHA-256 of the file as it was received, also if it is stored in converted form.
  package var receivedDigest: Digest? { original?.sha256 ?? sha256 }
}

/// One part of an episode, as an operation processes it.
///
///     var work = EpisodePart(episode, at: 0)
///     work.part.size = found.size
package struct EpisodePart: Sendable, Equatable {
  /// The episode as it was last recorded, with the changes of the operation.
  package var episode: Episode
  /// The index of the part among those of the episode.
  package let index: Int

  /// Creates a reference to a part; the index must be one of the episode's.
  package init(_ episode: Episode, at index: Int) {
    self.episode = episode
    self.index = index
  }

  /// The part.
  package var part: Part {
    get { episode.parts[index] }
    set { episode.parts[index] = newValue }
  }
}

/// Verifies and publishes the bytes of a part, the same for every source.
///
/// Every call may be repeated after a crash, with the record as it was before the call.
package protocol PartFinishing: Sendable {
  /// Inspects the file of a damaged part before its repair.
  ///
  /// - Returns: nil if no file is at its path.
  /// - Throws: `repair-refused` if no digest of the expected bytes is known.
  func damage(of part: EpisodePart) throws -> DamagedFile?
  /// Returns the fault of the published file's container; nil if there is none.
  func fault(of part: EpisodePart) throws -> ContainerFault?
  /// Sets the bytes of the partial file aside, and returns the time from which another request may
  /// show whether the source has the whole file.
  func reject(_ part: EpisodePart) throws -> Timestamp
  /// Verifies the whole partial file: length, digest, container.
  ///
  /// - Parameter found: the result of a transfer in this process; nil after a crash.
  func check(_ part: EpisodePart, _ found: FoundBytes?) throws -> CheckedBytes
  /// Publishes the checked file under its recorded name, durable on return.
  ///
  /// - Parameter file: the file that was checked; nil after a crash.
  /// - Returns: nil if another file has that name, or the record has none.
  /// - Throws: `part-lost` if another file with other bytes is at the path of the checked one.
  func publish(_ part: EpisodePart, checked file: FileIdentity?) throws -> PlacedFile?
  /// Writes the sidecar of a changed episode, durable on return.
  ///
  /// - Parameter found: the received bytes of the parts whose segments were digested, by part name.
  /// - Returns: the error of a failed write, which does not fail the episode. The store has all
  ///   essential data, and `vmx verify` writes the sidecar again.
  func writeSidecar(_ episode: Episode, found: [String: FoundBytes]) -> Failure?
}

/// Removes the files of a part.
package protocol PartRemoving: Sendable {
  /// Removes all files of the part from the library, durable on return; missing files are ignored.
  func remove(_ part: EpisodePart) throws
}

extension Part {
  /// Records received bytes that are complete in the partial file of a root, or at the path of the
  /// damaged file. The caller sets the state.
  package mutating func recordBytes(_ found: FoundBytes, root: String) {
    self.root = root
    size = found.size
    sha256 = found.sha256
    // A repaired file has the bytes that were verified before, so its proof is unchanged.
    if repairs == nil { proof = found.proof }
    original = nil
  }
}

extension Episode {
  /// The ready subtitles that a player opens: of a VobSub pair only the index, through which it
  /// finds the pictures.
  package var playableSubtitles: [Part] {
    let ready = parts.filter { $0.role == .subtitle && $0.state == .ready }
    return ready.filter { part in
      var index = part.partName
      (index.isIndex, index.format) = (true, nil)
      let isPictures = part.path?.lowercased().hasSuffix(".\(SubtitleFormat.sub.rawValue)") ?? false
      return part.isIndex || !isPictures || !ready.contains { $0.name == index.text }
    }
  }

  /// Whether a part is ready with these bytes.
  package func hasPart(_ part: String, _ sha256: Digest?) -> Bool {
    parts.contains { $0.name == part && $0.state == .ready && $0.sha256 == sha256 }
  }
}

extension Part: FieldRecord {
  /// The fields of a part in the store, in the order in which they are written.
  package enum Field: String, RecordField {
    case role, lang, forced, sdh, index, format, required, state
    case resumeState = "at"
    case code, message, reason, until, root, path, size, sha256, proof, verifiedAt = "proven",
      original, repairs
    case chosen, variants
  }

  /// The fields that make up the name of a part.
  package static let nameFields: [Field] = [.role, .lang, .forced, .sdh, .index, .format]

  package static let fields = FieldSet<Field>(Field.allCases)
  package static var blank: Part { Part(role: .video, variants: []) }
  package static func fields(in context: RecordContext) -> FieldSet<Field> { context.partFields }

  package mutating func code<C: FieldCoder>(
    _ field: Field, _ coder: inout C
  ) throws(C.Problem) {
    switch field {
    case .role: try coder.field(&partName.role, absent: .video)
    case .lang: try coder.field(&partName.language, .languageTag)
    case .forced: try coder.field(&partName.isForced, omitting: false)
    case .sdh: try coder.field(&partName.isSDH, omitting: false)
    case .index: try coder.field(&partName.isIndex, omitting: false)
    case .format: try coder.field(&partName.format)
    case .required: try coder.field(&isRequired, omitting: partName.role == .video)
    case .state: try coder.field(&state, absent: .new)
    case .resumeState: try coder.field(&resumeState)
    case .code:
      var name = code?.rawValue
      try coder.field(&name)
      code = name.flatMap(ErrorCode.init)
      // A code of a later version is unknown here; it is kept until the part resumes.
      if let name, code == nil { extra[Field.code.rawValue] = .string(name) }
    case .message: try coder.field(&message)
    case .reason: try coder.field(&reason)
    case .until: try coder.field(&until)
    case .root: try coder.field(&root)
    case .path: try coder.field(&path, .path)
    case .size: try coder.field(&size)
    case .sha256: try coder.field(&sha256)
    case .proof: try coder.field(&proof)
    case .verifiedAt: try coder.field(&verifiedAt)
    case .original: try coder.field(&original)
    case .repairs: try coder.field(&repairs)
    case .chosen: try coder.field(&chosen)
    case .variants: try coder.field(&variants, absent: [])
    }
  }

  package var writtenExtra: JSONObject {
    code == nil && resumeState != nil ? extra : extra.without([Field.code.rawValue])
  }
}
