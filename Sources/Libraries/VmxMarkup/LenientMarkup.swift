import VmxModel

// Feeds are malformed in well-known ways: unclosed HTML tags, unquoted attributes, a literal `<` or
// `&`, bytes in another encoding, an unterminated CDATA section. Feed readers display them
// nevertheless. The text is therefore repaired before parsing. The parser receives balanced UTF-8
// text without declarations and comments, and only with the predefined references of XML.
//
// Each byte is inspected a bounded number of times, so the cost is proportional to the length.

/// Repairs the text of a document in pieces.
struct LenientMarkup {
  /// The size of a piece in bytes.
  private static let piece = 32 << 10
  /// The maximum size of a tag in bytes.
  private static let longestTag = 1 << 20
  /// The maximum nesting passed to the parser, which refuses 256 levels.
  private static let deepest = 200
  /// The maximum number of open elements that are tracked, and that one end tag may close.
  private static let maxOpen = 1024

  private let text: UnsafeBufferPointer<UInt8>
  private let deliver: (UnsafeBufferPointer<UInt8>) -> Bool
  private var place = 0
  private var output: [UInt8] = []
  /// The names of the open elements, as ranges of the text.
  private var open: [Range<Int>] = []
  private var hasRoot = false
  private var isStopped = false
  /// The positions after which no CDATA section and no comment is terminated.
  private var endless = (data: Int.max, comment: Int.max)

  /// Creates a repair of text that is UTF-8 except for malformed bytes.
  ///
  /// - Parameter deliver: receives the repaired text in pieces; returns false to stop.
  init(_ text: UnsafeBufferPointer<UInt8>, deliver: @escaping (UnsafeBufferPointer<UInt8>) -> Bool)
  {
    self.text = text
    self.deliver = deliver
    output.reserveCapacity(2 * Self.piece)
  }

  /// Repairs the text up to the end of its root element.
  mutating func run() {
    while place < text.count, !isStopped, !(hasRoot && open.isEmpty) {
      switch text[place] {
      case UInt8(ascii: "<"): markup()
      case UInt8(ascii: "&"): reference()
      case 0x80...: character()
      default: plain()
      }
      if output.count >= Self.piece { flush() }
    }
    close(downTo: 0)
    flush()
  }

  private mutating func flush() {
    guard !output.isEmpty, !isStopped else { return }
    isStopped = !output.withUnsafeBufferPointer { deliver($0) }
    output.removeAll(keepingCapacity: true)
  }

  private mutating func add(_ text: StaticString) {
    output.append(
      contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }
}

// Text.
extension LenientMarkup {
  private mutating func plain() {
    let start = place
    let end = min(text.count, place + Self.piece)
    while place < end {
      let byte = text[place]
      if byte == UInt8(ascii: "<") || byte == UInt8(ascii: "&") || byte >= 0x80 { break }
      if byte < 0x20, byte != 0x09, byte != 0x0A, byte != 0x0D { break }
      place += 1
    }
    if hasRoot { output.append(contentsOf: text[start..<place]) }
    // A control character, which XML forbids, is skipped.
    if place == start { place += 1 }
  }

  /// Adds a non-ASCII character. A byte that is not valid UTF-8 is read as Windows-1252.
  private mutating func character() {
    let length = MarkupEncoding.sequenceLength(in: text, at: place)
    if length > 0 {
      if hasRoot { output.append(contentsOf: text[place..<place + length]) }
      place += length
    } else {
      if hasRoot { Self.append(Windows1252.scalar(text[place]), to: &output) }
      place += 1
    }
  }

  /// Adds the reference at `place`: unchanged, as its character, or as a literal ampersand.
  private mutating func reference() {
    guard let reference = CharacterReference(text[place...]) else { return ampersand() }
    switch reference.kind {
    case .predefined: output.append(contentsOf: text[place..<place + reference.length])
    case .named(let scalar): Self.append(scalar, to: &output)
    case .number(let number):
      guard let scalar = CharacterReference.scalar(of: number) else { return ampersand() }
      Self.append(scalar, to: &output)
    }
    place += reference.length
  }

  private mutating func ampersand() {
    add("&amp;")
    place += 1
  }

  /// Appends a character, escaped for the parser.
  private static func append(_ scalar: Unicode.Scalar, to output: inout [UInt8]) {
    switch scalar {
    case "<": output.append(contentsOf: "&lt;".utf8)
    case ">": output.append(contentsOf: "&gt;".utf8)
    case "&": output.append(contentsOf: "&amp;".utf8)
    case "\"": output.append(contentsOf: "&quot;".utf8)
    default: output.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
    }
  }
}

// Tags.
extension LenientMarkup {
  private func isAt(_ word: StaticString, _ position: Int? = nil) -> Bool {
    let position = position ?? place
    guard position + word.utf8CodeUnitCount <= text.count else { return false }
    for index in 0..<word.utf8CodeUnitCount where text[position + index] != word.utf8Start[index] {
      return false
    }
    return true
  }

  /// Returns the first position of a word between `start` and `limit`; nil if it is not found.
  private func find(_ word: StaticString, from start: Int, limit: Int = .max) -> Int? {
    var position = start
    let end = min(text.count, limit)
    while position < end {
      if text[position] == word.utf8Start[0], isAt(word, position) { return position }
      position += 1
    }
    return nil
  }

  private mutating func markup() {
    if isAt("<![CDATA[") {
      data()
    } else if isAt("<!--") {
      let end = place < endless.comment ? find("-->", from: place + 4) : nil
      if end == nil { endless.comment = min(endless.comment, place) }
      place = end.map { $0 + 3 } ?? place + 4
    } else if isAt("<?") {
      let end = find("?>", from: place + 2, limit: place + Self.piece)
      place = end.map { $0 + 2 } ?? place + 2
    } else if isAt("<!") {
      declaration()
    } else if isAt("</") {
      endTag()
    } else if place + 1 < text.count, Self.startsName(text[place + 1]) {
      startTag()
    } else {
      if hasRoot { add("&lt;") }
      place += 1
    }
  }

  /// Skips a document type with its internal subset, so that no entity is declared.
  private mutating func declaration() {
    var depth = 0
    var quote: UInt8?
    let end = min(text.count, place + Self.longestTag)
    while place < end {
      let byte = text[place]
      place += 1
      if let open = quote {
        if byte == open { quote = nil }
      } else {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "'"): quote = depth > 0 ? byte : nil
        case UInt8(ascii: "["): depth += 1
        case UInt8(ascii: "]"): depth -= 1
        case UInt8(ascii: ">") where depth <= 0: return
        default: break
        }
      }
    }
  }

  /// Adds a CDATA section as text. If its end is missing, or belongs to a later section, the
  /// section ends with its element.
  private mutating func data() {
    let start = place + 9
    var end = start < endless.data ? find("]]>", from: start) : nil
    if end == nil { endless.data = min(endless.data, start) }
    var next = end.map { $0 + 3 } ?? text.count
    let later = end.flatMap { find("<![CDATA[", from: start, limit: $0) }
    if end == nil || later != nil, let name = open.last {
      var position = start
      while let tag = find("</", from: position, limit: later ?? text.count) {
        if hasName(text[name], at: tag + 2) {
          (end, next) = (tag, tag)
          break
        }
        position = tag + 2
      }
    }
    let content = start..<min(max(start, end ?? text.count), text.count)
    place = content.lowerBound
    while place < content.upperBound, !isStopped {
      switch text[place] {
      case UInt8(ascii: "<"): add("&lt;")
      case UInt8(ascii: ">"): add("&gt;")
      case UInt8(ascii: "&"): add("&amp;")
      case 0x80...:
        character()
        place -= 1
      case 0x09, 0x0A, 0x0D, 0x20...: if hasRoot { output.append(text[place]) }
      default: break
      }
      place += 1
      if output.count >= Self.piece { flush() }
    }
    place = next
  }

  private func hasName(_ name: Slice<UnsafeBufferPointer<UInt8>>, at position: Int) -> Bool {
    position + name.count < text.count
      && text[position..<position + name.count].elementsEqual(name)
      && !Self.isName(text[position + name.count])
  }

  private static func startsName(_ byte: UInt8) -> Bool {
    byte >= 0x80 || byte == UInt8(ascii: "_") || byte == UInt8(ascii: ":")
      || byte.isASCIIAlphanumeric && byte > UInt8(ascii: "9")
  }

  private static func isName(_ byte: UInt8) -> Bool {
    startsName(byte) || byte.isASCIIAlphanumeric || byte == UInt8(ascii: "-")
      || byte == UInt8(ascii: ".")
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte <= 0x20 }

  /// Advances past a name and returns it.
  private mutating func name() -> Range<Int> {
    let start = place
    while place < text.count, Self.isName(text[place]) { place += 1 }
    return start..<place
  }

  private mutating func skipSpace() {
    while place < text.count, Self.isSpace(text[place]) { place += 1 }
  }

  private mutating func startTag() {
    let (mark, end) = (output.count, min(text.count, place + Self.longestTag))
    place += 1
    let name = name()
    let isGiven = open.count < Self.deepest
    output.append(UInt8(ascii: "<"))
    output.append(contentsOf: text[name])
    var closesItself = false
    while true {
      skipSpace()
      guard place < end else {
        // A truncated tag is dropped.
        output.removeSubrange(mark...)
        return
      }
      if text[place] == UInt8(ascii: ">") { break }
      closesItself = text[place] == UInt8(ascii: "/")
      if Self.startsName(text[place]) { attribute(end) } else { place += 1 }
    }
    place += 1
    hasRoot = true
    if closesItself { add("/>") } else { add(">") }
    if !isGiven { output.removeSubrange(mark...) }
    if !closesItself, open.count < Self.maxOpen { open.append(name) }
    if closesItself, open.isEmpty { place = text.count }
  }

  /// Adds the attribute at `place`, quoted. An attribute without a value gets an empty one.
  private mutating func attribute(_ end: Int) {
    output.append(UInt8(ascii: " "))
    output.append(contentsOf: text[name()])
    add("=\"")
    defer { add("\"") }
    skipSpace()
    guard place < end, text[place] == UInt8(ascii: "=") else { return }
    place += 1
    skipSpace()
    guard place < end else { return }
    let quote = text[place]
    let isQuoted = quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'")
    if isQuoted { place += 1 }
    while place < end {
      let byte = text[place]
      if isQuoted ? byte == quote : Self.isSpace(byte) || byte == UInt8(ascii: ">") { break }
      switch byte {
      case UInt8(ascii: "&"): reference()
      case 0x80...: character()
      case UInt8(ascii: "<"), UInt8(ascii: "\""):
        Self.append(Unicode.Scalar(byte), to: &output)
        place += 1
      default:
        if byte >= 0x20 || [9, 10, 13].contains(byte) { output.append(byte) }
        place += 1
      }
    }
    if isQuoted { place += 1 }
  }

  /// Closes the element that an end tag names, and all open elements within it.
  private mutating func endTag() {
    place += 2
    let name = name()
    while place < text.count, text[place] != UInt8(ascii: ">"), text[place] != UInt8(ascii: "<") {
      place += 1
    }
    if place < text.count, text[place] == UInt8(ascii: ">") { place += 1 }
    let isSame = { (index: Int) in text[open[index]].elementsEqual(text[name]) }
    guard let index = open.indices.suffix(Self.deepest).last(where: isSame) else { return }
    close(downTo: index)
  }

  private mutating func close(downTo index: Int) {
    while open.count > index, let name = open.popLast() {
      guard open.count < Self.deepest else { continue }
      add("</")
      output.append(contentsOf: text[name])
      output.append(UInt8(ascii: ">"))
    }
  }
}
