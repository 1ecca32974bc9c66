/// The tracks that the index of a movie (`moov`) describes.
struct MovieIndex {
  private static let maxTracks = 64

  /// Whether fragments with their own indexes follow.
  private(set) var announcesFragments = false
  /// The offset of zeros in place of a box or of a chunk offset.
  private(set) var gap: Int64?
  private var tracks: [SampleTables] = []
  private let bytes: MediaBytes

  /// Walks an index whose box lies within the file.
  init(_ bytes: MediaBytes, _ moov: Box) throws(WalkEnd) {
    self.bytes = bytes
    for box in try boxes(in: moov) {
      if box.type == "mvex" { announcesFragments = true }
      guard box.type == "trak", tracks.count < Self.maxTracks else { continue }
      if let track = try track(box) { tracks.append(track) }
    }
    for track in tracks where gap == nil { gap = try track.gap(in: bytes) }
  }

  /// Returns the offset of the first byte after all video and audio samples.
  func end() throws(WalkEnd) -> Int64 {
    var end: Int64 = 0
    for track in tracks { end = max(end, try track.end(in: bytes)) }
    return end
  }

  /// Returns the offset of a chunk of compressed video that contains only zeros.
  func emptyChunk() throws(WalkEnd) -> Int64? {
    for track in tracks where track.isCompressedVideo {
      if let offset = try track.emptyChunk(in: bytes) { return offset }
    }
    return nil
  }

  /// Returns the child boxes of a box, up to the first position without one.
  private mutating func boxes(in parent: Box) throws(WalkEnd) -> [Box] {
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
    if rest.count > 8, rest.allSatisfy({ $0 == 0 }) { gap = gap ?? offset }
    return boxes
  }

  private mutating func child(_ type: String, of parent: Box?) throws(WalkEnd) -> Box? {
    guard let parent else { return nil }
    return try boxes(in: parent).first { $0.type == type }
  }

  /// Returns the sample tables of a video or audio track whose samples lie in this file.
  private mutating func track(_ trak: Box) throws(WalkEnd) -> SampleTables? {
    let media = try child("mdia", of: trak)
    guard let handler = try child("hdlr", of: media),
      let kind = try bytes.number(at: handler.body + 8, bytes: 4),
      let table = try child("minf", of: media)
    else { return nil }
    let isVideo = kind == fourLetters("vide")
    guard isVideo || kind == fourLetters("soun"), try isHere(table),
      let samples = try child("stbl", of: table)
    else { return nil }
    return try SampleTables(boxes(in: samples), isVideo: isVideo, in: bytes)
  }

  /// Whether the only data reference of the track points to this file.
  private mutating func isHere(_ table: Box) throws(WalkEnd) -> Bool {
    let places = try child("dinf", of: table)
    guard let references = try child("dref", of: places) else { return true }
    guard try bytes.number(at: references.body + 4, bytes: 4) == 1,
      let flags = try bytes.number(at: references.body + 16, bytes: 4)
    else { return false }
    return flags & 1 == 1
  }
}

/// Converts four letters to the number that their bytes form.
func fourLetters(_ letters: String) -> UInt64 {
  letters.utf8.reduce(0) { $0 << 8 | UInt64($1) }
}
