import VmxNaming
@testable import VmxLibrary
import Testing
import VmxModel
import VmxStore
import VmxLibraryTestSupport
import VmxTestSupport

struct SidecarWriterTests {
  // A repair requests segments of that version from the source. Regression: without it, the whole
  // film was fetched.
  @Test func `the version is kept when another tool computes the segments`() throws {
    let library = try ScratchLibrary()
    var episode = try library.placed()
    episode.parts[0].sha256 = FakeBytes.found.sha256
    let writer = SidecarWriter(mediaRoots: library.mediaRoots, nfo: .none)
    let found = FakeBytes.found
    let version = FetchedVersion(source: 7, etag: "\"one\"", lastModified: nil, date: nil)
    let fetched = FoundBytes(
      size: found.size, sha256: found.sha256, proof: .length, segments: [found.sha256],
      version: version)
    #expect(writer.write(episode, found: ["video": fetched]) == nil)
    let verified = FoundBytes(
      size: found.size, sha256: found.sha256, proof: .length, segments: [found.sha256])
    #expect(writer.write(episode, found: ["video": verified]) == nil)
    let sidecar = try library.scratch.text("media/.vmx/records/show~a.json")
    #expect(sidecar.contains(#""etag":"\"one\"""#))
  }
}
