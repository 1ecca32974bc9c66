/// The result of a transfer.
package struct FoundBytes: Sendable, Equatable {
  /// The size of the whole file in bytes.
  package let size: ByteCount
  /// The SHA-256 of the whole file.
  package let sha256: Digest
  /// The strength of the evidence for the bytes.
  package let proof: Proof
  /// The SHA-256 of each 4 MiB segment in order; empty if the segments were not digested.
  package let segments: [Digest]
  /// The source version of the bytes; nil if they did not come from a single source.
  package let version: FetchedVersion?
  /// The URL of the source of the bytes; nil if they did not come from a single source.
  package var source: String?
  /// The charset that the server declared for a text.
  package var charset: String?
  /// The file that was read, so that no other file is published under its path; nil if unknown.
  package var file: FileIdentity?

  /// Creates a result.
  package init(
    size: ByteCount, sha256: Digest, proof: Proof, segments: [Digest] = [], source: String? = nil,
    version: FetchedVersion? = nil
  ) {
    self.version = version
    self.size = size
    self.sha256 = sha256
    self.proof = proof
    self.segments = segments
    self.source = source
  }
}

/// A file of a running system, whatever its path: its device and its inode (stat(2)). Some file
/// systems in user space give a file another inode each time that it is opened.
package struct FileIdentity: Sendable, Equatable {
  /// The device number.
  package let device: UInt64
  /// The inode number on the device.
  package let inode: UInt64

  /// Creates an identity.
  package init(device: UInt64, inode: UInt64) {
    self.device = device
    self.inode = inode
  }
}

/// A verified partial file, and the name under which it will be published.
package struct CheckedBytes: Sendable, Equatable {
  /// The verified bytes.
  package let found: FoundBytes
  /// The root that will hold the file.
  package let root: String
  /// The path below the root under which the file will be published.
  package let path: String
  /// The received file, if `found` describes a converted form that is kept instead.
  package let original: OriginalFile?
  /// The playing time that the container states, in milliseconds; nil if it states none.
  package let duration: Int64?
  /// The fault of the container; nil if there is none.
  package let fault: ContainerFault?

  /// Creates a result.
  package init(
    found: FoundBytes, root: String, path: String, original: OriginalFile? = nil,
    duration: Int64? = nil, fault: ContainerFault? = nil
  ) {
    self.original = original
    self.duration = duration
    self.fault = fault
    self.found = found
    self.root = root
    self.path = path
  }
}

/// A fault in the structure of a video file.
package struct ContainerFault: Sendable, Equatable {
  /// The fault as a clause, with the file as its subject.
  package let text: String
  /// Whether the file lacks bytes that its source may have later, as during an upload.
  package let isIncomplete: Bool

  /// Creates a fault.
  package init(_ text: String, isIncomplete: Bool) {
    self.text = text
    self.isIncomplete = isIncomplete
  }
}

/// The published location of a file.
package struct PlacedFile: Sendable, Equatable {
  /// The path below the root.
  package let path: String
  /// The time when its bytes were read back and matched; nil if they were only hashed while
  /// received.
  package let verifiedAt: Timestamp?

  /// Creates the location of a file at a path below the root.
  package init(path: String, verifiedAt: Timestamp? = nil) {
    self.path = path
    self.verifiedAt = verifiedAt
  }
}

/// The bytes of a part as received, if the part is stored in converted form.
///
/// The file is in the root's folder `.vmx/originals`, named by its digest.
package struct OriginalFile: Sendable, Equatable {
  /// The SHA-256 of the received file; a published digest describes these bytes.
  package var sha256: Digest
  /// The size of the received file in bytes.
  package var size: ByteCount
  /// The text encoding, as an iconv name.
  package var encoding: String

  /// Creates the description of a received file.
  package init(sha256: Digest, size: ByteCount, encoding: String) {
    self.sha256 = sha256
    self.size = size
    self.encoding = encoding
  }
}

/// The identity of a damaged file when its repair began.
///
/// The repair replaces only this exact file, never a file that another program has put at its path.
package struct DamagedFile: Sendable, Equatable {
  /// The SHA-256 of the bytes that replace it. Nil if its recorded bytes are broken themselves: any
  /// file of sound structure then replaces it.
  package var sha256: Digest?
  /// The size of the bytes that replace it; nil like their digest.
  package var size: ByteCount?
  /// The inode number on its device.
  package var inode: UInt64
  /// The size of the damaged file in bytes.
  package var damagedSize: Int64
  /// The time of the last change of its bytes, in nanoseconds since the epoch.
  package var modified: Int64

  /// Creates the identity of an inspected file.
  package init(
    sha256: Digest?, size: ByteCount?, inode: UInt64, damagedSize: Int64, modified: Int64
  ) {
    self.sha256 = sha256
    self.size = size
    self.inode = inode
    self.damagedSize = damagedSize
    self.modified = modified
  }
}

/// The version of the source bytes, so that later requests can request the rest of the same
/// version.
package struct FetchedVersion: Sendable, Equatable {
  /// `StableHash` of the source's URL; the URL itself may contain tokens.
  package var source: UInt64
  /// `ETag` as received.
  package var etag: String?
  /// `Last-Modified` as received.
  package var lastModified: String?
  /// `Date` of the response that carried them.
  package var date: String?

  /// Creates a version of a source.
  package init(source: UInt64, etag: String?, lastModified: String?, date: String?) {
    self.source = source
    self.etag = etag
    self.lastModified = lastModified
    self.date = date
  }

  /// Decodes the version from the fields of a sidecar; nil if they contain none.
  package init?(in object: JSONObject) {
    guard let source = object["source"]?.string.flatMap({ UInt64($0, radix: 16) }) else {
      return nil
    }
    self.init(
      source: source, etag: object["etag"]?.string, lastModified: object["last_modified"]?.string,
      date: object["date"]?.string)
  }

  /// Appends the fields of this version.
  package func append(to object: inout JSONObject) {
    object.append("source", Hex.text(of: source))
    object.append("etag", etag)
    object.append("last_modified", lastModified)
    object.append("date", date)
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
