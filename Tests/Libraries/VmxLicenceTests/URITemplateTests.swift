import Testing

@testable import VmxLicence

@Suite struct URITemplateTests {
  @Test(arguments: [
    ("https://a.example/r{?id,name}", "https://a.example/r?id=a%20b&name=vmx%20on%20K%C3%A4se%2F1"),
    (
      "https://a.example/r?lic=1{&end,id,name}",
      "https://a.example/r?lic=1&id=a%20b&name=vmx%20on%20K%C3%A4se%2F1"
    ),
    ("https://a.example/{id}/x", "https://a.example/a%20b/x"),
    ("https://a.example/r{?end}", "https://a.example/r"),
    ("https://a.example/r{?id*}", "https://a.example/r?id=a%20b"),
    ("https://a.example/r", "https://a.example/r"),
  ])
  func `a template expands to a URL with percent-encoded values`(
    template: String, address: String
  ) {
    let values = ["id": "a b", "name": "vmx on Käse/1"]
    #expect(URITemplate.expanded(template, values) == address)
  }

  @Test(arguments: [
    "x{", "x}", "x{}", "x{?}", "x{+id}", "x{#id}", "x{?id:3}", "x{?id,}", "x{a b}", "{{id}}",
  ])
  func `an unsupported or malformed template expands to no URL`(template: String) {
    #expect(URITemplate.expanded(template, ["id": "1"]) == nil)
  }

  @Test func `the colons of a time are encoded`() {
    let address = URITemplate.expanded("r{?end}", ["end": "2027-01-31T10:00:00Z"])
    #expect(address == "r?end=2027-01-31T10%3A00%3A00Z")
  }
}
