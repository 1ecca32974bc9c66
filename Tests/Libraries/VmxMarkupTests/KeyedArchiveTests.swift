import Testing
import VmxModel

@testable import VmxMarkup

@Suite struct KeyedArchiveTests {
  /// Returns an archive of these objects after `$null`, with the first of them on top.
  private static func archive(_ objects: PropertyList..., top: String = "root") -> PropertyList {
    .dictionary([
      .init("$archiver", .string("NSKeyedArchiver")), .init("$version", .integer(100_000)),
      .init("$objects", .array([.string("$null")] + objects)),
      .init("$top", .dictionary([.init(top, .uid(1))])),
    ])
  }

  private static func isA(_ name: String) -> PropertyList {
    .dictionary([
      .init("$classname", .string(name)), .init("$classes", .array([.string(name)])),
    ])
  }

  private static func read(_ list: PropertyList) throws -> PropertyList {
    try PropertyList(BinaryListWriter.bytes(of: list))
  }

  @Test(arguments: ["root", "NSKeyedArchiveRootObjectKey", "download"])
  func `objects of Foundation become plain values`(top: String) throws {
    let list = Self.archive(
      .dictionary([
        .init("$class", .uid(7)),
        .init("NS.keys", .array([.uid(2), .uid(4), .uid(6), .uid(13)])),
        .init("NS.objects", .array([.uid(3), .uid(5), .uid(9), .uid(0)])),
      ]),
      .string("url"),
      .dictionary([
        .init("$class", .uid(8)), .init("NS.base", .uid(0)), .init("NS.relative", .uid(11)),
      ]),
      .string("when"), .dictionary([.init("$class", .uid(10)), .init("NS.time", .real(60))]),
      .string("names"), Self.isA("NSMutableDictionary"), Self.isA("NSURL"),
      .dictionary([
        .init("$class", .uid(12)), .init("NS.objects", .array([.uid(2), .uid(0), .uid(4)])),
      ]),
      Self.isA("NSDate"), .string("https://example.org/a.mp4"), Self.isA("NSMutableArray"),
      .string("nothing"), top: top)
    #expect(
      try Self.read(list)
        == .dictionary([
          .init("url", .string("https://example.org/a.mp4")),
          .init("when", .date(Timestamp(seconds: 978_307_260))),
          .init("names", .array([.string("url"), .string("when")])),
        ]))
  }

  @Test func `an object of another class is its fields, without one that leads back`() throws {
    let list = Self.archive(
      .dictionary([
        .init("$class", .uid(3)), .init("title", .uid(2)), .init("parent", .uid(1)),
        .init("number", .integer(4)),
      ]),
      .string("One"), Self.isA("Download"))
    #expect(
      try Self.read(list)
        == .dictionary([.init("title", .string("One")), .init("number", .integer(4))]))
  }

  @Test func `references to no object and broken archives are refused`() {
    let lists = [
      Self.archive(.array([.uid(40)])), Self.archive(), Self.archive(.string("a"), top: ""),
      .dictionary([.init("$archiver", .string("NSKeyedArchiver"))]),
      Self.archive(
        .dictionary([.init("$class", .uid(2)), .init("NS.keys", .array([.uid(2)]))]),
        Self.isA("NSDictionary")),
    ]
    #expect(
      lists.map { list in PropertyListTests.code { try Self.read(list) } } == [
        .recordUnreadable, .recordUnreadable, nil, .recordUnreadable, .recordUnreadable,
      ])
  }

  @Test func `shared objects that would multiply are refused`() {
    let objects = (1...40).map { PropertyList.array([.uid(UInt64($0 + 1)), .uid(UInt64($0 + 1))]) }
    let list = PropertyList.dictionary([
      .init("$archiver", .string("NSKeyedArchiver")),
      .init("$objects", .array([.string("$null")] + objects + [.bool(true)])),
      .init("$top", .dictionary([.init("root", .uid(1))])),
    ])
    #expect(PropertyListTests.code { try Self.read(list) } == .recordUnreadable)
  }

  @Test func `a changed archive is refused or read, and never ends the process`() {
    let whole = BinaryListWriter.bytes(
      of: Self.archive(
        .dictionary([
          .init("$class", .uid(4)), .init("NS.keys", .array([.uid(2)])),
          .init("NS.objects", .array([.uid(3)])),
        ]),
        .string("list"),
        .dictionary([.init("$class", .uid(5)), .init("NS.objects", .array([.uid(2), .uid(6)]))]),
        Self.isA("NSDictionary"), Self.isA("NSArray"),
        .dictionary([.init("$class", .uid(7)), .init("NS.time", .real(60))]), Self.isA("NSDate")))
    for index in whole.indices {
      // Each bit alone, and all: the marker bytes hold a type and a length of four bits each.
      for mask in (0..<8).map({ UInt8(1) << $0 }) + [0x0F, 0xF0, 0xFF] {
        var bytes = whole
        bytes[index] ^= mask
        let code = PropertyListTests.code { try PropertyList(bytes) }
        #expect(code == nil || code == .recordUnreadable)
      }
    }
  }
}
