import Testing
import VmxModel

@testable import VmxMarkup

struct MarkupFieldsTests {
  private func fields(_ text: String) throws -> MarkupFields? { try MarkupFields(Array(text.utf8)) }

  @Test func `each child of the root is a field, the first of a name counts`() throws {
    let found = try #require(
      try fields("<?xml version='1.0'?><m xmlns='x'><a>1</a><b>t &amp; u</b><a>2</a><c/></m>"))
    #expect(found.root == "m" && found.isWellFormed)
    #expect(found.values == ["a": "1", "b": "t & u", "c": ""])
  }

  @Test func `nested elements and entities of the document give no text`() throws {
    let found = try #require(
      try fields(
        "<!DOCTYPE m [<!ENTITY e 'boom'><!ENTITY f SYSTEM 'file:///etc/passwd'>]>"
          + "<m><a>x&e;&f;</a><b>y<i>z</i></b></m>"))
    #expect(found.values["a"] == "x&e;&f;")
    #expect(found.values["b"]?.contains("z") == false)
  }

  @Test func `text without an element is no document`() throws {
    #expect(try fields("nothing here") == nil)
    #expect(try fields("") == nil)
  }

  @Test func `every cut of a document is read without a trap`() throws {
    let whole = Array("<m><a>1</a><b>t &amp; ü</b><c><d>x</d></c></m>".utf8)
    for count in whole.indices {
      #expect(try MarkupFields(Array(whole[..<count]))?.isWellFormed != true)
    }
    for place in whole.indices {
      var flipped = whole
      flipped[place] ^= 0x20
      _ = try MarkupFields(flipped)
    }
  }
}
