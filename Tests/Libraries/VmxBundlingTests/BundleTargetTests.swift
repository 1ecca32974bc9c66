import SystemPackage
import Testing
import VmxArchive
import VmxModel
import VmxTestSupport

@testable import VmxBundling

struct BundleTargetTests {
  @Test(
    arguments: [
      ("/x/b.tar", nil, .file("/x/b.tar", .tar)),
      ("/x/b.TAR.ZST", nil, .file("/x/b.TAR.ZST", .tarZstd)),
      ("/x/b.tzst", nil, .file("/x/b.tzst", .tarZstd)), ("/x/b.zip", nil, .file("/x/b.zip", .zip)),
      ("/x/b.7z", nil, .file("/x/b.7z", .sevenZip)), ("/x/b.zip", "tar", .file("/x/b.zip", .tar)),
      ("/x/b", "zip", .file("/x/b", .zip)), ("/x/b.tar", "folder", .folder("/x/b.tar")),
      ("/x/b", nil, .folder("/x/b")), ("/tmp", nil, .folder("/tmp")),
      (nil, nil, .stream(.tar)), (nil, "zip", .stream(.zip)), (nil, "tar.zst", .stream(.tarZstd)),
    ] as [(FilePath?, String?, BundleTarget)])
  func `the form follows from the type, then from the suffix`(
    path: FilePath?, type: String?, target: BundleTarget
  ) throws {
    #expect(try BundleTarget(path, type: type) == target)
  }

  @Test(
    arguments: [
      ("/x/b.rar", nil, .usage), ("/x/b", "rar", .usage), (nil, "7z", .needsFile),
      (nil, "folder", .needsFile), (nil, "rar", .usage),
    ] as [(FilePath?, String?, ErrorCode)])
  func `an unknown type, and one that no pipe takes, are refused`(
    path: FilePath?, type: String?, failure: ErrorCode
  ) {
    #expect(code { try BundleTarget(path, type: type) } == failure)
  }

  @Test func `a folder that exists is one, whatever its suffix`() throws {
    let scratch = try ScratchFolder()
    try scratch.makeFolder("b.tar")
    let path = scratch.path.appending("b.tar")
    #expect(try BundleTarget(path, type: nil) == .folder(path))
  }
}

struct BundleTagsTests {
  private func tag(
    _ name: String, _ plan: BundlePlan, _ info: BundleInfo = BundleInfo()
  ) throws -> String? {
    try BundleTags(plan, info: info).files.first { $0.path == name }.map { file in
      var text: [UInt8] = []
      try file.write { text += $0 }
      #expect(Int64(text.count) == file.size)
      return String(decoding: text, as: UTF8.self)
    }
  }

  private func plan() throws -> BundlePlan {
    try BundlePlan([.packable("show/b", "B"), .packable("show/a", "A")])
  }

  @Test func `the info counts the payload and has a date only where it is fixed`() throws {
    let plan = try plan()
    let text = try tag("bag-info.txt", plan)
    #expect(text == "Bag-Software-Agent: vmx\nPayload-Oxum: \(plan.size).4\n")
    #expect(BundleInfo(epoch: "x").date == nil)
    let dated = try tag("bag-info.txt", plan, BundleInfo(epoch: "86400"))
    #expect(dated?.contains("Bagging-Date: 1970-01-02\n") == true)
  }

  @Test func `a volume tells its number and what is elsewhere`() throws {
    var info = BundleInfo()
    info.volume = (2, 3)
    info.elsewhere = [try EpisodeID("z/a"): 3, try EpisodeID("c/a"): 1]
    #expect(try tag("bag-info.txt", plan(), info)?.hasPrefix("Bag-Count: 2 of 3\n") == true)
    #expect(
      try tag("vmx-elsewhere.jsonl", plan(), info)
        == #"{"schema":1,"id":"c/a","volume":1}"# + "\n" + #"{"schema":1,"id":"z/a","volume":3}"#
        + "\n")
    #expect(try tag("vmx-elsewhere.jsonl", plan()) == nil)
  }

  @Test func `files are sorted, and the manifests are the last to be replaced`() throws {
    let files = try BundleTags(plan(), info: BundleInfo()).files
    #expect(files.map(\.path) == files.map(\.path).sorted())
    let ranked = files.sorted { $0.rank < $1.rank }.suffix(2).map(\.path)
    #expect(ranked == ["manifest-sha256.txt", "tagmanifest-sha256.txt"])
  }

  @Test func `the folder of an archive is named by the manifest`() throws {
    let one = try BundleTags(plan(), info: BundleInfo()).folder
    #expect(try one == BundleTags(plan(), info: BundleInfo(epoch: "0")).folder)
    #expect(
      try one != BundleTags(BundlePlan([.packable("show/a", "A")]), info: BundleInfo()).folder)
    #expect(one.hasPrefix("vmx-") && one.utf8.count == 16)
  }
}
