import Testing
import VmxModel

struct CompanionFileNameTests {
  /// Returns language, flags and title, joined by spaces.
  private func text(_ ending: String) -> String? {
    guard let file = CompanionFileName("A - S01E02\(ending)", beside: "A - S01E02") else {
      return nil
    }
    let flags = [
      file.isForced ? "forced" : "", file.isSDH ? "sdh" : "", file.isDefault ? "default" : "",
    ]
    return ([file.language ?? ""] + flags + [file.title ?? ""]).filter { !$0.isEmpty }
      .joined(separator: " ")
  }

  @Test(arguments: [
    (".srt", ""), (".en.srt", "en"), (".EN.SRT", "en"), (".eng.vtt", "en"), (".ger.ass", "de"),
    (".deu.ass", "de"), (".English.srt", "en"), (".pt-BR.srt", "pt-BR"), (".pt_br.srt", "pt-BR"),
    (".zh-hans.srt", "zh-Hans"), (".pob.srt", "pt-BR"), (".en.forced.srt", "en forced"),
    (".foreign.en.srt", "en forced"), (".en.cc.srt", "en sdh"),
    (".default.en.sdh.srt", "en sdh default"),
    (".hi.srt", "hi"), (".hi.forced.srt", "hi forced"), (".en.hi.srt", "en sdh"),
    (".hi.en.srt", "en sdh"), (".fr.en.srt", "en fr"), (".Commentary.en.srt", "en Commentary"),
    (".yue.srt", "yue"), (".Director.srt", "Director"), (".sdh.srt", "sdh"), (".en.txt", "en"),
  ])
  func `the names of subtitles contain language, flags and title`(ending: String, wanted: String) {
    #expect(text(ending) == wanted)
    #expect(CompanionFileName("A\(ending)", beside: "A")?.role == .subtitle)
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
      (".nfo", .metadata, nil), (".info.json", .metadata, nil), (".key", .key, nil),
      (".mkv", .video, nil),
      ("-thumb.jpg", .image, .thumb), (".jpg", .image, .thumb), ("-poster.PNG", .image, .poster),
      ("-fanart.webp", .image, .fanart),
    ] as [(String, PartRole, CompanionFileName.Picture?)])
  func `the extension determines the role`(
    ending: String, role: PartRole, picture: CompanionFileName.Picture?
  ) throws {
    let file = try #require(CompanionFileName("A.b\(ending)", beside: "A.b"))
    #expect(file.role == role && file.picture == picture)
  }

  @Test(
    arguments: [
      ("poster.jpg", .folder, .poster), ("folder.jpg", .folder, .poster),
      ("cover.png", .folder, .poster),
      ("fanart.jpg", .folder, .fanart), ("clearlogo.png", .folder, .clearlogo),
      ("season01-poster.jpg", .season(1), .poster), ("Season12-Banner.jpg", .season(12), .banner),
      ("season-specials-poster.jpg", .season(0), .poster), ("tvshow.nfo", .folder, nil),
      ("season.nfo", .folder, nil),
    ] as [(String, CompanionFileName.Subject, CompanionFileName.Picture?)])
  func `files of shows and seasons have fixed names`(
    name: String, subject: CompanionFileName.Subject, picture: CompanionFileName.Picture?
  ) throws {
    let file = try #require(CompanionFileName(ofFolder: name))
    #expect(file.subject == subject && file.picture == picture)
    #expect(file.role == (picture == nil ? .metadata : .image))
  }

  @Test(arguments: [
    "holiday.jpg", "season-poster.jpg", "season1x-poster.jpg", "movie.nfo", "poster", "",
  ])
  func `another name is not a companion`(name: String) {
    #expect(CompanionFileName(ofFolder: name) == nil)
  }
}
