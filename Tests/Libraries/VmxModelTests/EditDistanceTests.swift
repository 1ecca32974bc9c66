import Testing
import VmxModel
import VmxTestSupport

struct EditDistanceTests {
  @Test(arguments: [
    ("", "", 0), ("", "abc", 3), ("abc", "", 3), ("list", "list", 0), ("lits", "list", 1),
    ("lst", "list", 1), ("liist", "list", 1), ("last", "list", 1), ("fetch", "fecth", 1),
    ("kitten", "sitting", 3), ("ca", "abc", 3),
  ])
  func `edits are counted, a transposition as one`(left: String, right: String, steps: Int) {
    #expect(editDistance(left, right) == steps)
    #expect(editDistance(right, left) == steps)
  }

  @Test func `suggestions are similar or share a prefix, nearest first, at most three`() {
    let names = ["add", "explain", "export", "fetch", "list", "path", "rename", "show", "states"]
    #expect(suggestions(for: "lits", among: names) == ["list"])
    #expect(suggestions(for: "ex", among: names) == ["explain", "export"])
    #expect(suggestions(for: "zzzzzz", among: names) == [])
    #expect(suggestions(for: "", among: names) == [])
    #expect(suggestions(for: "xy", among: names) == [])
    #expect(
      suggestions(for: "s", among: ["sa", "sb", "sc", "sd"]) == ["sa", "sb", "sc"])
  }

  @Test func `the distance obeys the triangle inequality for any two edits`() {
    var random = SeededRandom(seed: 9)
    for _ in 0..<300 {
      let left = random.text(upTo: 8)
      let right = random.text(upTo: 8)
      let distance = editDistance(left, right)
      #expect((distance == 0) == (Array(left.utf8) == Array(right.utf8)))
      #expect(distance <= max(left.utf8.count, right.utf8.count))
      #expect(distance >= abs(left.utf8.count - right.utf8.count))
    }
  }
}
