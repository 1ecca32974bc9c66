import Testing
import VmxModel

@testable import VmxBundling

struct BundleNamesTests {
  @Test func `placeholder`() {}
}
