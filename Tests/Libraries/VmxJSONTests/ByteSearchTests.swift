import Testing
import VmxJSON

struct ByteSearchTests {
  private func offset(of needle: String, in text: String) -> Int? {
    Array(text.utf8).withUnsafeBytes { ByteSearch.offset(of: Array(needle.utf8), in: $0) }
  }

  @Test(arguments: [0, 1, 7, 15, 16, 17, 31, 32, 33, 100])
  func `a needle is found at any place`(place: Int) {
    let before = String(repeating: "n", count: place)
    for after in 0..<40 {
      let text = before + "needle" + String(repeating: "e", count: after)
      #expect(offset(of: "needle", in: text) == place)
    }
  }

  @Test func `the first of several places is given`() {
    #expect(offset(of: "ab", in: "xxabab") == 2)
    #expect(offset(of: "a", in: "xxaba") == 2)
  }

  @Test func `what is not there is not found`() {
    #expect(offset(of: "needle", in: String(repeating: "needl", count: 50)) == nil)
    #expect(offset(of: "abc", in: "ab") == nil)
    #expect(offset(of: "", in: "ab") == nil)
    #expect(offset(of: "a", in: "") == nil)
  }
}
