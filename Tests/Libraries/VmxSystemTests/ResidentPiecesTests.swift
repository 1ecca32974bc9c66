import Glibc
import SystemPackage
import Testing
import VmxSystem
import VmxTestSupport

struct ResidentPiecesTests {
  private static let piece = 1 << 20
  let scratch: ScratchFolder

  init() throws {
    scratch = try ScratchFolder()
    try scratch.write("film", [UInt8](repeating: 7, count: 3 * Self.piece))
  }

  /// Returns the number of pages of a piece in the page cache.
  private func pages(of file: borrowing OpenFile, piece: Int) throws -> Int {
    let map = mmap(nil, 3 * Self.piece, PROT_READ, MAP_SHARED, file.descriptor.rawValue, 0)
    let start = try #require(map != MAP_FAILED ? map : nil)
    defer { munmap(start, 3 * Self.piece) }
    var pages = [UInt8](repeating: 0, count: Self.piece / Int(sysconf(Int32(_SC_PAGESIZE))))
    try #require(mincore(start + piece * Self.piece, Self.piece, &pages) == 0)
    return pages.reduce(0) { $0 + Int($1 & 1) }
  }

  private func resident(_ file: borrowing OpenFile) -> ResidentPieces {
    ResidentPieces(of: file, size: Int64(3 * Self.piece), pieceSize: Int64(Self.piece))
  }

  /// Reads the whole file.
  private func read(_ file: borrowing OpenFile) throws {
    var bytes = [UInt8](repeating: 0, count: 3 * Self.piece)
    let count = try bytes.withUnsafeMutableBytes { try file.read(into: $0, at: 0) }
    #expect(count == 3 * Self.piece)
  }

  @Test func `pieces that were not cached before are dropped, cached ones stay`() throws {
    let file = try OpenFile(scratch.path("film"), .readOnly)
    try fullSync(file.descriptor, of: file.path)
    try #require(posix_fadvise(file.descriptor.rawValue, 0, 0, POSIX_FADV_DONTNEED) == 0)
    // In-memory file systems keep all their pages in memory.
    guard try pages(of: file, piece: 0) == 0 else { return }
    _ = posix_fadvise(file.descriptor.rawValue, 0, 0, POSIX_FADV_RANDOM)
    var first = [UInt8](repeating: 0, count: Self.piece)
    _ = try first.withUnsafeMutableBytes { try file.read(into: $0, at: 0) }
    let before = resident(file)
    try read(file)
    before.release(0..<3, of: file.descriptor)
    #expect(try pages(of: file, piece: 0) > 0)
    #expect(try pages(of: file, piece: 1) == 0)
    #expect(try pages(of: file, piece: 2) == 0)
  }

  @Test func `an empty file has no pieces`() throws {
    try scratch.write("empty", "")
    let file = try OpenFile(scratch.path("empty"), .readOnly)
    let pieces = ResidentPieces(of: file, size: 0, pieceSize: 4096)
    pieces.release(0..<1, of: file.descriptor)
  }
}
