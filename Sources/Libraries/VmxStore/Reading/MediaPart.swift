import VmxJSON
package import VmxModel

/// The recorded facts about one file of an episode.
package struct MediaPart: Sendable, Equatable {
  /// The name of the part within the episode, such as `subtitle:en`.
  package let name: String
  /// The role of the part.
  package let role: PartRole
  /// The state of the part.
  package let state: PartState
  /// The state to resume from after `waiting` or `failed`.
  package let resumeState: PartState?
  /// The UUID of the root that holds or will hold the file.
  package let root: String?
  /// The path of the file relative to its root.
  package let path: String?
  /// The size of the file.
  package let size: ByteCount?
  /// The SHA-256 of the file.
  package let sha256: Digest?
  /// The strength of the proof that the bytes are right.
  package let proof: Proof?
  /// The time of the last successful verification.
  package let proven: Timestamp?
  /// The SHA-256 of the received bytes, if the file is kept in a converted form.
  package let original: Digest?

  /// Copies the facts of a decoded part.
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

  /// Copies the facts from the line of an episode.
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
