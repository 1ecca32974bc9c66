import SystemPackage
import Testing
import VmxLibrary
import VmxModel
import VmxSystem
import VmxTestSupport

struct PlacementTests {
  private let scratch: ScratchFolder
  private let publisher = FilePublisher()
  private let root: MediaRoot

  init() throws {
    scratch = try ScratchFolder()
    root = MediaRoot(uuid: "root", folder: scratch.path)
    try scratch.write(".vmx/root.json", Array(#"{"root":"root","library":"library"}"#.utf8))
  }

  private func write(_ text: String, to name: String) throws -> FilePath {
    let path = scratch.path.appending(name)
    try makeFolders(path.folder)
    try AtomicFile.replace(path, with: Array(text.utf8), durable: false)
    return path
  }

  private func read(_ name: String) throws -> String? {
    let path = scratch.path.appending(name)
    guard let file = try? OpenFile(path, .readOnly) else { return nil }
    var bytes = [UInt8](repeating: 0, count: 100)
    let count = try bytes.withUnsafeMutableBytes { try file.read(into: $0, at: 0) }
    return String(decoding: bytes.prefix(count), as: UTF8.self)
  }

  private func placement(
    of partial: FilePath, to name: String, isOurs: Bool = false
  ) -> Placement {
    Placement(
      in: root, partial: partial, target: scratch.path.appending(name), role: .video,
      isReplaceable: { _ in isOurs })
  }

  @Test func `a file gets its name in folders that are created for it`() throws {
    let partial = try write("film", to: "a.part")
    #expect(try publisher.publish(placement(of: partial, to: "Show/Season 01/a.mp4")))
    #expect(try read("Show/Season 01/a.mp4") == "film")
  }

  @Test func `a file that vmx did not write is not changed`() throws {
    let partial = try write("film", to: "a.part")
    _ = try write("theirs", to: "a.mp4")
    #expect(try !publisher.publish(placement(of: partial, to: "a.mp4")))
    #expect(try read("a.mp4") == "theirs")
    #expect(try read("a.part") == "film")
  }

  @Test func `a file that was renamed before a crash is accepted`() throws {
    _ = try write("film", to: "a.mp4")
    let partial = scratch.path.appending("a.part")
    #expect(try publisher.publish(placement(of: partial, to: "a.mp4", isOurs: true)))
  }

  // Regression: the second copy remained in the partial folder for ever.
  @Test func `a second copy of a file that was renamed before a crash is removed`() throws {
    let partial = try write("film", to: "a.part")
    _ = try write("film", to: "a.mp4")
    #expect(try publisher.publish(placement(of: partial, to: "a.mp4", isOurs: true)))
    #expect(scratch.names() == [".vmx", "a.mp4"])
  }

  @Test func `missing bytes get no name`() throws {
    let partial = scratch.path.appending("a.part")
    #expect(try !publisher.publish(placement(of: partial, to: "a.mp4")))
  }
}
