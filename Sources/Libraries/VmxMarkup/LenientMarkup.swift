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
  private static let maxTagLength = 1 << 20
  /// The maximum nesting passed to the parser, which refuses 256 levels.
  private static let maxDepth = 200
  /// The maximum number of open elements that are tracked, and that one end tag may close.
  private static let maxOpen = 1024

  private let text: UnsafeBufferPointer<UInt8>
  private let deliver: (UnsafeBufferPointer<UInt8>) -> Bool
  private var cursor = 0
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
    while cursor < text.count, !isStopped, !(hasRoot && open.isEmpty) {
      switch text[cursor] {
      case UInt8(ascii: "<"): markup()
      case UInt8(ascii: "&"): reference()
      case 0x80...: character()
      default: copyText()
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
  private mutating func copyText() {
    let start = cursor
    let end = min(text.count, cursor + Self.piece)
    while cursor < end {
      let byte = text[cursor]
      if byte == UInt8(ascii: "<") || byte == UInt8(ascii: "&") || byte >= 0x80 { break }
      if byte < 0x20, byte != 0x09, byte != 0x0A, byte != 0x0D { break }
      cursor += 1
    }
    if hasRoot { output.append(contentsOf: text[start..<cursor]) }
    // A control character, which XML forbids, is skipped.
    if cursor == start { cursor += 1 }
  }

  /// Adds a non-ASCII character. A byte that is not valid UTF-8 is read as Windows-1252.
  private mutating func character() {
    let length = MarkupEncoding.sequenceLength(in: text, at: cursor)
    if length > 0 {
      if hasRoot { output.append(contentsOf: text[cursor..<cursor + length]) }
      cursor += length
    } else {
      if hasRoot { Self.append(Windows1252.scalar(text[cursor]), to: &output) }
      cursor += 1
    }
  }

  /// Adds the reference at `cursor`: unchanged, as its character, or as a literal ampersand.
  private mutating func reference() {
    guard let reference = CharacterReference(text[cursor...]) else { return ampersand() }
    switch reference.kind {
    case .predefined: output.append(contentsOf: text[cursor..<cursor + reference.length])
    case .named(let scalar): Self.append(scalar, to: &output)
    case .number(let number):
      if let pair = reference.pair(in: text[cursor...]) {
        Self.append(pair.scalar, to: &output)
        cursor += pair.length
        return
      }
      guard let scalar = CharacterReference.scalar(of: number) else { return ampersand() }
      Self.append(scalar, to: &output)
    }
    cursor += reference.length
  }

  private mutating func ampersand() {
    add("&amp;")
    cursor += 1
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
    let position = position ?? cursor
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
      let end = cursor < endless.comment ? find("-->", from: cursor + 4) : nil
      if end == nil { endless.comment = min(endless.comment, cursor) }
      cursor = end.map { $0 + 3 } ?? cursor + 4
    } else if isAt("<?") {
      let end = find("?>", from: cursor + 2, limit: cursor + Self.piece)
      cursor = end.map { $0 + 2 } ?? cursor + 2
    } else if isAt("<!") {
      declaration()
    } else if isAt("</") {
      endTag()
    } else if cursor + 1 < text.count, Self.startsName(text[cursor + 1]) {
      startTag()
    } else {
      if hasRoot { add("&lt;") }
      cursor += 1
    }
  }

  /// Skips a document type with its internal subset, so that no entity is declared.
  private mutating func declaration() {
    var depth = 0
    var quote: UInt8?
    let end = min(text.count, cursor + Self.maxTagLength)
    while cursor < end {
      let byte = text[cursor]
      cursor += 1
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
    let start = cursor + 9
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
    cursor = content.lowerBound
    while cursor < content.upperBound, !isStopped {
      switch text[cursor] {
      case UInt8(ascii: "<"): add("&lt;")
      case UInt8(ascii: ">"): add("&gt;")
      case UInt8(ascii: "&"): add("&amp;")
      case 0x80...:
        character()
        cursor -= 1
      case 0x09, 0x0A, 0x0D, 0x20...: if hasRoot { output.append(text[cursor]) }
      default: break
      }
      cursor += 1
      if output.count >= Self.piece { flush() }
    }
    cursor = next
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
    let start = cursor
    while cursor < text.count, Self.isName(text[cursor]) { cursor += 1 }
    return start..<cursor
  }

  private mutating func skipSpace() {
    while cursor < text.count, Self.isSpace(text[cursor]) { cursor += 1 }
  }

  private mutating func startTag() {
    let (mark, end) = (output.count, min(text.count, cursor + Self.maxTagLength))
    cursor += 1
    let name = name()
    let isGiven = open.count < Self.maxDepth
    output.append(UInt8(ascii: "<"))
    output.append(contentsOf: text[name])
    var closesItself = false
    while true {
      skipSpace()
      guard cursor < end else {
        // A truncated tag is dropped.
        output.removeSubrange(mark...)
        return
      }
      if text[cursor] == UInt8(ascii: ">") { break }
      closesItself = text[cursor] == UInt8(ascii: "/")
      if Self.startsName(text[cursor]) { attribute(end) } else { cursor += 1 }
    }
    cursor += 1
    hasRoot = true
    if closesItself { add("/>") } else { add(">") }
    if !isGiven { output.removeSubrange(mark...) }
    if !closesItself, open.count < Self.maxOpen { open.append(name) }
    if closesItself, open.isEmpty { cursor = text.count }
  }

  /// Adds the attribute at `cursor`, quoted. An attribute without a value gets an empty one.
  private mutating func attribute(_ end: Int) {
    output.append(UInt8(ascii: " "))
    output.append(contentsOf: text[name()])
    add("=\"")
    defer { add("\"") }
    skipSpace()
    guard cursor < end, text[cursor] == UInt8(ascii: "=") else { return }
    cursor += 1
    skipSpace()
    guard cursor < end else { return }
    let quote = text[cursor]
    let isQuoted = quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'")
    if isQuoted { cursor += 1 }
    while cursor < end {
      let byte = text[cursor]
      if isQuoted ? byte == quote : Self.isSpace(byte) || byte == UInt8(ascii: ">") { break }
      switch byte {
      case UInt8(ascii: "&"): reference()
      case 0x80...: character()
      case UInt8(ascii: "<"), UInt8(ascii: "\""):
        Self.append(Unicode.Scalar(byte), to: &output)
        cursor += 1
      default:
        if byte >= 0x20 || [9, 10, 13].contains(byte) { output.append(byte) }
        cursor += 1
      }
    }
    if isQuoted { cursor += 1 }
  }

  /// Closes the element that an end tag names, and all open elements within it.
  private mutating func endTag() {
    cursor += 2
    let name = name()
    while cursor < text.count, text[cursor] != UInt8(ascii: ">"), text[cursor] != UInt8(ascii: "<")
    {
      cursor += 1
    }
    if cursor < text.count, text[cursor] == UInt8(ascii: ">") { cursor += 1 }
    let isSame = { (index: Int) in text[open[index]].elementsEqual(text[name]) }
    guard let index = open.indices.suffix(Self.maxDepth).last(where: isSame) else { return }
    close(downTo: index)
  }

  private mutating func close(downTo index: Int) {
    while open.count > index, let name = open.popLast() {
      guard open.count < Self.maxDepth else { continue }
      add("</")
      output.append(contentsOf: text[name])
      output.append(UInt8(ascii: ">"))
    }
  }
}
