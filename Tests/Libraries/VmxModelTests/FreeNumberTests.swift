import Testing
import VmxModel

struct FreeNumberTests {
  @Test(arguments: [1, 2, 3, 4, 5, 1000, 1_000_000])
  func `the next number of a name with copies is found by few queries`(copies: Int) {
    var queries = 0
    let number = freeNumber(above: 1) {
      queries += 1
      return $0 <= copies
    }
    #expect(number == copies + 1)
    #expect(queries <= 42)
  }

  @Test func `the number of a removed copy is used again, or a higher one`() {
    let taken: Set = [1, 2, 3, 5, 6, 7, 8]
    let number = freeNumber(above: 1) { taken.contains($0) }
    #expect(!taken.contains(number) && taken.contains(number - 1))
  }
}
