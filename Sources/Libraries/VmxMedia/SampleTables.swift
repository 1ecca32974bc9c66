import VmxModel

/// Where the samples of one track lie: chunks by their offsets, samples by their sizes.
struct SampleTables {
  /// Codecs of which no frame begins with many zeros, encrypted ones among them.
  private static let compressed: Set<UInt64> = Set(
    [
      "avc1", "avc3", "hvc1", "hev1", "dvh1", "dvhe", "vvc1", "vp08", "vp09", "av01", "mp4v",
      "s263", "encv",
    ].map(fourLetters))
  private static let looks = 16

  /// Whether its samples are pictures that hold something else than zeros, if they hold anything.
  let isCompressedVideo: Bool
  private let chunks: Table
  private let runs: Table?
  private let sizes: Box?

  /// - Parameter boxes: those of the sample table (`stbl`).
  init?(_ boxes: [Box], isVideo: Bool, in bytes: MediaBytes) throws(WalkEnd) {
    func first(_ type: String) -> Box? { boxes.first { $0.type == type } }
    if let short = first("stco") {
      chunks = try Table(short, width: 4, in: bytes)
    } else if let long = first("co64") {
      chunks = try Table(long, width: 8, in: bytes)
    } else {
      return nil
    }
    if let box = first("stsc") { runs = try Table(box, width: 12, in: bytes) } else { runs = nil }
    sizes = first("stsz")
    let entry = try first("stsd").map { box throws(WalkEnd) in
      try bytes.number(at: box.body + 12, bytes: 4) ?? 0
    }
    isCompressedVideo = isVideo && Self.compressed.contains(entry ?? 0)
  }

  /// The first byte behind the chunk that lies farthest behind; 0 where there is none.
  func end(in bytes: MediaBytes) throws(WalkEnd) -> Int64 {
    var last: (chunk: Int64, offset: Int64)?
    for chunk in 0..<chunks.count {
      guard let offset = try chunks.number(chunk, in: bytes) else { break }
      if offset >= last?.offset ?? 0 { last = (chunk, offset) }
    }
    guard let last else { return 0 }
    let end = last.offset.addingReportingOverflow(try length(of: last.chunk, in: bytes))
    return end.overflow ? .max : end.partialValue
  }

  /// The entry of the last chunk, if it is zero: no chunk lies at the very front.
  func gap(in bytes: MediaBytes) throws(WalkEnd) -> Int64? {
    guard chunks.count > 0, try chunks.number(chunks.count - 1, in: bytes) == 0 else { return nil }
    return chunks.offset(chunks.count - 1)
  }

  /// The offset of a chunk that begins with zeros, among some that are spread over the track.
  func emptyChunk(in bytes: MediaBytes) throws(WalkEnd) -> Int64? {
    guard chunks.count > 0 else { return nil }
    let steps = min(Int64(Self.looks), chunks.count - 1)
    for step in 0...steps {
      let chunk = steps == 0 ? 0 : (chunks.count - 1) * step / steps
      guard let offset = try chunks.number(chunk, in: bytes) else { return nil }
      let front = try bytes.piece(at: offset, count: 64)
      if front.count == 64, front.allSatisfy({ $0 == 0 }) { return offset }
    }
    return nil
  }

  /// Bytes of a chunk; 0 where the tables do not say.
  private func length(of chunk: Int64, in bytes: MediaBytes) throws(WalkEnd) -> Int64 {
    guard let sizes, let samples = try samples(of: chunk, in: bytes),
      let common = try bytes.number(at: sizes.body + 4, bytes: 4),
      let count = try bytes.number(at: sizes.body + 8, bytes: 4),
      samples.upperBound <= Int64(count)
    else { return 0 }
    if common > 0 {
      // Sound of one size a sample counts frames, of which the size is not always told right.
      return isCompressedVideo ? Int64(common).multipliedClamped(by: Int64(samples.count)) : 0
    }
    var length: Int64 = 0
    for sample in samples {
      let offset = sizes.body + 12 + 4 * sample
      guard offset + 4 <= sizes.end, let size = try bytes.number(at: offset, bytes: 4) else {
        return 0
      }
      length += Int64(size)
    }
    return length
  }

  /// The numbers of the samples in a chunk, counted from 0; nil where the tables do not say.
  private func samples(of chunk: Int64, in bytes: MediaBytes) throws(WalkEnd) -> Range<Int64>? {
    guard let runs else { return nil }
    var before: Int64 = 0
    for run in 0..<runs.count {
      let entry = runs.offset(run)
      guard let first = try bytes.number(at: entry, bytes: 4).map({ Int64($0) - 1 }),
        let each = try bytes.number(at: entry + 4, bytes: 4).map({ Int64($0) }), first <= chunk
      else { return nil }
      let isLast = run + 1 == runs.count
      let next = isLast ? nil : try bytes.number(at: entry + 12, bytes: 4).map { Int64($0) - 1 }
      if let next, next <= chunk {
        guard next > first, before < 1 << 40 else { return nil }
        before += (next - first) * each
        continue
      }
      before += (chunk - first) * each
      return before < 1 << 40 ? before..<before + each : nil
    }
    return nil
  }
}

/// A box with a count and as many entries of one width.
private struct Table {
  private let box: Box
  /// Entries that lie within the box.
  let count: Int64
  private let width: Int64

  init(_ box: Box, width: Int64, in bytes: MediaBytes) throws(WalkEnd) {
    self.box = box
    self.width = width
    let told = try bytes.number(at: box.body + 4, bytes: 4).map { Int64($0) } ?? 0
    count = max(0, min(told, (box.end - box.body - 8) / width))
  }

  /// Where an entry stands.
  func offset(_ entry: Int64) -> Int64 { box.body + 8 + width * entry }

  /// An entry of one number; nil where it cannot be an offset.
  func number(_ entry: Int64, in bytes: MediaBytes) throws(WalkEnd) -> Int64? {
    try bytes.number(at: offset(entry), bytes: Int(width))
      .flatMap { Int64(exactly: $0) }
  }
}
