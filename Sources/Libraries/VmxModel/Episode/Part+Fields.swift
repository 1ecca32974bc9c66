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

extension Variant: FieldRecord {
  /// The fields of a variant in the store.
  package enum Field: String, RecordField {
    case height, bitrate, type, size, sha256, duration, sources
  }

  package static let fields = FieldSet<Field>(Field.allCases)
  package static var blank: Variant { Variant(sources: []) }

  package mutating func code<C: FieldCoder>(
    _ field: Field, _ coder: inout C
  ) throws(C.Problem) {
    switch field {
    case .height: try coder.field(&height)
    case .bitrate: try coder.field(&bitrate)
    case .type: try coder.field(&type)
    case .size: try coder.field(&size)
    case .sha256: try coder.field(&sha256)
    case .duration: try coder.field(&duration, .duration)
    case .sources: try coder.field(&sources, absent: [])
    }
  }
}

extension Source: FieldRecord {
  /// The fields of a source in the store.
  package enum Field: String, RecordField { case url, secret, failed, foreign }

  package static let fields = FieldSet<Field>(Field.allCases)
  package static var blank: Source { Source(url: "") }

  package mutating func code<C: FieldCoder>(
    _ field: Field, _ coder: inout C
  ) throws(C.Problem) {
    switch field {
    case .url: try coder.field(&url, absent: "")
    case .secret: try coder.field(&secret)
    case .failed:
      var name = failure?.rawValue
      try coder.field(&name)
      failure = name.flatMap(ErrorCode.init)
    case .foreign: try coder.field(&isForeign, omitting: false)
    }
  }
}

extension OriginalFile: FieldValue {
  package static let expected = "an object with a digest and a size"

  package static func decode(
    _ value: some JSONSource, in context: RecordContext
  ) throws(Failure) -> OriginalFile? {
    guard let object = value.value.object else { return nil }
    let fields = FieldReader(object, in: context)
    guard let sha256 = try fields.sha256("sha256"), let size = try fields.byteCount("size") else {
      return nil
    }
    return OriginalFile(
      sha256: sha256, size: size, encoding: try fields.string("encoding") ?? "")
  }

  package var json: JSONValue {
    .object(
      JSONObject(distinct: [
        ("sha256", sha256.json), ("size", size.json), ("encoding", encoding.json),
      ]))
  }
}

extension DamagedFile: FieldValue {
  package static let expected = "an object that identifies a file"

  package static func decode(
    _ value: some JSONSource, in context: RecordContext
  ) throws(Failure) -> DamagedFile? {
    guard let object = value.value.object else { return nil }
    let fields = FieldReader(object, in: context)
    guard let inode = try fields.integer("inode"), let held = try fields.integer("held"),
      let modified = try fields.integer("modified")
    else { return nil }
    return DamagedFile(
      sha256: try fields.sha256("sha256"), size: try fields.byteCount("size"),
      inode: UInt64(bitPattern: inode), damagedSize: held, modified: modified)
  }

  package var json: JSONValue {
    var object = JSONObject()
    object.append("sha256", sha256?.json)
    object.append("size", size?.json)
    object.append("inode", Int64(bitPattern: inode).json)
    object.append("held", damagedSize.json)
    object.append("modified", modified.json)
    return .object(object)
  }
}
