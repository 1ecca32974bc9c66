import VmxMarkup
import VmxModel

/// Readers of what other programs left: names of media files, NFO files.
enum LegacyTargets {
  static let all = [
    FuzzTarget(name: "media-name", take: name), FuzzTarget(name: "nfo", take: document),
  ]

  @Sendable private static func name(_ bytes: [UInt8]) {
    let path = String(decoding: bytes, as: UTF8.self)
    let name = EpisodeFileName(path)
    let number = name.number ?? name.absolute
    hold(number ?? 0 >= 0 && name.season ?? 0 >= 0, "no number is below zero")
    hold(name.absolute == nil || name.season == nil, "a number in a season is none of the show")
    hold(name.lastNumber ?? .max > number ?? 0, "the last number follows the first")
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
      let isNone = contents.documents.isEmpty && contents.links.isEmpty
      hold(isNone == (contents.refusal != nil), "what is none says why")
      for document in contents.documents {
        let numbers = [document.season, document.number, document.playCount].compactMap { $0 }
        hold(numbers.allSatisfy { $0 >= 0 }, "no number is below zero")
        hold(document.duration ?? 1 > 0 && document.position ?? 1 > 0, "no time is 0")
        hold((0...10).contains(document.rating ?? 0), "a rating is of ten")
        hold(document.title?.isEmpty != true, "no title is empty")
      }
      _ = contents.linkedIDs
    } catch {
      hold(false, "there is memory for a small document")
    }
  }
}
