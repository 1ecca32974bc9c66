import Testing

@testable import VmxMarkup

@Suite struct TrackListTests {
  @Test func `tracks have locations, titles, times and lines`() throws {
    let document = """
      <?xml version="1.0" encoding="UTF-8"?>
      <!-- a
           comment -->
      <playlist version="1" xmlns="http://xspf.org/ns/0/">
        <title>The list</title>
        <trackList>
          <track>
            <location>file:///home/me/a.mp4</location>
            <location> https://a/1.mp4?x=1&amp;y=2 </location>
            <location>https://b/1.mp4</location>
            <title>One,
              <![CDATA[two & three]]></title><duration>60500</duration>
            <extension application="x"><title>other</title></extension>
          </track>
          <track><title>No location</title></track>
          <track><location>https://a/2.mp4</location><duration>-1</duration></track>
        </trackList>
      </playlist>
      """
    let list = try TrackList(Array(document.utf8))
    #expect(
      list?.tracks == [
        TrackList.Track(
          location: "https://a/1.mp4?x=1&y=2", title: "One, two & three", duration: 60500, line: 9),
        TrackList.Track(location: "https://a/2.mp4", line: 16),
      ])
  }

  @Test func `another document is no list of tracks`() throws {
    for text in ["", "words", "<html><body>x</body></html>", "<opml><outline/></opml>"] {
      #expect(try TrackList(Array(text.utf8)) == nil)
    }
    #expect(try TrackList(Array("<playlist/>".utf8))?.tracks.isEmpty == true)
  }

  @Test func `a truncated list has the tracks before its end`() throws {
    let text = """
      <playlist><trackList><track><location>https://a/1</location></track><track><location>htt
      """
    #expect(try TrackList(Array(text.utf8))?.tracks.map(\.location) == ["https://a/1"])
  }

  @Test func `entities that the document declares are not expanded`() throws {
    let levels = (1...9).map { level in
      "<!ENTITY e\(level) \"\(String(repeating: "&e\(level - 1);", count: 10))\">"
    }
    let text = """
      <!DOCTYPE playlist [<!ENTITY e0 "lol"><!ENTITY f SYSTEM "file:///etc/hostname">\
      \(levels.joined())]><playlist><trackList><track><location>https://a/&f;</location>\
      <title>&e9;</title></track></trackList></playlist>
      """
    let track = try TrackList(Array(text.utf8))?.tracks.first
    #expect(track?.location == "https://a/&f;")
    #expect(track?.title == "&e9;")
  }
}
