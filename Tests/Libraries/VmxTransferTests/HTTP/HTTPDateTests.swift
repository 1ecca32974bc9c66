import Testing
import VmxModel

@testable import VmxTransfer

@Suite struct HTTPDateTests {
  @Test(arguments: [
    "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
  ])
  func `all three forms are read`(_ text: String) {
    #expect(HTTPDate.moment(text) == Timestamp(seconds: 784_111_777))
  }

  @Test(arguments: [
    "", "120", "Sun, 31 Jun 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 CET",
    "Sun, 06 Nov 1994 8:49:37 GMT", "Sun, 06 Foo 1994 08:49:37 GMT",
  ])
  func `nonsense is none`(_ text: String) {
    #expect(HTTPDate.moment(text) == nil)
  }
}
