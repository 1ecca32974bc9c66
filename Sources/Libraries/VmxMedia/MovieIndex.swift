import VmxModel

/// The tracks that the index of a movie (`moov`) describes.
struct MovieIndex {
  private static let maxTracks = 64

  /// Whether fragments with their own indexes follow.
  private(set) var announcesFragments = false
  /// The playing time in milliseconds; nil if the header (`mvhd`) states none.
  private(set) var duration: Int64?
  private var tracks: [SampleTables] = []
  private let bytes: MediaBytes

  /// Walks an index whose box lies within the file; zeros in place of a box or of a chunk offset
  /// are a fault.
  init(_ bytes: MediaBytes, _ moov: Box) throws(WalkError) {
    self.bytes = bytes
    for box in try boxes(in: moov) {
      if box.type == "mvex" { announcesFragments = true }
      if box.type == "mvhd" { duration = try Self.duration(in: box, of: bytes) }
      guard box.type == "trak", tracks.count < Self.maxTracks else { continue }
      if let track = try track(box) { tracks.append(track) }
    }
    for track in tracks { try track.checkLastChunk(in: bytes) }
  }

  /// Returns the offset of the first byte after all video and audio samples.
  func end() throws(WalkError) -> Int64 {
    var end: Int64 = 0
    for track in tracks { end = max(end, try track.end(in: bytes)) }
    return end
  }

  /// Returns the end of the media data in which the last chunk of a track begins and does not end;
  /// nil if there is none.
  func overrun(of media: [Range<Int64>]) throws(WalkError) -> Int64? {
    for track in tracks {
      guard let last = try track.lastChunk(in: bytes),
        let data = media.first(where: { $0.contains(last.lowerBound) })
      else { continue }
      if last.upperBound > data.upperBound { return data.upperBound }
    }
    return nil
  }

  /// Returns the playing time that the header of an index (`mvhd`) states, in milliseconds.
  static func duration(in header: Box, of bytes: MediaBytes) throws(WalkError) -> Int64? {
    let isLong = try bytes.byte(at: header.body) == 1
    let start = header.body + (isLong ? 20 : 12)
    guard header.end >= start + (isLong ? 12 : 8),
      let scale = try bytes.number(at: start, bytes: 4), scale > 0,
      let units = try bytes.number(at: start + 4, bytes: isLong ? 8 : 4), units > 0,
      units < (isLong ? 1 << 50 : 0xFFFF_FFFF)
    else { return nil }
    return Int64(units) * 1000 / Int64(scale)
  }

  /// Returns the offset of a chunk of compressed video that contains only zeros.
  func emptyChunk() throws(WalkError) -> Int64? {
    for track in tracks where track.isCompressedVideo {
      if let offset = try track.emptyChunk(in: bytes) { return offset }
    }
    return nil
  }

  /// Returns the child boxes of a box, up to the first position without one.
  private func boxes(in parent: Box) throws(WalkError) -> [Box] {
    var boxes: [Box] = []
    var offset = parent.body
    while boxes.count < 1024, let box = try Box(bytes, at: offset, in: parent.end),
      box.end <= parent.end
    {
      boxes.append(box)
      offset = box.end
    }
    // QuickTime may end a container box with four zeros.
    let rest = try bytes.piece(at: offset, count: Int(min(parent.end - offset, 4096)))
    if rest.count > 8, rest.allSatisfy({ $0 == 0 }) { throw .broken(.zeros, at: offset) }
    return boxes
  }

  private func child(_ type: String, of parent: Box?) throws(WalkError) -> Box? {
    guard let parent else { return nil }
    return try boxes(in: parent).first { $0.type == type }
  }

  /// Returns the sample tables of a video or audio track whose samples lie in this file.
  private func track(_ trak: Box) throws(WalkError) -> SampleTables? {
    let media = try child("mdia", of: trak)
    guard let handler = try child("hdlr", of: media),
      let kind = try bytes.number(at: handler.body + 8, bytes: 4),
      let table = try child("minf", of: media)
    else { return nil }
    let isVideo = kind == fourCC("vide")
    guard isVideo || kind == fourCC("soun"), try isSelfContained(table),
      let samples = try child("stbl", of: table)
    else { return nil }
    return try SampleTables(boxes(in: samples), isVideo: isVideo, in: bytes)
  }

  /// Whether the only data reference of the track points to this file.
  private func isSelfContained(_ table: Box) throws(WalkError) -> Bool {
    let places = try child("dinf", of: table)
    guard let references = try child("dref", of: places) else { return true }
    guard try bytes.number(at: references.body + 4, bytes: 4) == 1,
      let flags = try bytes.number(at: references.body + 16, bytes: 4)
    else { return false }
    return flags & 1 == 1
  }
}

/// Converts four letters to the number that their bytes form.
func fourCC(_ letters: String) -> UInt64 {
  letters.utf8.reduce(0) { $0 << 8 | UInt64($1) }
}

/// The positions of the samples of one track: chunks by their offsets, samples by their sizes.
struct SampleTables {
  /// The codecs of which no frame begins with many zeros, including encrypted ones.
  private static let compressed: Set<UInt64> = Set(
    [
      "avc1", "avc3", "hvc1", "hev1", "dvh1", "dvhe", "vvc1", "vp08", "vp09", "av01", "mp4v",
      "s263", "encv",
    ].map(fourCC))
  /// The number of chunks that `emptyChunk` samples.
  private static let sampled = 16

  /// Whether the samples are compressed video, so that a chunk of only zeros means missing data.
  let isCompressedVideo: Bool
  private let chunks: Table
  private let runs: Table?
  private let sizes: Box?

  /// - Parameter boxes: the children of the sample table (`stbl`).
  init?(_ boxes: [Box], isVideo: Bool, in bytes: MediaBytes) throws(WalkError) {
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
    let entry = try first("stsd").map { box throws(WalkError) in
      try bytes.number(at: box.body + 12, bytes: 4) ?? 0
    }
    isCompressedVideo = isVideo && Self.compressed.contains(entry ?? 0)
  }

  /// Returns the offset of the first byte after the last chunk in the file; 0 if there are no
  /// chunks.
  func end(in bytes: MediaBytes) throws(WalkError) -> Int64 {
    try lastChunk(in: bytes)?.upperBound ?? 0
  }

  /// Returns the bytes of the last chunk in the file; nil if there are no chunks.
  func lastChunk(in bytes: MediaBytes) throws(WalkError) -> Range<Int64>? {
    var last: (chunk: Int64, offset: Int64)?
    for chunk in 0..<chunks.count {
      guard let offset = try chunks.number(chunk, in: bytes) else { break }
      if offset >= last?.offset ?? 0 { last = (chunk, offset) }
    }
    guard let last else { return nil }
    let end = last.offset.addingReportingOverflow(try length(of: last.chunk, in: bytes))
    return last.offset..<(end.overflow ? .max : end.partialValue)
  }

  /// Checks that the last chunk's entry is not zero: no chunk lies at offset 0.
  func checkLastChunk(in bytes: MediaBytes) throws(WalkError) {
    let last = chunks.count - 1
    guard last >= 0, try chunks.number(last, in: bytes) == 0 else { return }
    throw .broken(.zeros, at: chunks.offset(last))
  }

  /// Returns the offset of a chunk that begins with zeros, among a sample of chunks across the
  /// track.
  func emptyChunk(in bytes: MediaBytes) throws(WalkError) -> Int64? {
    guard chunks.count > 0 else { return nil }
    let steps = min(Int64(Self.sampled), chunks.count - 1)
    for step in 0...steps {
      let chunk = steps == 0 ? 0 : (chunks.count - 1) * step / steps
      guard let offset = try chunks.number(chunk, in: bytes) else { return nil }
      let front = try bytes.piece(at: offset, count: 64)
      if front.count == 64, front.allSatisfy({ $0 == 0 }) { return offset }
    }
    return nil
  }

  /// Returns the length of a chunk in bytes; 0 if the tables do not contain it.
  private func length(of chunk: Int64, in bytes: MediaBytes) throws(WalkError) -> Int64 {
    guard let sizes, let samples = try samples(of: chunk, in: bytes),
      let common = try bytes.number(at: sizes.body + 4, bytes: 4),
      let count = try bytes.number(at: sizes.body + 8, bytes: 4),
      samples.upperBound <= Int64(count)
    else { return 0 }
    if common > 0 {
      // For audio with one sample size the table counts frames, whose size is often wrong.
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

  /// Returns the indexes of the samples in a chunk, from 0; nil if the tables do not contain them.
  private func samples(of chunk: Int64, in bytes: MediaBytes) throws(WalkError) -> Range<Int64>? {
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

/// A box with a count and that many entries of equal width.
private struct Table {
  private let box: Box
  /// The number of entries that lie within the box.
  let count: Int64
  private let width: Int64

  init(_ box: Box, width: Int64, in bytes: MediaBytes) throws(WalkError) {
    self.box = box
    self.width = width
    let announced = try bytes.number(at: box.body + 4, bytes: 4).map { Int64($0) } ?? 0
    count = max(0, min(announced, (box.end - box.body - 8) / width))
  }

  /// Returns the file offset of an entry.
  func offset(_ entry: Int64) -> Int64 { box.body + 8 + width * entry }

  /// Returns an entry of one number; nil if it cannot be an offset.
  func number(_ entry: Int64, in bytes: MediaBytes) throws(WalkError) -> Int64? {
    try bytes.number(at: offset(entry), bytes: Int(width))
      .flatMap { Int64(exactly: $0) }
  }
}
