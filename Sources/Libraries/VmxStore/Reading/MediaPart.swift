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
  package let beneath: PartState?
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
    beneath = part.beneath
    root = part.root
    path = part.path
    size = part.size
    sha256 = part.sha256
    proof = part.proof
    proven = part.proven
    original = part.original?.sha256
  }

  /// Reads it from the object of a part.
  init(_ part: JSONTape) {
    var fields = Fields()
    part.forEachField { key, value in
      fields.take(key, value)
      return true
    }
    let word = fields.role
    role = PartRole.allCases.first { word?.equals($0.name) ?? false } ?? .video
    name = fields.name(role)
    state = fields.state.flatMap { PartStateName.state(of: $0) } ?? .new
    beneath = fields.beneath.flatMap { PartStateName.state(of: $0) }
    root = fields.root?.string
    path = fields.path?.string
    size = fields.size?.integer.flatMap { ByteCount($0) }
    sha256 = fields.sha256.flatMap { Self.digest($0) }
    proof = fields.proof?.string.flatMap { Proof(rawValue: $0) }
    proven = fields.proven?.string.flatMap { Timestamp($0) }
    original = fields.original?.field("sha256").flatMap { Self.digest($0) }
  }

  private static func digest(_ value: JSONTape) -> Digest? {
    value.utf8.flatMap { Hex.bytes(ofASCII: $0) }.flatMap { Digest(.sha256, bytes: $0) }
  }

  private struct Fields {
    var role: JSONTape?
    var language: JSONTape?
    var forced: JSONTape?
    var sdh: JSONTape?
    var state: JSONTape?
    var beneath: JSONTape?
    var root: JSONTape?
    var path: JSONTape?
    var size: JSONTape?
    var sha256: JSONTape?
    var proof: JSONTape?
    var proven: JSONTape?
    var original: JSONTape?

    @inline(__always)
    mutating func take(_ key: JSONTape, _ value: JSONTape) {
      switch key.utf8?.count {
      case 2: if key.equals("at") { beneath = value }
      case 3: if key.equals("sdh") { sdh = value }
      case 4:
        if key.equals("role") { role = value }
        if key.equals("lang") { language = value }
        if key.equals("root") { root = value }
        if key.equals("path") { path = value }
        if key.equals("size") { size = value }
      case 5:
        if key.equals("state") { state = value }
        if key.equals("proof") { proof = value }
      case 6:
        if key.equals("sha256") { sha256 = value }
        if key.equals("proven") { proven = value }
        if key.equals("forced") { forced = value }
      case 8: if key.equals("original") { original = value }
      default: break
      }
    }

    func name(_ role: PartRole) -> String {
      guard let language = language?.string else { return role.rawValue }
      var part = Part(role: role, language: language, variants: [])
      part.isForced = forced?.bool ?? false
      part.isSDH = sdh?.bool ?? false
      return part.name
    }
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
