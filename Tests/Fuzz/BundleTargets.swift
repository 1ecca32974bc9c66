import SystemPackage
import VmxArchive
import VmxDigest
import VmxModel
import VmxSystem

/// Readers of bundles from untrusted sources.
enum BundleTargets {
  static let all = [
    FuzzTarget(name: "archive", take: archive), FuzzTarget(name: "bag", take: bag),
  ]

  /// Reads an archive; skips every other entry.
  @Sendable private static func archive(_ bytes: [UInt8]) {
    var limits = BundleLimits()
    limits.bytes = 1 << 22
    limits.entries = 1000
    var room = [UInt8](repeating: 0, count: 1 << 16)
    var isRead = true
    do throws(FileError) {
      let file = try MemoryFile("fuzz", holding: bytes)
      do throws(ArchiveError) {
        let reader = try ArchiveReader(file.descriptor, passphrase: [0x78], limits: limits)
        var total = 0
        while let entry = try reader.next() {
          hold(entry.path.isNormalised, "no entry leads out of the bundle")
          hold(!entry.path.bytes.contains { $0 < 0x20 }, "no entry has a control character")
          isRead.toggle()
          while isRead {
            let outcome = room.withUnsafeMutableBytes { room in
              Result { () throws(ArchiveError) in try reader.read(into: room) }
            }
            let count = try outcome.get()
            if count == 0 { break }
            total += count
          }
          hold(total <= 1 << 22, "no more bytes than allowed come out")
        }
      } catch {
        hold(!error.summary.isEmpty, "an error says what is wrong")
      }
    } catch {
      hold(false, "a file in memory can be made")
    }
  }

  /// Reads tag files, each after a line `== NAME`, and empty payload files that they may list.
  @Sendable private static func bag(_ bytes: [UInt8]) {
    var check = BagCheck()
    let empty = ManifestHasher(Set(ManifestAlgorithm.allCases)).finish()
    for name in ["data/a", "data/A", "data/b c", "data/100%"] {
      check.add(PathBytes(name), size: 0, digests: empty)
    }
    var name = PathBytes(BagDeclaration.name)
    var text: [UInt8] = []
    for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
      if line.starts(with: [0x3D, 0x3D, 0x20]) {
        check.add(name, text: spooled(text))
        (name, text) = (PathBytes(Array(line.dropFirst(3))), [])
      } else {
        text += line + [0x0A]
      }
    }
    check.add(name, text: spooled(text))
    let verdict = check.verdict()
    hold((verdict.failure == nil) == verdict.errors.isEmpty, "an invalid bag has a failure")
    hold(verdict.declaration != nil || verdict.failure != nil, "a valid bag has its declaration")
    hold(verdict.absent.allSatisfy { $0.path.path.isNormalised }, "no fetch leads out of the bag")
  }

  private static func spooled(_ bytes: [UInt8]) -> SpooledText {
    let text = SpooledText(in: "/tmp")
    do {
      try bytes.withUnsafeBytes { try text.append($0) }
    } catch {
      hold(false, "a text in memory can be made")
    }
    return text
  }
}
