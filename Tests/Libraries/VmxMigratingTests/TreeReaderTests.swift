import SystemPackage
import Testing
import VmxModel
import VmxTestSupport

@testable import VmxMigrating

@Suite struct TreeReaderTests {
  @Test func `a folder without files has no findings`() throws {
    let scratch = try ScratchFolder()
    #expect(try TreeReader().findings(in: LegacyFolder(scratch.path)).isEmpty)
  }
}
