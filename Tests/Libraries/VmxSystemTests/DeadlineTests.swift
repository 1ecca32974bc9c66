import Testing

@testable import VmxSystem

@Suite struct DeadlineTests {
  @Test(arguments: [0, -1, Int64.min])
  func `a deadline without time left is past immediately`(milliseconds: Int64) {
    #expect(Deadline(milliseconds: milliseconds).isPast)
    #expect(Deadline(milliseconds: milliseconds).remaining == 0)
  }

  @Test func `a deadline beyond all clocks never expires`() {
    #expect(!Deadline(milliseconds: .max).isPast)
  }

  @Test func `sleeping never exceeds the deadline`() {
    // Sleeping for the whole span would take 292 years.
    Deadline(milliseconds: 1).sleep(nanoseconds: .max)
  }
}
