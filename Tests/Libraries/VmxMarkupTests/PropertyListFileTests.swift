import Testing
import VmxModel
import VmxSystem
import VmxTestSupport

@testable import VmxMarkup

@Suite struct PropertyListFileTests {
  private static let records: PropertyList = .dictionary([
    .init(
      "downloads",
      .array([
        .dictionary([.init("title", .string("A")), .init("tags", .array([.string("x")]))]),
        .string("no record"), .array([]),
      ])), .init("version", .integer(3)), .init("empty", .dictionary([])),
  ])

  private static func xml(_ text: String) -> [UInt8] {
    Array("<?xml version=\"1.0\"?>\n<plist version=\"1.0\">\(text)</plist>".utf8)
  }

  private static let recordsXML = xml(
    """
    <dict><key>downloads</key><array><dict><key>title</key><string>A</string><key>tags</key>
    <array><string>x</string></array></dict><string>no record</string><array/></array>
    <key>version</key><integer>3</integer><key>empty</key><dict/></dict>
    """)

  private static func values(
    _ bytes: [UInt8], levels: Int
  ) throws -> [(path: [PropertyListFile.Step], value: PropertyList)] {
    var values: [([PropertyListFile.Step], PropertyList)] = []
    try PropertyListFile(SpooledText(bytes)).forEachValue(levels: levels) {
      values.append(($0, $1))
    }
    return values
  }

  @Test func `both forms pass each value of a level, and those above without members`() throws {
    for bytes in [Self.recordsXML, BinaryListWriter.bytes(of: Self.records)] {
      let found = try Self.values(bytes, levels: 2)
      let downloads = try #require(Self.records["downloads"]?.array)
      #expect(found.map(\.value) == downloads + [.integer(3), .dictionary([])])
      #expect(found.map { $0.path.map(\.index) } == [[0, 0], [0, 1], [0, 2], [1], [2]])
      let keys = found.map { $0.path.first?.key }
      #expect(keys == ["downloads", "downloads", "downloads", "version", "empty"])
      let members = try Self.values(bytes, levels: 1)
      #expect(members.map(\.value) == Self.records.fields?.map(\.value))
    }
  }

  /// The pieces of 64 KiB end within references, sections, comments and characters.
  @Test(arguments: 0..<8)
  func `XML in pieces has the values of the whole`(shift: Int) throws {
    let units = ["&amp;", "é€😀", "<![CDATA[a & b]]>", "<!-- & -->", "&eacute;", "& "]
    let texts = (0..<40_000).map { "<string>\(units[$0 % units.count])</string>" }
    let bytes = Self.xml(
      String(repeating: " ", count: shift) + "<array>\(texts.joined())</array>")
    #expect(bytes.count > 8 << 16)
    let whole = try #require(try PropertyList(bytes).array)
    #expect(try Self.values(bytes, levels: 1).map(\.value) == whole)
  }

  @Test func `a comment of many pieces is left out`() throws {
    let comment = "<!--\(String(repeating: "&", count: 1 << 20))-->"
    #expect(
      try Self.values(Self.xml("<array>\(comment)<true/></array>"), levels: 1).map(\.value)
        == [.bool(true)])
  }

  @Test func `a list in UTF-16 has the same values`() throws {
    let text = String(decoding: Self.recordsXML, as: UTF8.self)
    let bytes: [UInt8] = [0xFF, 0xFE] + text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    #expect(try Self.values(bytes, levels: 2).count == 5)
  }

  /// The values need not be equal, since a changed file may still be a list.
  @Test func `a file is refused in pieces if it is refused as a whole`() throws {
    for whole in [Self.recordsXML, BinaryListWriter.bytes(of: Self.records)] {
      for count in whole.indices { try Self.compare(Array(whole.prefix(count))) }
      for index in whole.indices {
        for mask: UInt8 in [0x01, 0x80, 0xFF] {
          var bytes = whole
          bytes[index] ^= mask
          try Self.compare(bytes)
        }
      }
    }
  }

  private static func compare(_ bytes: [UInt8]) throws {
    var code: ErrorCode?
    do { _ = try values(bytes, levels: 2) } catch { code = Failure(error).code }
    let whole = PropertyListTests.code { try PropertyList(bytes) }
    #expect(code == whole, "\(bytes)")
  }

  @Test func `cycles, depth and shared objects are bounded`() {
    func code(_ objects: [[UInt8]]) -> ErrorCode? {
      do {
        _ = try Self.values(BinaryListWriter.bytes(of: objects), levels: 2)
        return nil
      } catch {
        return Failure(error).code
      }
    }
    #expect(code([[0xA1, 1], [0xA1, 0]]) == .recordUnreadable)
    #expect(code([[0xA1, 0]]) == .recordUnreadable)
    #expect(code((0..<70).map { [0xA1, UInt8($0 + 1)] } + [[0x09]]) == .recordUnreadable)
    // A chain of keys that are dictionaries.
    #expect(
      code((0..<200).map { [0xD1, UInt8($0 + 1), UInt8($0 + 1)] } + [[0x09]]) == .recordUnreadable)
    let doubling = (0..<40).map { [0xA2, UInt8($0 + 1), UInt8($0 + 1)] } + [[0x09]]
    #expect(code(doubling) == .recordUnreadable)
  }

  /// Apps share equal objects: each record has the same keys and a few equal values.
  @Test func `an object of many records is no overlap`() throws {
    let text = [0x5F, 0x10, 60] + [UInt8](repeating: 65, count: 60)
    let array = [0xAF, 0x10, 50] + [UInt8](repeating: 1, count: 50)
    let found = try Self.values(
      BinaryListWriter.bytes(of: [array, [0xA1, 2], text]), levels: 2)
    #expect(found.count == 50)
  }
}
