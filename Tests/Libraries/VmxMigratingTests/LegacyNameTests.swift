@testable import VmxMigrating
import Testing

@Suite struct LegacyNameTests {
  @Test(
    arguments: [
      ("a/b.c/d.Mp4", "a/b.c", "d", "mp4"), ("d", "", "d", ""), (".hidden", "", ".hidden", ""),
      ("a/.x.y", "a", ".x", "y"), ("x.", "", "x", ""), ("ä.é", "", "ä", "é"), ("", "", "", ""),
    ])
  func `a path is split at its last slash and its last full stop`(
    path: String, folder: String, stem: String, ending: String
  ) {
    let name = LegacyName(path)
    #expect(name.folder == folder)
    #expect(name.stem == stem)
    #expect(name.fileExtension == ending)
  }
}
