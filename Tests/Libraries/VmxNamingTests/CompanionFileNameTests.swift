import Testing
import VmxModel
import VmxNaming

struct CompanionFileNameTests {
  /// Returns language and flags, joined by spaces.
  private func text(_ ending: String) -> String? {
    guard let file = CompanionFileName("A - S01E02\(ending)", beside: "A - S01E02") else {
      return nil
    }
    let words = [file.language ?? "", file.isForced ? "forced" : "", file.isSDH ? "sdh" : ""]
    return words.filter { !$0.isEmpty }.joined(separator: " ")
  }

  @Test(arguments: [
    (".srt", ""), (".en.srt", "en"), (".EN.SRT", "en"), (".eng.vtt", "en"), (".ger.ass", "de"),
    (".deu.ass", "de"), (".English.srt", "en"), (".pt-BR.srt", "pt-BR"), (".pt_br.srt", "pt-BR"),
    (".zh-hans.srt", "zh-Hans"), (".pob.srt", "pt-BR"), (".en.forced.srt", "en forced"),
    (".foreign.en.srt", "en forced"), (".en.cc.srt", "en sdh"),
    (".default.en.sdh.srt", "en sdh"),
    (".English - SDH.srt", "en sdh"), (".English (SDH).srt", "en sdh"),
    (".en-orig.vtt", "en"), (".de-en.vtt", "de"), (".pt-br.srt", "pt-BR"),
    (".hi.srt", "hi"), (".hi.forced.srt", "hi forced"), (".en.hi.srt", "en sdh"),
    (".hi.en.srt", "en sdh"), (".fr.en.srt", "en"), (".Commentary.en.srt", "en"),
    (".yue.srt", "yue"), (".Director.srt", ""), (".sdh.srt", "sdh"), (".en.txt", "en"),
  ])
  func `the names of subtitles contain language and flags`(ending: String, wanted: String) {
    #expect(text(ending) == wanted)
    #expect(CompanionFileName("A\(ending)", beside: "A")?.role == .subtitle)
  }

  @Test(
    arguments: [
      ("2_English.srt", "en"), ("English.srt", "en"), ("A - S01E02.de.srt", "de"),
      ("A - S01E02_3_French.srt", "fr"), ("other.srt", nil),
    ] as [(String, String?)])
  func `a folder of subtitles has files named by languages`(name: String, language: String?) {
    let file = CompanionFileName(inSubtitles: name, of: "A - S01E02")
    #expect(file?.role == .subtitle && file?.language == language)
    #expect(CompanionFileName(inSubtitles: "notes.txt", of: "A") == nil)
  }

  @Test(arguments: [
    "-2.srt", "3.en.srt", " copy.srt", ".part", "", ".doc", "-cover art.jpg", "_en.srt",
  ])
  func `a file with another stem or kind does not belong to the video`(ending: String) {
    #expect(text(ending) == nil)
    #expect(CompanionFileName("B.en.srt", beside: "A") == nil)
  }

  @Test(
    arguments: [
      (".nfo", .metadata), (".info.json", .metadata), (".key", .key), (".mkv", .video),
      ("-thumb.jpg", .image), (".jpg", .image), ("-poster.PNG", .image), ("-fanart.webp", .image),
    ] as [(String, PartRole)])
  func `the extension determines the role`(ending: String, role: PartRole) {
    #expect(CompanionFileName("A.b\(ending)", beside: "A.b")?.role == role)
  }

  @Test(arguments: [
    "poster.jpg", "folder.jpg", "cover.png", "fanart.jpg", "clearlogo.png", "season01-poster.jpg",
    "Season12-Banner.jpg", "season-specials-poster.jpg", "tvshow.nfo", "season.nfo",
  ])
  func `files of shows and seasons have fixed names`(name: String) {
    #expect(
      CompanionFileName(ofFolder: name)?.role == (name.hasSuffix(".nfo") ? .metadata : .image))
  }

  @Test(arguments: [
    "holiday.jpg", "season-poster.jpg", "season1x-poster.jpg", "movie.nfo", "poster", "",
  ])
  func `another name is not a companion`(name: String) {
    #expect(CompanionFileName(ofFolder: name) == nil)
  }
}
