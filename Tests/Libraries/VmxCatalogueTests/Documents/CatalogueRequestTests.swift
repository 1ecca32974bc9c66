import Testing
import VmxModel

@testable import VmxCatalogue

struct CatalogueRequestTests {
  @Test func `a request without validators asks for the document as it is`() {
    let request = CatalogueRequest("https://example.org/feed", limit: ByteCount(clamping: 10))
    #expect(request.validators == DocumentValidators())
    #expect(!request.ignoresRetryAfter)
  }
}
