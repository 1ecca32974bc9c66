import Testing
import VmxModel
import VmxTestSupport

@testable import VmxMarkup

/// Documents designed to exhaust a parser or to read files. The time limit of a test ensures that
/// the parser stops quickly.
struct HostileMarkupTests {
  private func title(_ text: String) throws -> String? {
    try NFOContents(Array(text.utf8)).documents.first?.title
  }

  @Test(.timeLimit(.minutes(1)))
  func `entities of a document are never expanded`() throws {
    let levels = (1...30).map { level in
      "<!ENTITY l\(level) \"\(String(repeating: "&l\(level - 1);", count: 10))\">"
    }
    let laughs = "<!DOCTYPE tvshow [<!ENTITY l0 \"lol\">\(levels.joined())]>"
    #expect(try title("\(laughs)<tvshow><title>&l30;</title></tvshow>") == "&l30;")
    #expect(try title("\(laughs)<tvshow a='&l30;'><title>A</title></tvshow>") == "A")
  }

  @Test(.timeLimit(.minutes(1)))
  func `parameter entities are never expanded`() throws {
    let levels = (1...30).map { level in
      "<!ENTITY % p\(level) '\(String(repeating: "&#37;p\(level - 1);", count: 10))'>"
    }
    let text = "<!DOCTYPE tvshow [<!ENTITY % p0 'x'>\(levels.joined())%p30;]>"
    let contents = try NFOContents(Array("\(text)<tvshow><title>A</title></tvshow>".utf8))
    #expect(contents.documents.allSatisfy { ["A", nil].contains($0.title) })
  }

  @Test func `no file is read, and no address is asked`() throws {
    let scratch = try ScratchFolder()
    try scratch.write("secret.txt", "secret")
    try scratch.write("secret.dtd", "<!ENTITY e 'secret'>")
    let file = "file://\(scratch.path("secret"))"
    for subset in [
      "<!DOCTYPE tvshow [<!ENTITY e SYSTEM \"\(file).txt\">]>",
      "<!DOCTYPE tvshow SYSTEM \"\(file).dtd\">",
      "<!DOCTYPE tvshow [<!ENTITY % d SYSTEM \"\(file).dtd\">%d;]>",
    ] {
      let text = "\(subset)<tvshow><title>&e;</title><plot>a</plot></tvshow>"
      let contents = try NFOContents(Array(text.utf8))
      #expect(!"\(contents)".contains("\"secret\""), "\(subset)")
    }
    let include =
      "<tvshow xmlns:xi='http://www.w3.org/2001/XInclude'><title>"
      + "<xi:include href='\(file).txt' parse='text'/></title></tvshow>"
    #expect(try title(include) == nil)
  }

  @Test(
    .timeLimit(.minutes(1)),
    arguments: ["<a>", "<", "<tvshow/>", "&", "<![CDATA[", "<!--", "&#1;", "<?"])
  func `a mebibyte of anything ends at once`(piece: String) throws {
    let count = NFOContents.maxBytes / piece.utf8.count
    let contents = try NFOContents(Array(String(repeating: piece, count: count).utf8))
    #expect(contents.documents.count <= 256)
  }

  @Test func `elements are parsed once and in order, whatever their number`() throws {
    var events: [MarkupEvent] = []
    var place = 0
    let text = MarkupText.prepared(Array("<a x='1' p:y='2' xmlns:p='u'><p:b/>t</a> <c/>".utf8))
    let form = try MarkupParser.parse(text, from: &place) { events.append($0) }
    #expect(form == .wellFormed && String(decoding: text[place...], as: UTF8.self) == " <c/>")
    #expect(
      events == [
        .begin(MarkupElement(name: "a", attributes: ["x": "1", "y": "2"], line: 1)),
        .begin(MarkupElement(name: "b", prefix: "p", namespace: "u", line: 1)), .end, .text("t"),
        .end,
      ])
    #expect(try MarkupParser.parse(text, from: &place) { _ in } == .wellFormed)
    #expect(place == text.count)
    #expect(try MarkupParser.parse(text, from: &place) { _ in } == .empty)
  }
}
