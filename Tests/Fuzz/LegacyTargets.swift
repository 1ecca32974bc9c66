import VmxJSON
import VmxLibrary
import VmxMarkup
import VmxModel
import VmxNaming

@testable import VmxMigrating

/// Readers of the files of other programs: names of media files, NFO files, metadata of downloads,
/// property lists, control files of aria2.
enum LegacyTargets {
  static let all = [
    FuzzTarget(name: "media-name", take: name), FuzzTarget(name: "nfo", take: document),
    FuzzTarget(name: "yt-dlp", take: information), FuzzTarget(name: "markup-fields", take: fields),
    FuzzTarget(name: "property-list", take: list), FuzzTarget(name: "aria2", take: control),
  ]

  @Sendable private static func name(_ bytes: [UInt8]) {
    let path = String(decoding: bytes, as: UTF8.self)
    let name = EpisodeFileName(path)
    let number = name.number ?? name.absolute
    hold(number ?? 0 >= 0 && name.season ?? 0 >= 0, "no number is below zero")
    hold(name.absolute == nil || name.season == nil, "a number in a season is none of the show")
    hold(name.numbers.first ?? number == number, "the numbers begin with the first")
    hold(zip(name.numbers, name.numbers.dropFirst()).allSatisfy(<), "the numbers ascend")
    hold(name.title?.isEmpty != true && name.showTitle?.isEmpty != true, "no title is empty")
    hold(name.title == nil || name.hasPlace, "without a place there is no title")
    if let file = CompanionFileName(path, beside: "") {
      hold(file.language.map { LanguageTag.isTag($0.utf8) } ?? true, "a language is a tag")
    }
    _ = CompanionFileName(ofFolder: path)
  }

  @Sendable private static func document(_ bytes: [UInt8]) {
    do throws(Failure) {
      let contents = try NFOContents(bytes)
      for document in contents.documents {
        let numbers = [document.season, document.number, document.playCount].compactMap { $0 }
        hold(numbers.allSatisfy { $0 >= 0 }, "no number is below zero")
        hold(document.duration ?? 1 > 0 && document.position ?? 1 > 0, "no time is 0")
        hold((0...10).contains(document.rating ?? 0), "a rating is of ten")
        hold(document.title?.isEmpty != true, "no title is empty")
      }
    } catch {
      hold(false, "there is memory for a small document")
    }
  }

  @Sendable private static func information(_ bytes: [UInt8]) {
    do throws(JSONSyntaxError) {
      guard let object = try JSONParser().parse(bytes).object else { return }
      let info = YtDlpInfo(object)
      let description = info.description
      let numbers = [description.season, description.number].compactMap { $0 }
      hold(numbers.allSatisfy { $0 >= 0 }, "no number is below zero")
      hold(description.duration ?? 1 > 0, "no time is 0")
      hold(description.title?.isEmpty != true, "no title is empty")
      _ = description.proposedID
      for request in info.requests {
        guard case .success(let description) = request.description else { continue }
        hold(description.video?.variants.first?.sources.count == 1, "a request has its address")
      }
    } catch {
      // Another target tests JSON.
    }
  }

  @Sendable private static func fields(_ bytes: [UInt8]) {
    do throws(Failure) {
      let fields = try MarkupFields(bytes)
      hold(fields?.root.isEmpty != true, "a root has a name")
    } catch {
      hold(false, "there is memory for a small document")
    }
  }

  @Sendable private static func list(_ bytes: [UInt8]) {
    do throws(Failure) {
      let list = try PropertyList(bytes)
      hold(depth(of: list) <= 64, "no list is deeper than the limit")
    } catch {
      hold(error.code == .recordUnreadable, "there is memory for a small list")
    }
  }

  @Sendable private static func control(_ bytes: [UInt8]) {
    do throws(Failure) {
      let control = try Aria2Control(bytes)
      hold(control.total > 0, "a download has a length")
      let isBelow = control.completedRanges.ranges.allSatisfy {
        $0.start >= 0 && $0.end <= control.total
      }
      hold(isBelow, "no byte is held behind the end")
      hold(!control.isTorrent || control.completedRanges.count == 0, "nothing is held of a torrent")
    } catch {
      hold(error.code == .recordUnreadable, "what is none is unreadable")
    }
    _ = Aria2Session(bytes)
  }

  private static func depth(of list: PropertyList) -> Int {
    let members = list.array ?? list.fields?.map(\.value)
    return members.map { 1 + ($0.lazy.map(depth).max() ?? 0) } ?? 0
  }
}
