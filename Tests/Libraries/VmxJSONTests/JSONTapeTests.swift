import Testing
import VmxJSON
import VmxModel

struct JSONTapeTests {
  let parser = JSONParser()

  private func withTape(_ text: String, _ body: (JSONTape?) -> Void) {
    Array(text.utf8).withUnsafeBytes { bytes in
      let isRead: Void? = parser.withTape(copying: bytes) { body($0) }
      if isRead == nil { body(nil) }
    }
  }

  @Test func `fields are found behind nested values`() {
    withTape(#"{"a":{"x":[1,{"n":5}]},"d":1.5,"big":18446744073709551615,"n":7,"t":true}"#) {
      #expect($0?.field("n")?.integer == 7)
      #expect($0?.field("t")?.bool == true)
      #expect($0?.field("a")?.field("x")?.isArray == true)
      #expect($0?.field("big")?.integer == nil)
      #expect($0?.field("x")?.value == nil)
    }
  }

  @Test func `strings are compared without copies`() {
    withTape(#"{"s":"a\u0062c","n":null}"#) {
      #expect($0?.field("s")?.equals("abc") == true)
      #expect($0?.field("s")?.equals("abd") == false)
      #expect($0?.field("n")?.isNull == true)
    }
  }

  @Test func `elements are visited until a stop is requested`() {
    withTape("[1,[2],3,4]") { tape in
      var seen: [Int64?] = []
      tape?.forEachElement {
        seen.append($0.integer)
        return seen.count < 3
      }
      #expect(seen == [1, nil, 3])
    }
  }

  @Test func `invalid text creates no tape`() {
    withTape(#"{"a":1,"a":2}"#) { #expect($0?.value == nil) }
    withTape("{") { #expect($0?.value == nil) }
  }
}
