package import SystemPackage
package import VmxModel
import VmxNaming
package import VmxSystem

// Programs that save videos write what they know into the container: iTunes metadata in MP4 files
// (`moov/udta/meta/ilst`), and `Tags` in Matroska files. yt-dlp writes the page's URL as the
// comment or as `PURL`, and the day as YYYYMMDD.

/// The description of an episode in the container of its video.
///
///     let tags = try MediaTags(of: OpenFile(path, .readOnly))
///     if let title = tags.title { … }
package struct MediaTags: Sendable, Equatable {
  /// The longest text that is read, in bytes.
  private static let maxLength: Int64 = 64 << 10

  /// The title of the episode.
  package private(set) var title: String?
  /// The title of the show.
  package private(set) var show: String?
  /// The season.
  package private(set) var season: Int64?
  /// The number within the season.
  package private(set) var number: Int64?
  /// The day of publication; nil for a year alone.
  package private(set) var date: CalendarDay?
  /// The description of the content.
  package private(set) var summary: String?
  /// The URL of the page from which the video was saved.
  package private(set) var page: WebURL?
  /// The URL from which the file was saved, by its extended attributes.
  package private(set) var source: WebURL?
  /// The playing time by the container, in milliseconds.
  package private(set) var duration: Int64?

  /// Reads the tags of an MP4 or Matroska file; none of a file of another format, or of a damaged
  /// one. What the container lacks is taken from the extended attributes of the file.
  ///
  /// - Throws: `FileError.failed`, usually of `.read`.
  package init(of file: borrowing OpenFile) throws(FileError) {
    try self.init(of: file.descriptor, named: file.path, size: file.facts().size)
    readAttributes(of: file.path)
  }

  /// Reads the tags of a file whose descriptor stays open during the call.
  ///
  /// - Throws: `FileError.failed`, usually of `.read`.
  package init(
    of descriptor: FileDescriptor, named path: FilePath, size: Int64
  ) throws(FileError) {
    let bytes = MediaBytes(descriptor, path, size: size)
    do throws(WalkError) {
      let kind = MediaKind.sniff(try bytes.piece(at: 0, count: MediaKind.sniffLength))
      duration = try bytes.duration(of: kind)
      switch kind {
      case .mp4, .quicktime, .threeGP, .m4a: try readItems(of: bytes)
      case .matroska, .webm: try readElements(of: bytes)
      default: break
      }
    } catch {
      // Of a damaged file, the tags before the damage are used; the structure check reports it.
      if case .failed(let error) = error { throw error }
    }
  }

  /// Sets the field that a tag names, unless an earlier tag has set it.
  private mutating func set(_ name: String, _ text: String) {
    let text = text.replacing("\0", with: "").trimmed
    guard !text.isEmpty else { return }
    switch name {
    case "TITLE": title = title ?? text
    case "SHOW": show = show ?? text
    case "SEASON_NUMBER": season = season ?? natural(text)
    case "EPISODE_SORT": number = number ?? natural(text)
    case "DATE", "DATE_RELEASED": date = date ?? Self.day(text)
    case "SYNOPSIS": summary = text
    case "DESCRIPTION": summary = summary ?? text
    case "PURL", "COMMENT": page = page ?? Self.page(text)
    default: break
    }
  }

  private func natural(_ text: String) -> Int64? { Int64(text).flatMap { $0 >= 0 ? $0 : nil } }

  /// Returns the day of `20240503`, `2024-05-03` and `2024-05-03T07:00:00Z`.
  private static func day(_ text: String) -> CalendarDay? {
    let digits = text.prefix(8)
    if digits.count == 8, text.count == 8, digits.utf8.allSatisfy(\.isASCIIDigit) {
      let parts = [digits.prefix(4), digits.dropFirst(4).prefix(2), digits.suffix(2)]
      return CalendarDay(ofProgram: parts.joined(separator: "-"))
    }
    return CalendarDay(ofProgram: text)
  }

  /// Returns the URL if the text is nothing else.
  private static func page(_ text: String) -> WebURL? {
    guard WebURL.isMeant(by: text), !text.contains(where: \.isWhitespace) else { return nil }
    do throws(Failure) {
      return try WebURL(text)
    } catch {
      // A remark that looks like a URL leads to no page.
      return nil
    }
  }
}

/// The extended attributes of files ("Common Extended Attributes" of freedesktop.org). curl, wget
/// and browsers write the URL of a file, yt-dlp the title, the day and the text.
extension MediaTags {
  /// The attribute with the URL of the file.
  package static let sourceAttribute = "user.xdg.origin.url"
  private static let titleAttribute = "user.dublincore.title"
  private static let names = [
    (titleAttribute, "TITLE"), ("user.dublincore.date", "DATE"),
    ("user.dublincore.description", "DESCRIPTION"),
  ]

  /// Returns the URL from which a file was saved; nil if its attributes have none.
  package static func source(of path: FilePath) -> WebURL? { url(sourceAttribute, of: path) }

  private mutating func readAttributes(of path: FilePath) {
    source = Self.source(of: path)
    for (attribute, field) in Self.names {
      guard let text = Self.text(attribute, of: path) else { continue }
      set(field, text)
    }
    // That of a browser is a page of many files; yt-dlp, which writes the title too, has the page
    // of the video.
    guard Self.text(Self.titleAttribute, of: path) != nil,
      let referrer = Self.url("user.xdg.referrer.url", of: path)
    else { return }
    // For a bare file yt-dlp has no other page than the URL of the file.
    if CompanionFileName.isVideo(referrer.fileExtension) {
      source = source ?? referrer
    } else {
      page = page ?? referrer
    }
  }

  private static func text(_ attribute: String, of path: FilePath) -> String? {
    extendedAttribute(attribute, of: path, upTo: Int(maxLength)).flatMap {
      String(validating: $0, as: UTF8.self)
    }
  }

  /// Returns the URL in an attribute; nil for other text and for a URL with no origin to fetch
  /// from, as `file:` and `data:`.
  private static func url(_ attribute: String, of path: FilePath) -> WebURL? {
    text(attribute, of: path).flatMap(page)
  }
}

/// The metadata of MP4 files.
extension MediaTags {
  /// The names of the fields by those of the items; a copyright sign becomes U+FFFD.
  private static let items = [
    "\u{FFFD}nam": "TITLE", "tvsh": "SHOW", "tvsn": "SEASON_NUMBER", "tves": "EPISODE_SORT",
    "\u{FFFD}day": "DATE", "desc": "DESCRIPTION", "ldes": "SYNOPSIS", "\u{FFFD}cmt": "COMMENT",
    "purl": "PURL",
  ]

  private mutating func readItems(of bytes: MediaBytes) throws(WalkError) {
    let file = 0..<bytes.size
    guard let index = try Self.child("moov", in: file, of: bytes) else { return }
    var duration: Int64?
    try Self.forEachBox(in: index, of: bytes) { box throws(WalkError) in
      if box.type == "mvhd" { duration = try MovieIndex.duration(in: box, of: bytes) }
      return duration == nil
    }
    self.duration = duration
    guard let user = try Self.child("udta", in: index, of: bytes),
      let meta = try Self.child("meta", in: user, of: bytes),
      // The version and flags of `meta` precede its boxes.
      let list = try Self.child(
        "ilst", in: min(meta.lowerBound + 4, meta.upperBound)..<meta.upperBound, of: bytes)
    else { return }
    try Self.forEachBox(in: list, of: bytes) { item throws(WalkError) in
      if let name = Self.items[item.type],
        let data = try Self.child("data", in: item.body..<item.end, of: bytes), data.count > 8
      {
        try read(name, data, of: bytes)
      }
      return true
    }
  }

  /// Reads a value after its type: 1 for UTF-8, 21 for an integer.
  private mutating func read(
    _ name: String, _ data: Range<Int64>, of bytes: MediaBytes
  ) throws(WalkError) {
    let type = try bytes.number(at: data.lowerBound, bytes: 4)
    let start = data.lowerBound + 8
    let length = Int(min(data.upperBound - start, Self.maxLength))
    if type == 21 || type == 0, (1...8).contains(length) {
      if let number = try bytes.number(at: start, bytes: length) { set(name, "\(number)") }
    } else if type == 1 {
      set(name, String(decoding: try bytes.piece(at: start, count: length), as: UTF8.self))
    }
  }

  /// Returns the content of the first box of a type.
  private static func child(
    _ type: String, in range: Range<Int64>, of bytes: MediaBytes
  ) throws(WalkError) -> Range<Int64>? {
    var found: Range<Int64>?
    try forEachBox(in: range, of: bytes) { box throws(WalkError) in
      if box.type == type { found = box.body..<box.end }
      return found == nil
    }
    return found
  }

  private static func forEachBox(
    in range: Range<Int64>, of bytes: MediaBytes,
    _ body: (Box) throws(WalkError) -> Bool
  ) throws(WalkError) {
    var offset = range.lowerBound
    while let box = try Box(bytes, at: offset, in: range.upperBound), box.end > offset,
      box.body <= box.end, box.end <= range.upperBound
    {
      guard try body(box) else { return }
      offset = box.end
    }
  }
}

/// The tags of Matroska files.
extension MediaTags {
  private enum ID {
    static let segment: UInt64 = 0x1853_8067
    static let info: UInt64 = 0x1549_A966
    static let title: UInt64 = 0x7BA9
    static let tags: UInt64 = 0x1254_C367
    static let tag: UInt64 = 0x7373
    static let simpleTag: UInt64 = 0x67C8
    static let name: UInt64 = 0x45A3
    static let text: UInt64 = 0x4487
  }

  private mutating func readElements(of bytes: MediaBytes) throws(WalkError) {
    try forEachElement(in: 0..<bytes.size, of: bytes) { tags, element throws(WalkError) in
      guard element.id == ID.segment else { return }
      let segment = element.body..<(element.end ?? bytes.size)
      try tags.forEachElement(in: segment, of: bytes) { tags, element throws(WalkError) in
        guard let end = element.end else { return }
        switch element.id {
        case ID.info:
          tags.duration = try ElementWalk(bytes).playingTime(in: element)
          try tags.readInfo(element.body..<end, of: bytes)
        case ID.tags: try tags.readTags(element.body..<end, of: bytes)
        default: break
        }
      }
    }
  }

  private mutating func readInfo(
    _ info: Range<Int64>, of bytes: MediaBytes
  ) throws(WalkError) {
    try forEachElement(in: info, of: bytes) { tags, element throws(WalkError) in
      if element.id == ID.title { tags.set("TITLE", try Self.text(of: element, in: bytes)) }
    }
  }

  private mutating func readTags(
    _ range: Range<Int64>, of bytes: MediaBytes
  ) throws(WalkError) {
    try forEachElement(in: range, of: bytes) { tags, tag throws(WalkError) in
      guard tag.id == ID.tag, let end = tag.end else { return }
      try tags.forEachElement(in: tag.body..<end, of: bytes) { tags, simple throws(WalkError) in
        guard simple.id == ID.simpleTag, let end = simple.end else { return }
        var (name, text) = ("", "")
        try tags.forEachElement(in: simple.body..<end, of: bytes) { _, field throws(WalkError) in
          if field.id == ID.name { name = try Self.text(of: field, in: bytes) }
          if field.id == ID.text { text = try Self.text(of: field, in: bytes) }
        }
        tags.set(name.uppercased(), text)
      }
    }
  }

  private static func text(
    of element: Element, in bytes: MediaBytes
  ) throws(WalkError) -> String {
    let length = Int(min((element.end ?? element.body) - element.body, maxLength))
    return String(decoding: try bytes.piece(at: element.body, count: length), as: UTF8.self)
  }

  /// Calls the body with each element of a range, up to the first one whose length is unknown.
  private mutating func forEachElement(
    in range: Range<Int64>, of bytes: MediaBytes,
    _ body: (inout MediaTags, Element) throws(WalkError) -> Void
  ) throws(WalkError) {
    var offset = range.lowerBound
    while offset < range.upperBound, let element = try Element(bytes, at: offset) {
      if let end = element.end, end > range.upperBound { return }
      try body(&self, element)
      guard let end = element.end, end > offset else { return }
      offset = end
    }
  }
}
