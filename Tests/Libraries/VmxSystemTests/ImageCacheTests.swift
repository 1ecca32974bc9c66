import SystemPackage
import Testing
import VmxModel
import VmxTestSupport

@testable import VmxSystem

struct ImageCacheTests {
  private let scratch: ScratchFolder
  private let cache: ImageCache

  init() throws {
    scratch = try ScratchFolder()
    cache = ImageCache(
      folder: scratch.path.appending("images"), capacity: ByteCount(clamping: 5000))
  }

  @Test(arguments: [
    ([UInt8]([0xFF, 0xD8, 0xFF, 0xE0]), "jpg"), ([0x89, 0x50, 0x4E, 0x47], "png"),
    (Array("GIF89a".utf8), "gif"), (Array("RIFF".utf8), "webp"),
  ])
  func `an image is a file of its type`(_ bytes: [UInt8], _ type: String) throws {
    #expect(try cache.file(of: "u") == nil)
    let file = try cache.keep(bytes, of: "u")
    #expect(file.extension == type)
    #expect(try cache.file(of: "u") == file)
    #expect(try readFile(file, limit: ByteCount(clamping: 100)) == bytes)
  }

  @Test func `other bytes are not images`() throws {
    #expect(code { _ = try cache.keep(Array("<html>".utf8), of: "u") } == .notMedia)
    #expect(try cache.file(of: "u") == nil)
  }

  @Test func `the oldest files beyond the capacity are deleted`() throws {
    for number in 1...20 {
      let bytes: [UInt8] = [0xFF, 0xD8, 0xFF] + [UInt8](repeating: 0, count: 997)
      _ = try cache.keep(bytes, of: "u\(number)")
    }
    let kept = try (1...20).filter { try cache.file(of: "u\($0)") != nil }
    #expect(kept.contains(20) && (1...5).contains(kept.count))
  }
}
