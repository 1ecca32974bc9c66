/// What a part is for.
package enum PartRole: String, Sendable, CaseIterable {
  case video, subtitle, image, metadata
  /// An opaque licence key; its file has mode 0600.
  case key
}

/// One file of an episode, with its own state.
package struct Part: Sendable, Equatable {
  /// What it is for.
  package var role: PartRole
  /// Language as BCP 47, for subtitles.
  package var language: String?
  /// Subtitles only for what is said in another language.
  package var isForced = false
  /// Subtitles that also tell what is heard.
  package var isSDH = false
  /// Whether the episode is `ready` only with this part.
  package var isRequired: Bool
  /// How far it has come.
  package var state: PartState = .new
  /// The state beneath `waiting` and `failed`, to go on from.
  package var resumeState: PartState?
  /// Why it failed or waits.
  package var code: ErrorCode?
  /// What failed, in the words of the moment, without secrets.
  package var message: String?
  /// What it waits for.
  package var reason: WaitReason?
  /// When waiting ends by itself.
  package var until: Timestamp?
  /// UUID of the root that holds or will hold the file.
  package var root: String?
  /// Path of the file below its root, once it has a name.
  package var path: String?
  /// Bytes of the whole, once known.
  package var size: ByteCount?
  /// SHA-256 of the whole, as found in the bytes here.
  package var sha256: Digest?
  /// The bytes as they came, where another form of them is kept; `size` and `sha256` are of that.
  package var original: OriginalFile?
  /// The damaged file at its path that is to be replaced by a sound one, while that is made.
  package var repairs: DamagedFile?
  /// How far the bytes here are trusted.
  package var proof: Proof?
  /// When the bytes here were last found to be right.
  package var proven: Timestamp?
  /// The files it may be, in order of preference; the first is taken unless one was chosen.
  package var variants: [Variant]
  /// Which of several variants was chosen, by `Variant.key`; nil for the first.
  package var chosen: String?
  /// Fields of other versions, kept as they are.
  package var extra = JSONObject()

  /// A new part; the video is required, nothing else is by itself.
  package init(role: PartRole, language: String? = nil, variants: [Variant]) {
    self.role = role
    self.language = language
    isRequired = role == .video
    self.variants = variants
  }

  /// Its name within the episode: `video`, `subtitle:en`, `subtitle:en.forced`, `image`.
  package var name: String {
    guard let language else { return role.rawValue }
    return "\(role.rawValue):\(language)\(isForced ? ".forced" : "")\(isSDH ? ".sdh" : "")"
  }
}
