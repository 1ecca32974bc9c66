import Testing
import VmxModel
import VmxTestSupport

@testable import VmxMarkup

@Suite struct PropertyListTests {
  private static let every: PropertyList = .dictionary([
    .init("text", .string("Úvod & <more>")), .init("number", .integer(-7)),
    .init("large", .integer(1 << 40)), .init("part", .real(0.5)), .init("yes", .bool(true)),
    .init("no", .bool(false)), .init("when", .date(Timestamp(seconds: 978_307_260))),
    .init("bytes", .data([1, 2, 3, 255])), .init("list", .array([.string("a"), .array([])])),
  ])

  @Test func `XML has a value for each element`() throws {
    let list = try PropertyList(
      xml: """
        <dict><key>text</key><string>Úvod &amp; &lt;more></string><key>number</key>
        <integer>-7</integer><key>large</key><integer>0x10000000000</integer><key>part</key>
        <real>0.5</real><key>yes</key><true/><key>no</key><false/><key>when</key>
        <date>2001-01-01T00:01:00Z</date><key>bytes</key><data> AQID
        /w== </data><key>list</key><array><string>a</string><array/></array></dict>
        """)
    #expect(list == Self.every)
  }

  @Test func `the binary form has the same values`() throws {
    #expect(try PropertyList(BinaryListWriter.bytes(of: Self.every)) == Self.every)
  }

  @Test func `integers beyond 64 bits become real`() throws {
    let big = [0x14] + [UInt8](repeating: 0, count: 8) + [UInt8](repeating: 255, count: 8)
    #expect(
      try PropertyList(BinaryListWriter.bytes(of: [big])) == .real(18_446_744_073_709_551_616))
    #expect(try PropertyList(xml: "<integer>18446744073709551615</integer>").integer == nil)
    let small = [0x14] + [UInt8](repeating: 0, count: 15) + [9]
    #expect(try PropertyList(BinaryListWriter.bytes(of: [small])) == .integer(9))
  }

  @Test(
    arguments: [
      "", "<dict>", "<dict><key>a</key></dict>", "<dict><string>a</string></dict>",
      "<integer>ten</integer>", "<data>A</data>", "<date>today</date>", "<string>a</string><true/>",
      "<key>a</key>", "<string><true/></string>", "<html/>", "<integer>0x</integer>",
      "<dict><key>a</key><key>b</key></dict>", "<array><true></array>",
    ])
  func `XML that is no list is refused`(xml: String) {
    #expect(Self.code { try PropertyList(xml: xml) } == .recordUnreadable)
  }

  @Test func `no entity is expanded or loaded`() throws {
    let document = """
      <!DOCTYPE plist [<!ENTITY a "boom"><!ENTITY b "&a;&a;&a;">
      <!ENTITY c SYSTEM "file:///etc/hostname">]>
      <plist><array><string>&b;</string><string>&c;</string></array></plist>
      """
    #expect(
      try PropertyList(Array(document.utf8)) == .array([.string("&b;"), .string("&c;")]))
  }

  @Test func `a list nested too deep is refused in both forms`() throws {
    func nested(_ depth: Int) -> PropertyList {
      (0..<depth).reduce(.bool(true)) { value, _ in .array([value]) }
    }
    let open = String(repeating: "<array>", count: 80)
    let close = String(repeating: "</array>", count: 80)
    #expect(Self.code { try PropertyList(xml: open + close) } == .recordUnreadable)
    #expect(
      Self.code { try PropertyList(BinaryListWriter.bytes(of: nested(80))) } == .recordUnreadable)
    #expect(try PropertyList(BinaryListWriter.bytes(of: nested(20))) == nested(20))
  }

  @Test func `names of a dictionary do not count as values`() throws {
    func list(_ count: Int) throws -> PropertyList {
      let fields = (1..<count).map { "<key>\($0)</key><true/>" }.joined()
      let document = "<plist><dict>\(fields)</dict></plist>"
      return try MarkupPropertyList.read(Array(document.utf8), maxValues: 10)
    }
    #expect(try list(10).fields?.count == 9)
    #expect(Self.code { try list(11) } == .recordUnreadable)
  }

  @Test func `an object that contains itself is refused`() {
    let cycle: [[UInt8]] = [[0xA1, 1], [0xA1, 0]]
    #expect(Self.code { try PropertyList(BinaryListWriter.bytes(of: cycle)) } == .recordUnreadable)
  }

  @Test func `shared objects are values, and too many of them are refused`() throws {
    let shared: [[UInt8]] = [[0xA2, 1, 1], [0xA2, 2, 2], [0x09]]
    let pair = PropertyList.array([.bool(true), .bool(true)])
    #expect(try PropertyList(BinaryListWriter.bytes(of: shared)) == .array([pair, pair]))
    let doubling = (0..<40).map { [0xA2, UInt8($0 + 1), UInt8($0 + 1)] } + [[0x09]]
    #expect(
      Self.code { try PropertyList(BinaryListWriter.bytes(of: doubling)) } == .recordUnreadable)
  }

  @Test func `overlapping objects and wrong lengths are refused`() {
    // Fifty references to the same string.
    let text = [0x5F, 0x10, 60] + [UInt8](repeating: 65, count: 60)
    let array = [0xAF, 0x10, 50] + (1...50).map { UInt8($0) }
    let bytes = BinaryListWriter.bytes(of: [array, text], repeatingLast: 50)
    #expect(Self.code { try PropertyList(bytes) } == .recordUnreadable)
    for object: [UInt8] in [
      [0x5F, 0x13, 255, 255, 255, 255, 255, 255, 255, 255], [0x4F, 0x12, 127, 0, 0, 0], [0x4F],
      [0xDF, 0x13, 127, 255, 255, 255, 255, 255, 255, 255], [0x17], [0x3F], [0x00], [0xA1, 200],
    ] {
      #expect(
        Self.code { try PropertyList(BinaryListWriter.bytes(of: [object])) } == .recordUnreadable)
    }
  }

  @Test func `cut and changed files are refused or read, and never end the process`() throws {
    let whole = BinaryListWriter.bytes(of: Self.every)
    for count in whole.indices {
      #expect(Self.code { try PropertyList(Array(whole.prefix(count))) } == .recordUnreadable)
    }
    for index in whole.indices {
      for mask: UInt8 in [0x01, 0x80, 0xFF] {
        var bytes = whole
        bytes[index] ^= mask
        let code = Self.code { try PropertyList(bytes) }
        #expect(code == nil || code == .recordUnreadable)
      }
    }
  }

  static func code(_ body: () throws -> PropertyList) -> ErrorCode? {
    do {
      _ = try body()
      return nil
    } catch {
      return Failure(error).code
    }
  }
}

extension PropertyList {
  /// Reads the XML of a value.
  init(xml: String) throws {
    try self.init(Array("<?xml version=\"1.0\"?>\n<plist version=\"1.0\">\(xml)</plist>".utf8))
  }
}

/// Writes binary property lists with references of one byte and offsets of two.
enum BinaryListWriter {
  /// Returns a file of objects, with the first of them on top.
  ///
  /// - Parameter times: the number of repetitions of the last entry in the table of offsets.
  static func bytes(of objects: [[UInt8]], repeatingLast times: Int = 1) -> [UInt8] {
    var bytes = Array("bplist00".utf8)
    var offsets: [[UInt8]] = []
    for object in objects {
      offsets.append([UInt8(bytes.count >> 8), UInt8(bytes.count & 0xFF)])
      bytes += object
    }
    offsets += Array(repeating: offsets[objects.count - 1], count: times - 1)
    let table = bytes.count
    bytes += offsets.flatMap { $0 } + [0, 0, 0, 0, 0, 0, 2, 1]
    return bytes + number(offsets.count) + number(0) + number(table)
  }

  /// Returns the file of a value.
  static func bytes(of value: PropertyList) -> [UInt8] {
    var objects: [[UInt8]] = []
    _ = add(value, to: &objects)
    return bytes(of: objects)
  }

  private static func number(_ value: Int) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: value >> (56 - 8 * $0)) }
  }

  private static func add(_ value: PropertyList, to objects: inout [[UInt8]]) -> UInt8 {
    let index = objects.count
    objects.append([])
    switch value {
    case .bool(let isTrue): objects[index] = [isTrue ? 0x09 : 0x08]
    case .integer(let number): objects[index] = [0x13] + Self.number(Int(number))
    case .real(let number):
      objects[index] = [0x23] + Self.number(Int(bitPattern: UInt(number.bitPattern)))
    case .date(let time):
      let seconds = Double(time.milliseconds) / 1000 - 978_307_200
      objects[index] = [0x33] + Self.number(Int(bitPattern: UInt(seconds.bitPattern)))
    case .data(let bytes): objects[index] = head(0x40, bytes.count) + bytes
    case .string(let text):
      let units = Array(text.utf16)
      objects[index] =
        text.utf8.allSatisfy { $0 < 0x80 }
        ? head(0x50, units.count) + Array(text.utf8)
        : head(0x60, units.count) + units.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    case .uid(let uid): objects[index] = [0x80, UInt8(uid)]
    case .array(let values):
      objects[index] = head(0xA0, values.count) + values.map { add($0, to: &objects) }
    case .dictionary(let fields):
      let keys = fields.map { add(.string($0.key), to: &objects) }
      objects[index] = head(0xD0, fields.count) + keys + fields.map { add($0.value, to: &objects) }
    }
    return UInt8(index)
  }

  private static func head(_ kind: UInt8, _ count: Int) -> [UInt8] {
    count < 15 ? [kind | UInt8(count)] : [kind | 15, 0x10, UInt8(count)]
  }
}
