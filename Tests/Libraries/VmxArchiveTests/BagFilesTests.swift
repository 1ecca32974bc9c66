import Testing
import VmxDigest
import VmxModel

@testable import VmxArchive

@Suite struct BagFilesTests {
  @Test func `each file has the digests that were added, by algorithm`() {
    var files = BagFiles()
    let paths = ["a", "b", "c"].map { PathBytes($0) }
    for (number, path) in paths.enumerated() { files.add(path, size: Int64(number)) }
    // Added out of order, and not for every file.
    files.add(paths[2], size: 9, digests: [.md5: [UInt8](repeating: 2, count: 16)])
    files.add(paths[0], size: 9, digests: [.sha256: [UInt8](repeating: 1, count: 32)])
    #expect(files.count == 3)
    #expect(paths.map { files.number(of: $0) } == [0, 1, 2])
    #expect((0..<3).map { files.size(of: $0) } == [0, 1, 2])
    #expect((0..<3).map { files.digest(of: $0, .md5)?.first } == [nil, nil, 2])
    #expect((0..<3).map { files.digest(of: $0, .sha256)?.count } == [32, nil, nil])
    #expect(files.number(of: PathBytes("d")) == nil)
  }

  @Test func `a digest of another length is ignored`() {
    var files = BagFiles()
    files.add(PathBytes("a"), size: 1, digests: [.sha256: [1, 2]])
    #expect(files.digest(of: 0, .sha256) == nil)
  }
}
