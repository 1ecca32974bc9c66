import Testing
import VmxJSON
import VmxModel

struct JSONDocumentTests {
  @Test func `values outlive their text`() throws {
    var text = Array(#"[{"a":"one"},{"a":"two"},7]"#.utf8)
    let document = try #require(JSONDocument(text))
    text = []
    let texts = document.withRoot { root in
      var texts: [String?] = []
      root.forEachElement { element in
        texts.append(element.field("a")?.string)
        return true
      }
      return texts
    }
    #expect(texts == ["one", "two", nil])
  }

  @Test(arguments: ["", "[", "{\"a\":1,\"a\":2}", "[1] 2", "<html>"])
  func `invalid JSON creates no document`(text: String) {
    #expect(JSONDocument(Array(text.utf8)) == nil)
  }
}
