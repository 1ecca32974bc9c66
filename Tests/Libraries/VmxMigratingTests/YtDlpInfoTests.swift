import Testing
import VmxJSON
import VmxLibrary
import VmxModel

struct YtDlpInfoTests {
  private func info(_ json: String) throws -> YtDlpInfo {
    YtDlpInfo(try #require(try JSONParser().parse(json).object))
  }

  private func description(_ json: String) throws -> EpisodeDescription {
    try info(json).description
  }

  @Test func `the title is that of the episode, unless yt-dlp made it of the number`() throws {
    #expect(try description(#"{"title":"T","episode":"E"}"#).title == "E")
    let madeUp = #"{"title":"T","episode":"Episode 2","episode_number":2}"#
    #expect(try description(madeUp).title == "T")
    #expect(try description(#"{"episode":"Episode 2","episode_number":2}"#).title == "Episode 2")
    #expect(try description(#"{"fulltitle":"F","alt_title":"A"}"#).title == "F")
    #expect(try description(#"{"alt_title":"A","title":" "}"#).title == "A")
  }

  @Test(arguments: [
    (#"{"series":"S","playlist_title":"P","channel":"C"}"#, "S"),
    (#"{"playlist_title":"P","channel":"C"}"#, "P"),
    (#"{"channel":"C","uploader":"U"}"#, "C"),
    (#"{"series":null,"uploader":"U"}"#, "U"),
  ])
  func `the show is the series, else the playlist, else who published it`(
    _ json: String, _ show: String
  ) throws {
    #expect(try description(json).show == show)
  }

  @Test func `numbers are those of the series, and no place in a playlist`() throws {
    let found = try description(#"{"season_number":2,"episode_number":3,"playlist_index":9}"#)
    #expect(found.season == 2 && found.number == 3)
    #expect(try description(#"{"season":"Season 4"}"#).season == 4)
    let none = try description(#"{"playlist_index":9,"episode_number":-1,"season_number":"2"}"#)
    #expect(none.season == nil && none.number == nil)
  }

  @Test func `days are in UTC, and no day that does not exist is taken`() throws {
    let day = try description(#"{"upload_date":"20240520","release_date":"20240101"}"#).date
    #expect(day == CalendarDay("2024-05-20"))
    #expect(try description(#"{"release_date":"20240101"}"#).date == CalendarDay("2024-01-01"))
    #expect(try description(#"{"timestamp":1583229600.5}"#).date == CalendarDay("2020-03-03"))
    for wrong in ["\"20240231\"", "\"2024\"", "20240520", "\"日2024\""] {
      #expect(try description("{\"upload_date\":\(wrong)}").date == nil)
    }
    for wrong in ["1e300", "-1e300", "9223372036854775807", "\"1\""] {
      _ = try description("{\"timestamp\":\(wrong)}")
    }
  }

  @Test func `the playing time is in milliseconds`() throws {
    #expect(try description(#"{"duration":61.5}"#).duration == 61_500)
    #expect(try description(#"{"duration":7}"#).duration == 7000)
    for wrong in ["0", "-3", "1e300", "\"7\"", "null"] {
      #expect(try description("{\"duration\":\(wrong)}").duration == nil)
    }
  }

  @Test func `an id at a site identifies, and a day does not`() throws {
    let json = #"{"extractor_key":"Youtube","id":"Ab_1","channel":"C","upload_date":"20240520"}"#
    let found = try description(json)
    #expect(found.identityKeys == [.outside(catalogue: "youtube", id: "Ab_1")])
    #expect(try info(json).archiveLines == ["youtube Ab_1"])
    let old = #"{"extractor_key":"New","id":"1","_old_archive_ids":["old 2"]}"#
    #expect(
      try description(old).identityKeys
        == [.outside(catalogue: "new", id: "1"), .outside(catalogue: "old", id: "2")])
  }

  @Test func `the id of a page of any site identifies only with the page`() throws {
    func key(_ page: String) throws -> [IdentityKey] {
      try description(#"{"extractor_key":"Generic","id":"video","webpage_url":"\#(page)"}"#)
        .identity
    }
    #expect(try key("https://a.example/video") != key("https://b.example/video"))
    #expect(try key("https://a.example/v?utm_source=x") == key("https://a.example/v"))
    #expect(try key("https://a.example/x.m3u8").count == 1)
  }

  @Test func `the page of a video is kept unless it is the file itself`() throws {
    func page(_ json: String) throws -> String? { try description(json).pageURL }
    let watch = #"{"webpage_url":"https://me:pw@Site.example/w?v=1&utm_source=x#t","url":"u"}"#
    #expect(try page(watch) == "https://site.example/w?v=1")
    let direct = "https://cdn.example/film.mp4"
    #expect(try page(#"{"webpage_url":"\#(direct)","url":"\#(direct)"}"#) == nil)
    #expect(try page(#"{"webpage_url":"https://cdn.example/live.m3u8","url":"u"}"#) == nil)
    #expect(try page(#"{"url":"\#(direct)"}"#) == nil)
  }

  @Test func `fields of another type count as missing, and NULs are removed`() throws {
    let found = try description(
      #"{"title":7,"series":[],"id":12,"extractor_key":{},"description":"","tags":1}"#)
    var expected = EpisodeDescription.withoutDay
    expected.origin = .program
    #expect(found == expected)
    #expect(try info(#"{"id":12}"#).id == "12")
  }

  @Test func `a single file is a request with its figures`() throws {
    let json = #"""
      {"id":"1","extractor_key":"X","title":"T","url":"https://cdn.example/v.mp4?sig=1",
       "protocol":"https","height":720,"tbr":1500.5,"filesize":1000,"filesize_approx":5,
       "http_headers":{"Cookie":"secret"},"cookies":"secret","thumbnail":"https://i.example/1.jpg",
       "webpage_url":"https://x.example/1",
       "subtitles":{"en":[{"ext":"json3","url":"https://s.example/e.json3"},
         {"ext":"vtt","url":"https://s.example/e.vtt"}],"live_chat":[{"ext":"json","url":"https://s"}],
         "de":[{"ext":"vtt","url":"https://s.example/d.m3u8"}]},
       "automatic_captions":{"fr":[{"ext":"vtt","url":"https://s.example/f.vtt"}]}}
      """#
    let request = try #require(try info(json).requests.first)
    let found = try request.description.get()
    let video = try #require(found.video?.variants.first)
    #expect(video.sources.map(\.text) == ["https://cdn.example/v.mp4?sig=1"])
    #expect(video.height == 720 && video.bitrate == 1_500_500)
    #expect(video.size == ByteCount(1000))
    #expect(found.parts.map(\.name) == ["video", "subtitle:en", "image"])
    #expect(found.parts[1].variants[0].sources.map(\.text) == ["https://s.example/e.vtt"])
  }

  @Test func `only requested subtitles are taken if any were`() throws {
    let found = try info(
      #"""
      {"id":"1","url":"https://c.example/v.mp4","requested_subtitles":{"de":{"ext":"vtt"}},
       "subtitles":{"en":[{"ext":"vtt","url":"https://s.example/e"}],
         "de":[{"ext":"vtt","url":"https://s.example/d"}]}}
      """#
    ).requests[0].description.get()
    #expect(found.parts.map(\.name) == ["video", "subtitle:de"])
  }

  @Test(arguments: [
    #"{"id":"1","requested_formats":[{},{}]}"#,
    #"{"id":"1","url":"https://c.example/v","protocol":"m3u8_native"}"#,
    #"{"id":"1","url":"https://c.example/v.m3u8","protocol":"https"}"#,
    #"{"id":"1","url":"https://c.example/v","protocol":"http_dash_segments","fragments":[]}"#,
    #"{"id":"1","url":"rtmp://c.example/v"}"#,
    #"{"id":"1","_type":"url","url":"https://c.example/page"}"#,
    #"{"id":"1","title":"no format"}"#,
  ])
  func `what is not one file is no source`(_ json: String) throws {
    let request = try #require(try info(json).requests.first)
    #expect(throws: Failure.self) { try request.description.get() }
    if case .failure(let failure) = request.description {
      #expect(failure.code == .sourceUnsupported)
    }
  }

  @Test func `a playlist has a request for each entry that could be read`() throws {
    let found = try info(
      #"""
      {"_type":"playlist","title":"P","entries":[null,
       {"id":"1","url":"https://c.example/1.mp4","playlist_title":"Own"},
       {"_type":"playlist","title":"Q","entries":[{"id":"2","url":"https://c.example/2.mp4"}]}]}
      """#
    ).requests
    #expect(try found.map { try $0.description.get().show } == ["Own", "Q"])
  }

  @Test func `playlists in playlists end`() throws {
    let json =
      String(repeating: #"{"_type":"playlist","entries":["#, count: 100) + "{}"
      + String(repeating: "]}", count: 100)
    let found = try info(json).requests
    #expect(found.count == 1)
    #expect(throws: Failure.self) { try found[0].description.get() }
  }

  @Test(arguments: [
    ("en", "en"), ("pt-BR", "pt-BR"), ("zh-Hans", "zh-Hans"), ("en-orig", "en"), ("en-en", "en"),
    ("zh-Hant-de", "zh-Hant"), ("live_chat", nil), ("danmaku", nil), ("", nil), ("-", nil),
    ("-en", nil),
  ])
  func `tracks are named by languages`(_ key: String, _ language: String?) {
    #expect(LanguageName.tag(ofTrack: key) == language)
  }
}

extension EpisodeDescription {
  fileprivate static var withoutDay: EpisodeDescription {
    var description = EpisodeDescription()
    description.isDaily = false
    return description
  }
}
