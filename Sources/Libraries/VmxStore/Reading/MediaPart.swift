import VmxJSON
package import VmxModel

/// What a record says of one file of an episode.
package struct MediaPart: Sendable, Equatable {
  /// Its name within the episode, such as `subtitle:en`.
  package let name: String
  /// What it is for.
  package let role: PartRole
  /// How far it has come.
  package let state: PartState
  /// The state beneath `waiting` and `failed`.
  package let resumeState: PartState?
  /// UUID of the root that holds or will hold the file.
  package let root: String?
  /// Path of the file below its root.
  package let path: String?
  /// Bytes of the whole.
  package let size: ByteCount?
  /// SHA-256 of the whole.
  package let sha256: Digest?
  /// How far the bytes are trusted.
  package let proof: Proof?
  /// When the bytes were last found to be right.
  package let proven: Timestamp?
  /// SHA-256 of the bytes as they came, where another form of them is kept.
  package let original: Digest?

  /// The same of a whole part.
  package init(_ part: Part) {
    name = part.name
    role = part.role
    state = part.state
    resumeState = part.resumeState
    root = part.root
    path = part.path
    size = part.size
    sha256 = part.sha256
    proof = part.proof
    proven = part.proven
    original = part.original?.sha256
  }

  /// Copies it out of the line of an episode.
  init(_ outline: PartFields) {
    let fields = outline.fields
    let word = fields.role
    role = PartRole.allCases.first { word?.equals($0.name) ?? false } ?? .video
    name = outline.name(role)
    state = outline.state
    resumeState = fields.resumeState.flatMap { PartStateName.state(of: $0) }
    root = fields.root?.string
    path = fields.path?.string
    size = outline.size
    sha256 = fields.sha256.flatMap { Self.digest($0) }
    proof = fields.proof?.string.flatMap { Proof(rawValue: $0) }
    proven = fields.proven?.string.flatMap { Timestamp($0) }
    original = fields.original?.field("sha256").flatMap { Self.digest($0) }
  }

  private static func digest(_ value: JSONTape) -> Digest? {
    value.utf8.flatMap { Hex.bytes(ofASCII: $0) }.flatMap { Digest(.sha256, bytes: $0) }
  }
}

extension PartFields {
  fileprivate func name(_ role: PartRole) -> String {
    guard let language = fields.language?.string else { return role.rawValue }
    var part = Part(role: role, language: language, variants: [])
    part.isForced = fields.forced?.bool ?? false
    part.isSDH = fields.sdh?.bool ?? false
    return part.name
  }
}

extension PartRole {
  fileprivate var name: StaticString {
    switch self {
    case .video: "video"
    case .subtitle: "subtitle"
    case .image: "image"
    case .metadata: "metadata"
    case .key: "key"
    }
  }
}
