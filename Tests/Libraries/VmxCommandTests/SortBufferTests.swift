import Testing
import VmxCommand

@Suite struct SortBufferTests {
  private func sorted(
    _ rows: [(String, String)], numeric: Bool, descending: Bool
  ) -> [String] {
    var buffer = SortBuffer(isNumeric: numeric, isDescending: descending)
    for (id, key) in rows { buffer.add(id: id, key: key) }
    var ids: [String] = []
    buffer.forEach { ids.append($0) }
    return ids
  }

  @Test func `numbers are compared as numbers`() {
    let rows = [("a", "10"), ("b", "9"), ("c", "-1")]
    #expect(sorted(rows, numeric: true, descending: false) == ["c", "b", "a"])
    #expect(sorted(rows, numeric: true, descending: true) == ["a", "b", "c"])
  }

  @Test func `texts are compared case-insensitively`() {
    let rows = [("a", "beta"), ("b", "Alpha"), ("c", "alp")]
    #expect(sorted(rows, numeric: false, descending: false) == ["c", "b", "a"])
  }

  @Test(arguments: [true, false]) func `rows without a key come last`(descending: Bool) {
    let rows = [("a", ""), ("b", "1"), ("c", "")]
    #expect(sorted(rows, numeric: true, descending: descending) == ["b", "a", "c"])
    #expect(sorted(rows, numeric: false, descending: descending) == ["b", "a", "c"])
  }

  @Test(arguments: [true, false]) func `equal keys keep their order`(descending: Bool) {
    let rows = [("a", "1"), ("b", "1"), ("c", "1")]
    #expect(sorted(rows, numeric: true, descending: descending) == ["a", "b", "c"])
  }
}
