import Testing

@testable import VmxMarkup

struct HTMLTextTests {
  @Test(
    arguments: [
      ("", ""), ("plain text", "plain text"), ("  spaces \n\t and lines ", "spaces and lines"),
      ("<p>One.</p>\n<p>Two <b>bold</b> <i>words</i>.</p>", "One.\n\nTwo bold words."),
      ("one<br>two<br/>three", "one\ntwo\nthree"),
      ("Intro:<ul><li>first</li><li>second</li></ul>end", "Intro:\n\n- first\n- second\n\nend"),
      ("<a href='https://example.org/?a=1&b=2'>link</a>", "link"),
      ("a<div>b</div>c", "a\nb\nc"), ("<em>un</em>broken", "unbroken"),
      ("Tom &amp; Ann", "Tom & Ann"), ("&eacute;&#233;&#xe9;&hellip;", "ééé…"),
      ("it&#146;s &#147;so&#148;", "it’s “so”"), ("a&nbsp;b", "a b"),
      ("x<script>alert(1)</script><style>p{}</style>y", "xy"), ("a<!-- note -->b", "ab"),
      ("<![CDATA[<p>in</p>]]>", "in"), ("soft&shy;hyphen", "softhyphen"),
    ])
  func `elements, references and white space of HTML become text`(html: String, text: String) {
    #expect(HTMLText.plainText(html) == text)
  }

  @Test(
    arguments: [
      ("Tom &amp;amp; Ann", "Tom & Ann"), ("&amp;#8217;s", "’s"),
      ("&lt;p&gt;One &lt;b&gt;two&lt;/b&gt;&lt;/p&gt;", "One two"),
      ("<p>Caf&amp;eacute;</p><p>Bar</p>", "Café\n\nBar"),
      // A tag with escaped brackets is text.
      ("<p>the &lt;b&gt; tag &amp;amp; more</p>", "the <b> tag & more"),
    ])
  func `a text that was encoded twice is decoded twice`(html: String, text: String) {
    #expect(HTMLText.plainText(html) == text)
  }

  @Test(
    arguments: [
      ("1 < 2 and 3 > 2", "1 < 2 and 3 > 2"), ("I <3 you", "I <3 you"), ("AT&T", "AT&T"),
      ("R&D; more", "R&D; more"), ("&unknown; &", "&unknown; &"), ("a &lt; b", "a < b"),
      ("unclosed <b>bold", "unclosed bold"), ("cut <a href='x", "cut"),
    ])
  func `text that is not HTML stays`(html: String, text: String) {
    #expect(HTMLText.plainText(html) == text)
  }

  @Test func `a title is one line`() {
    #expect(HTMLText.line("<p>Part 1:</p> <p>The\nEnd</p>") == "Part 1: The End")
  }

  @Test func `a hostile text costs little and cannot grow`() {
    let deep =
      String(repeating: "<b>", count: 60_000) + "x" + String(repeating: "</i>", count: 9000)
    #expect(HTMLText.plainText(deep).utf8.count < 100)
    let long = String(repeating: "é &amp;amp; ", count: 200_000)
    #expect(HTMLText.plainText(long).utf8.count <= HTMLText.maxBytes)
    let control = "a\u{0}b\u{1B}[31mc"
    #expect(HTMLText.plainText(control) == "ab[31mc")
  }

  @Test func `every cut of a text is read`() {
    let html = Array("<p>a &amp;amp; <b>é</b><br/>&#146;<script>x</script></p><![CDATA[y]]>".utf8)
    for length in html.indices {
      let text = HTMLText.plainText(String(decoding: html.prefix(length), as: UTF8.self))
      #expect(text.utf8.count <= html.count)
    }
  }
}
