import SystemPackage
import Testing
import VmxModel
import VmxSystem
import VmxTestSupport

struct SpooledTextTests {
  @Test func `the text of a file is read in place, up to a limit`() throws {
    let scratch = try ScratchFolder()
    try scratch.write("x", "one\ntwo")
    let text = try #require(try SpooledText(of: scratch.path("x"), limit: 7))
    // A file that replaces it does not affect the text.
    try scratch.write("y", "three")
    try renameReplacing(from: scratch.path("y"), to: scratch.path("x"))
    var lines: [String] = []
    try text.forEachLine { lines.append(String(decoding: try text.bytes($0), as: UTF8.self)) }
    #expect(lines == ["one", "two"])
    #expect(try SpooledText(of: scratch.path("none"), limit: 7) == nil)
    #expect(throws: FileError.self) { try SpooledText(of: scratch.path("x"), limit: 4) }
  }

  @Test func `a text whose file has become shorter is an error, not an endless loop`() throws {
    let scratch = try ScratchFolder()
    // A shorter text is read at once.
    try scratch.write("x", [UInt8](repeating: 0x6F, count: SpooledText.maxInMemory + 1))
    let text = try #require(try SpooledText(of: scratch.path("x"), limit: .max))
    // Written in place: the file that the text reads.
    try OpenFile(scratch.path("x"), .writeOnly, options: [.truncate]).write([0x6F], at: 0)
    let changed = FileError.changedWhileRead(scratch.path("x"))
    #expect(throws: changed) { try text.forEachPiece { _ in } }
    #expect(throws: changed) { try text.forEachLine { _ in } }
  }

  /// Lines across the limits of memory and of a window, empty lines, and a line without an end.
  @Test(arguments: [0, 1, 700, 3_000_000])
  func `a spooled text returns its lines, and leaves no file`(length: Int) throws {
    let scratch = try ScratchFolder()
    let lines = (0..<5).map { [UInt8](repeating: UInt8(ascii: "a") + $0, count: length + Int($0)) }
    let text = SpooledText(in: scratch.path)
    let bytes = Array(lines.joined(separator: [UInt8(ascii: "\n")]))
    var rest = bytes[...]
    while !rest.isEmpty {
      try Array(rest.prefix(70_000)).withUnsafeBytes { try text.append($0) }
      rest = rest.dropFirst(70_000)
    }
    #expect(text.count == bytes.count)
    var found: [[UInt8]] = []
    try text.forEachLine { found.append(try text.bytes($0)) }
    #expect(found == lines.filter { !$0.isEmpty })
    var names = 0
    _ = forEachFile(below: scratch.path) { _, _ in
      names += 1
      return true
    }
    #expect(names == 0)
  }
}
