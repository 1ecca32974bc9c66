import Testing
import VmxModel

struct SecretQueryTests {
  @Test(arguments: [
    (
      "https://a/v?channel_id=UCBR8-60-B28hp2BmDPdntcQ",
      "https://a/v?channel_id=UCBR8-60-B28hp2BmDPdntcQ"
    ),
    ("https://a/v?id=1&token=abc", "https://a/v?id=1&token=…"),
    ("https://a/v?X-Amz-Signature=0&x", "https://a/v?X-Amz-Signature=…&x"),
    ("https://u:p@a/v?auth=1", "https://a/v?auth=…"),
    ("https://a/v?c=3f786850e387550fdab836ed7e6dc881de23001b", "https://a/v?c=…"),
    (
      "https://a/v?format=video&q=a+long+search+text+here",
      "https://a/v?format=video&q=a+long+search+text+here"
    ),
    ("https://a/v", "https://a/v"),
  ])
  func `only the values of credentials are masked`(_ url: String, _ shown: String) {
    #expect(SecretQuery.masked(url) == shown)
  }

  @Test(arguments: [
    ("https://a/v?id=1&token=abc#t", "https://a/v?id=1#t"),
    ("https://a/v?token=abc", "https://a/v"),
    ("https://a/v?token=", "https://a/v?token="), ("https://a/v?id=1", "https://a/v?id=1"),
    ("https://a/v#token=abc", "https://a/v#token=abc"), ("https://a/v", "https://a/v"),
  ])
  func `an address loses its credentials and nothing else`(_ url: String, _ rest: String) {
    #expect(SecretQuery.removed(from: url) == rest)
    #expect(!SecretQuery.isPresent(in: rest))
  }
}
