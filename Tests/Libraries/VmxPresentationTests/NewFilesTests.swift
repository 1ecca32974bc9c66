import Testing
import VmxPresentation

@Suite struct NewFilesTests {
  private func note(_ paths: String...) -> String? {
    var files = NewFiles()
    for path in paths { files.add(path) }
    return files.note
  }

  @Test func `one file is printed with its path`() {
    #expect(note("/films/Show/one.mp4") == "the file is '/films/Show/one.mp4'")
  }

  @Test func `several files are printed as their common folder`() {
    #expect(
      note("/films/Show/one.mp4", "/films/Show/two.mp4") == "the 2 files are in '/films/Show'")
    #expect(
      note("/films/Show/one.mp4", "/films/Shop/two.mp4", "/films/Show/three.mp4")
        == "the 3 files are in '/films'")
    #expect(note("/a/x.mp4", "/b/x.mp4") == "the 2 files are in '/'")
    #expect(note("/a/x.mp4", "/a/x.mp4") == "the 2 files are in '/a'")
  }

  @Test func `a run without files prints nothing`() {
    #expect(note() == nil)
    #expect(note("") == nil)
  }
}
