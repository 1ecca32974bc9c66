import VmxJSON
package import VmxModel

/// A view of an episode's line with the fields that concern its files; it copies nothing.
///
/// It is valid only within the call that passes it.
package struct MediaFields {
  let id: UnsafeBufferPointer<UInt8>
  let seq: JSONTape?
  let want: JSONTape?
  let keep: JSONTape?
  let watched: JSONTape?
  let expires: JSONTape?
  private let parts: JSONTape?

  /// Reads a line; nil if it is not of an episode or removes it.
  init?(_ line: JSONTape) {
    var fields = Fields()
    line.forEachField { key, value in
      fields.take(key, value)
      return true
    }
    guard fields.isEpisode, !fields.deletes, let id = fields.id?.utf8, EpisodeID.isValid(id) else {
      return nil
    }
    self.id = id
    seq = fields.seq
    want = fields.want
    keep = fields.keep
    watched = fields.watched
    expires = fields.expires
    parts = fields.parts
  }

  /// Calls the body with each part, in order, until the body returns false.
  @inline(__always)
  package func forEachPart(_ body: (PartFields) -> Bool) {
    parts?.forEachElement { part in
      part.isObject ? body(PartFields(part)) : true
    }
  }

  private struct Fields {
    var isEpisode = false
    var deletes = false
    var id: JSONTape?
    var seq: JSONTape?
    var want: JSONTape?
    var keep: JSONTape?
    var watched: JSONTape?
    var expires: JSONTape?
    var parts: JSONTape?

    @inline(__always)
    mutating func take(_ key: JSONTape, _ value: JSONTape) {
      switch key.utf8?.count {
      case 2: if key.equals("id") { id = value }
      case 3: if key.equals("seq") { seq = value }
      case 4:
        if key.equals("kind") { isEpisode = value.equals("episode") }
        if key.equals("want") { want = value }
        if key.equals("keep") { keep = value }
      case 5: if key.equals("parts") { parts = value }
      case 7:
        if key.equals("watched") { watched = value }
        if key.equals("expires") { expires = value }
        if key.equals("deleted") { deletes = value.bool ?? false }
      default: break
      }
    }
  }
}

/// A view of one part in the line of an episode, valid as long as the view of the episode.
package struct PartFields {
  let fields: Fields

  init(_ part: JSONTape) {
    var fields = Fields()
    part.forEachField { key, value in
      fields.take(key, value)
      return true
    }
    self.fields = fields
  }

  /// The state of the part.
  package var state: PartState { fields.state.flatMap { PartStateName.state(of: $0) } ?? .new }
  /// The UUID of the root that holds or will hold the file.
  package var root: UnsafeBufferPointer<UInt8>? { fields.root?.utf8 }
  /// The path of the file relative to its root.
  package var path: UnsafeBufferPointer<UInt8>? { fields.path?.utf8 }
  /// Whether its file is below its root and its language is a tag; a record with anything else is
  /// damaged.
  package var isSound: Bool {
    path.map { PathBytes.leadsBelow($0) } ?? true
      && fields.language?.utf8.map { LanguageTag.isTag($0) } ?? true
  }
  /// Bytes of the whole.
  package var size: ByteCount? { fields.size?.integer.flatMap { ByteCount(ofFile: $0) } }

  struct Fields {
    var role: JSONTape?
    var language: JSONTape?
    var forced: JSONTape?
    var sdh: JSONTape?
    var state: JSONTape?
    var resumeState: JSONTape?
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
      case 2: if key.equals("at") { resumeState = value }
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
  }
}
