import Testing
import VmxModel

struct AddressScopeTests {
  @Test(arguments: [
    "8.8.8.8", "1.1.1.1", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0",
    "126.255.255.255", "128.0.0.1", "169.253.255.255", "169.255.0.0", "172.15.255.255",
    "172.32.0.0", "192.0.1.0", "192.167.255.255", "192.169.0.0", "198.17.255.255", "198.20.0.0",
    "223.255.255.255", "2606:4700::1111", "2001:4860:4860::8888", "2a00:1450::1", "3ffe::1",
    "[2606:4700::1111]", "::ffff:8.8.8.8", "64:ff9b::8.8.8.8", "2002:808:808::1",
    "2001:0:4136:e378:8000:63bf:f7f7:f7f7",
  ])
  func `a public address is open`(text: String) {
    #expect(AddressScope(text: text) == .open)
  }

  @Test(arguments: [
    "0.0.0.0", "0.1.2.3", "10.0.0.1", "10.255.255.255", "100.64.0.1", "100.127.255.255",
    "127.0.0.1", "127.255.255.254", "169.254.169.254", "172.16.0.1", "172.31.255.255",
    "192.0.0.8", "192.0.2.1", "192.168.1.1", "198.18.0.1", "198.19.255.255", "198.51.100.7",
    "203.0.113.7", "224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.255", "::", "::1",
    "[::1]", "fe80::1", "fe80::1%eth0", "febf::1", "fec0::1", "fc00::1", "fdff::1", "ff02::1",
    "2001:db8::1", "100::1", "::127.0.0.1", "::ffff:127.0.0.1", "::ffff:10.0.0.1",
    "::ffff:169.254.169.254", "64:ff9b::10.0.0.1", "64:ff9b:1::8.8.8.8", "2002:a00:1::1",
    "2002:7f00:1::", "2001:0:4136:e378:8000:63bf:f5ff:fffe", "4000::1", "5f00::1",
  ])
  func `a private or loopback address is inner`(text: String) {
    #expect(AddressScope(text: text) == .inner)
  }

  @Test(arguments: ["example.org", "localhost", "", "127.1", "0x7f.1", "2130706433", "1.2.3.4.5"])
  func `a host name is not classified`(text: String) {
    #expect(AddressScope(text: text) == nil)
  }

  @Test func `an invalid address is inner`() {
    #expect(AddressScope([UInt8]()) == .inner)
    #expect(AddressScope([1, 2, 3]) == .inner)
  }

  @Test(arguments: [
    ("localhost", true), ("localhost.", true), ("a.localhost", true), ("notlocalhost", false),
    ("localhost.org", false), ("127.0.0.1", true), ("127.9.9.9", true), ("127.example.org", false),
    ("[::1]", true), ("::1", true), ("10.0.0.1", false), ("[::2]", false), ("8.8.8.8", false),
    ("", false),
  ])
  func `this machine is known by its names and addresses`(host: String, isLoopback: Bool) {
    #expect(AddressScope.isLoopback(host: host) == isLoopback)
  }

  @Test(arguments: [
    ("localhost", true), ("a.localhost.", true), ("10.0.0.1", true), ("[fe80::1]", true),
    ("10.0.0.1.", true), ("8.8.8.8", false), ("example.org", false),
  ])
  func `a host as written is inner by its address or as this machine`(
    host: String, isInner: Bool
  ) {
    #expect(AddressScope.isInner(host: host) == isInner)
  }
}
