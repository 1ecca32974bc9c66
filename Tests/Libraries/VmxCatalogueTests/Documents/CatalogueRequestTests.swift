import Testing
import VmxModel

@testable import VmxCatalogue

struct CatalogueRequestTests {
  @Test func `a request without validators fetches the whole document`() {
    let request = CatalogueRequest("https://example.org/feed", limit: ByteCount(clamping: 10))
    #expect(request.validators == DocumentValidators())
    #expect(!request.ignoresRetryAfter)
  }
}
