import Testing
import VmxModel
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

  @Test func `a sentence names what is ready, its size, the time, and the other results`() {
    var files = NewFiles()
    var tally = Tally()
    #expect(files.sentence(of: tally, duration: 0) == nil)
    files.add("/films/Show/one.mp4", bytes: 3 << 20)
    tally.count(.done)
    #expect(
      files.sentence(of: tally, duration: 1_600)
        == "1 episode ready, 3.0 MiB, 2s: '/films/Show/one.mp4'")
    files.add("/films/Show/two.mp4")
    // The third done item is not a file of the run.
    tally.count(.done, times: 2)
    tally.count(.waiting(Failure(.diskFull, "x")))
    #expect(
      files.sentence(of: tally, duration: 92_000)
        == "2 episodes ready, 3.0 MiB, 1m32s, in '/films/Show'; 1 done; 1 waiting")
  }

  @Test func `a run without files prints nothing`() {
    #expect(note() == nil)
    #expect(note("") == nil)
  }
}
