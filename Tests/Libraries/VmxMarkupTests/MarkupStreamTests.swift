import Testing

@testable import VmxMarkup

/// Malformed feeds, repaired in the way that feed readers do.
struct MarkupStreamTests {
  /// Returns the elements and texts as one line: `a(b(text))`.
  private func outline(_ bytes: [UInt8], charset: String? = nil) throws -> String {
    var text = ""
    _ = try MarkupStream.parse(bytes, charset: charset) { event in
      switch event {
      case .begin(let element):
        let attributes = element.attributes.sorted { $0.key < $1.key }
        text += element.name + attributes.map { "[\($0.key)=\($0.value)]" }.joined() + "("
      case .text(let piece): text += piece
      case .end: text += ")"
      }
      return true
    }
    return text
  }

  @Test(arguments: [
    ("<a><b>x<br>y</b><c/></a>", "a(b(xbr(y))c())"),
    ("<a><b>1 < 2 & 3</b></a>", "a(b(1 < 2 & 3))"),
    ("<a>&nbsp;&eacute;&bogus;&#146;&#0;</a>", "a(\u{A0}é&bogus;\u{2019}\u{FFFD})"),
    ("<a b=c d='<&quot;&amp;e' f>x</a>", "a[b=c][d=<\"&e][f=](x)"),
    ("<a><![CDATA[1 < 2 &amp; <b>]]></a>", "a(1 < 2 &amp; <b>)"),
    ("<a><b><![CDATA[cut</b><c>d</c></a>", "a(b(cut)c(d))"),
    ("<a><b><![CDATA[cut</b><c><![CDATA[d]]></c></a>", "a(b(cut)c(d))"),
    ("<a><b>text", "a(b(text))"),
    ("<a></b></c>x</a>", "a(x)"),
    ("\n <?xml version='1.0'?><!-- x --><a>x<!-- <b> --></a>", "a(x)"),
    ("<a><x:b y:c='d'>e</x:b></a>", "a(b[c=d](e))"),
    (
      "<!DOCTYPE a [<!ENTITY b \"<c>\"><!ENTITY d SYSTEM 'file:///etc/passwd'>]><a>&b;&d;</a>",
      "a(&b;&d;)"
    ),
    ("<a>x\u{1}\u{8}y</a>", "a(xy)"), ("<a b='cut", ""), ("no markup", ""), ("", ""),
  ])
  func `damage is repaired`(_ text: String, _ expected: String) throws {
    #expect(try outline(Array(text.utf8)) == expected)
  }

  @Test func `a byte that is no UTF-8 counts as Windows-1252 and spoils no other`() throws {
    let bytes =
      Array("<?xml version='1.0' encoding='utf-8'?><a>é".utf8) + [0x92, 0xE9] + Array("</a>".utf8)
    #expect(try outline(bytes) == "a(é\u{2019}é)")
  }

  @Test func `the encoding that the server names counts where bytes are no UTF-8`() throws {
    let bytes = Array("<a>".utf8) + [0xF0, 0xD2] + Array("</a>".utf8)
    #expect(try outline(bytes, charset: "koi8-r") == "a(Пр)")
    #expect(try outline(Array("<a>é</a>".utf8), charset: "koi8-r") == "a(é)")
  }

  @Test func `a byte order mark precedes what server and document declare`() throws {
    let bytes =
      [0xEF, 0xBB, 0xBF] + Array("<?xml version='1.0' encoding='koi8-r'?><a>é".utf8)
      + [0xF0] + Array("</a>".utf8)
    #expect(try outline(bytes, charset: "koi8-r") == "a(éð)")
    #expect(try MarkupFields(bytes)?.root == "a")
    #expect(String(decoding: MarkupText.prepared(bytes), as: UTF8.self).hasSuffix("<a>éð</a>"))
  }

  @Test func `entities that a document declares are never expanded`() throws {
    var text = "<!DOCTYPE a [<!ENTITY l0 \"lol\">"
    for level in 1...20 { text += "<!ENTITY l\(level) \"&l\(level - 1);&l\(level - 1);\">" }
    #expect(try outline(Array((text + "]><a>&l20;</a>").utf8)) == "a(&l20;)")
  }

  @Test func `elements nested without end cost no more than their length`() throws {
    let text =
      String(repeating: "<a>", count: 100_000) + String(repeating: "<![CDATA[", count: 9999)
    #expect(try outline(Array(text.utf8)).hasPrefix("a(a(a("))
  }
}
