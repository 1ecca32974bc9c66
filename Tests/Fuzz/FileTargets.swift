import SystemPackage
import VmxJSON
import VmxLibrary
import VmxMedia
import VmxModel
import VmxSettings
import VmxSystem

@testable import VmxTransfer

/// Parsers of files that vmx reads back; a crash, a bad disk or an editor may have changed them.
enum FileTargets {
  static let all = [
    FuzzTarget(name: "resume", take: resume), FuzzTarget(name: "settings", take: settings),
    FuzzTarget(name: "json", take: json), FuzzTarget(name: "media-kind", take: kind),
    FuzzTarget(name: "media-structure", take: structure),
  ]

  @Sendable private static func resume(_ bytes: [UInt8]) {
    guard let data = ResumeData(reading: bytes) else { return }
    for size in [0, 1, 5 << 20, Int64.max] {
      for boot in [data.boot, "another"] {
        let believed = data.trustedRanges(fileSize: size, boot: boot)
        hold(believed.ranges.allSatisfy { $0.end <= size }, "nothing beyond the file is believed")
        hold(believed.count <= data.completedRanges.count, "no more is believed than was held")
      }
    }
    hold(ResumeData(reading: data.line) == data, "what is written is what is read")
  }

  @Sendable private static func settings(_ bytes: [UInt8]) {
    do throws(Failure) {
      let file = try SettingsFile(bytes, path: "config")
      for entry in file.entries {
        hold(entry.key.contains("."), "a key has a section")
        if let key = SettingKey(rawValue: entry.key) { _ = key.entry.kind }
      }
      let text = try SettingsText(bytes, path: "config")
      for name in Set(file.entries.map(\.key)).prefix(3).compactMap({ SettingName($0) })
        + ["fetch.jobs", "host.a.org.proxy"].compactMap({ SettingName($0) })
      where name.isWritable {
        var edited = text
        try edited.set(name, to: " 6;")
        hold(edited.lines(of: name).last?.value == " 6;", "what is set is what is read")
        try edited.unset(name)
        hold(edited.lines(of: name).isEmpty, "nothing is left of what is unset")
        hold(!text.lines(of: name).isEmpty || edited.bytes == bytes, "a removal restores the bytes")
      }
    } catch {
      hold(error.code == .badSetting, "a wrong file is a bad setting")
    }
  }

  @Sendable private static func json(_ bytes: [UInt8]) {
    let parser = JSONParser()
    do throws(JSONSyntaxError) {
      let value = try parser.parse(bytes)
      var text: [UInt8] = []
      JSONWriter.append(value, to: &text)
      let again = try parser.parse(text)
      hold(again == value, "what is written is what is read")
    } catch {
      hold((0...max(0, bytes.count)).contains(error.offset), "an error lies within the text")
    }
  }

  @Sendable private static func kind(_ bytes: [UInt8]) {
    guard let kind = MediaKind.sniff(bytes) else { return }
    hold(!(kind.isVideoContainer && kind.isImage), "a picture is no film")
  }

  @Sendable private static func structure(_ bytes: [UInt8]) {
    do throws(FileError) {
      let file = try MemoryFile("fuzz", holding: bytes)
      let size = Int64(bytes.count)
      let found = try MediaStructure.examine(file.descriptor, named: "fuzz", size: size)
      guard case .broken(let fault) = found else { return }
      hold((0...size).contains(fault.offset), "a fault lies within the file")
      if case .truncated(let missing?) = fault.kind { hold(missing > 0, "a cut misses bytes") }
    } catch {
      hold(false, "a file in memory can be read")
    }
  }
}
