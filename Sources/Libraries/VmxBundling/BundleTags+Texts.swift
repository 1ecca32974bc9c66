import VmxArchive
import VmxMarkup
import VmxModel

extension BundleTags {
  /// Buffers small pieces of a text up to 256 KiB before it passes them on.
  private struct Collector {
    private static let maxBytes = 256 << 10
    private var bytes: [UInt8] = []
    private let output: Output

    init(_ output: @escaping Output) {
      self.output = output
      bytes.reserveCapacity(Self.maxBytes)
    }

    mutating func append(_ body: (inout [UInt8]) -> Void) throws {
      body(&bytes)
      if bytes.count >= Self.maxBytes { try flush() }
    }

    mutating func append(_ object: JSONObject) throws {
      try append { bytes in
        JSONWriter.append(object, to: &bytes)
        bytes.append(UInt8(ascii: "\n"))
      }
    }

    mutating func flush() throws {
      try bytes.withUnsafeBytes(output)
      bytes.removeAll(keepingCapacity: true)
    }
  }

  /// Writes the manifest lines of planned and other files, sorted by the bytes of their paths. A
  /// planned file overrides another one with the same path.
  ///
  /// - Parameter others: the other files, sorted in the same order.
  static func writeManifest(
    of planned: PlannedFiles, _ others: some Collection<(path: String, digest: Digest)>,
    to output: Output
  ) throws {
    try withoutActuallyEscaping(output) { output in
      var text = Collector(output)
      func append(_ path: String, _ digest: Digest) throws {
        let line = BagManifestLine(PathBytes(path), digest.bytes)
        try text.append { $0 += line.text.utf8 }
      }
      var rest = others.makeIterator()
      var next = rest.next()
      for file in planned.lazy.map(\.file) {
        while let other = next, other.path.utf8.lexicographicallyPrecedes(file.path.utf8) {
          try append(other.path, other.digest)
          next = rest.next()
        }
        if let other = next, other.path.utf8.elementsEqual(file.path.utf8) { next = rest.next() }
        try append(file.path, file.sha256)
      }
      while let other = next {
        try append(other.path, other.digest)
        next = rest.next()
      }
      try text.flush()
    }
  }

  /// Writes the records of planned and other episodes, sorted by id, and then the records of their
  /// shows. A planned episode overrides another one with the same id.
  static func writeRecords(
    of plan: BundlePlan, _ others: EarlierRecords, to output: Output
  ) throws {
    try withoutActuallyEscaping(output) { output in
      var text = Collector(output)
      try forEachRecord(of: plan, others) { try text.append($0) }
      var slugs = Set(plan.entries.lazy.map(\.id.show))
      slugs.formUnion(others.ids.lazy.compactMap { EpisodeID(valid: $0)?.show })
      for slug in slugs.sorted() {
        for record in try plan.records(ofShow: slug) { try text.append(record) }
      }
      try text.flush()
    }
  }

  /// Writes a playlist of the videos of planned and other episodes, sorted by id.
  static func writePlaylist(
    of plan: BundlePlan, _ others: EarlierRecords, to output: Output
  ) throws {
    try withoutActuallyEscaping(output) { output in
      var text = Collector(output)
      try text.append { $0 += PlaylistEntry.header.utf8 }
      try forEachRecord(of: plan, others) { record in
        guard let entry = BundleRecord.playlistEntry(of: record) else { return }
        try text.append { $0 += entry.text.utf8 }
      }
      try text.flush()
    }
  }

  /// Calls the closure with the records of planned and other episodes, sorted by id. A planned
  /// episode overrides another one with the same id.
  private static func forEachRecord(
    of plan: BundlePlan, _ others: EarlierRecords, _ body: (JSONObject) throws -> Void
  ) throws {
    let ids = others.ids
    var rest = ids[...]
    for entry in plan.entries {
      let id = entry.id.description
      while let other = rest.first, other.utf8.lexicographicallyPrecedes(id.utf8) {
        if let record = try others.record(other) { try body(record) }
        rest.removeFirst()
      }
      if rest.first == id { rest.removeFirst() }
      try body(plan.record(of: entry))
    }
    for other in rest { if let record = try others.record(other) { try body(record) } }
  }

  static func writeSources(of plan: BundlePlan, to output: Output) throws {
    try withoutActuallyEscaping(output) { output in
      var text = Collector(output)
      for placed in plan.remotes {
        let line = BagFetchLine(
          PathBytes(placed.file.path), url: try plan.url(of: placed), size: placed.file.size.bytes)
        try text.append { $0 += line.text.utf8 }
      }
      try text.flush()
    }
  }

  static func writeList(of volumes: [EpisodeID: Int], to output: Output) throws {
    try withoutActuallyEscaping(output) { output in
      var text = Collector(output)
      for (id, volume) in volumes.sorted(by: { $0.key < $1.key }) {
        try text.append(
          JSONObject(distinct: [
            ("schema", 1), ("id", .string(id.description)), ("volume", .integer(Int64(volume))),
          ]))
      }
      try text.flush()
    }
  }
}
