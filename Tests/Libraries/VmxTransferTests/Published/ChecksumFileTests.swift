import Testing
import VmxModel

@testable import VmxTransfer

@Suite struct ChecksumFileTests {
  private static let one = String(repeating: "1a", count: 32)
  private static let two = String(repeating: "2b", count: 32)
  private static let long = String(repeating: "3c", count: 64)

  private func digest(_ text: String, of name: String = "a.mp4") -> String? {
    ChecksumFile(Array(text.utf8))?.digest(of: name)?.hex
  }

  @Test(arguments: [
    "\(one)  a.mp4\n", "\(one) *a.mp4\n", "\(one)\ta.mp4", "\(one)  ./a.mp4\r\n",
    "\(one)  /srv/films/a.mp4\n", "\(one) *C:\\films\\a.mp4\n", "\(one)", "\(one)\n",
    "  \(one)  \n",
    "SHA256 (a.mp4) = \(one)\n", "SHA256(a.mp4)= \(one)\n", "SHA2-256(films/a.mp4)= \(one)\n",
    "sha256 (a.mp4) = \(one)", "\u{FEFF}\(one)  a.mp4\n", "# made today\n\n\(one)  a.mp4\n",
    "\(one.uppercased())  a.mp4\n", "\(two)  b.mp4\n\(one)  a.mp4\n",
    "\(two)\n\(one)  a.mp4\n", "\(one)  a.mp4\n\(one) *a.mp4\n",
    "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA512\n\n\(one)  a.mp4\n-----BEGIN PGP",
    "MD5 (a.mp4) = 00112233445566778899aabbccddeeff\nSHA256 (a.mp4) = \(one)\n",
    "\(long)  a.mp4\n\(one)  a.mp4\n",
  ])
  func `every usual form returns the digest of the file's own name`(_ text: String) {
    #expect(digest(text) == Self.one)
  }

  @Test(arguments: [
    "", "\n", "<!DOCTYPE html><title>Not found</title>", "\(one)  b.mp4\n", "\(one) \(two)\n",
    "\(one)\n\(two)\n", "\(one)  a.mp4\n\(two)  a.mp4\n", "\(one)a.mp4\n",
    "\(one.dropLast())  a.mp4",
    "MD5 (a.mp4) = 00112233445566778899aabbccddeeff", "SHA256 (a.mp4) \(one)",
    "SHA512 (a.mp4) = \(one)", "SHA256 )a.mp4( = \(one)", "not found",
  ])
  func `no entry, or a contradictory one, returns none`(_ text: String) {
    #expect(digest(text) == nil)
  }

  @Test func `SHA-512 is used if there is nothing else`() {
    #expect(digest("\(Self.long)  a.mp4\n") == Self.long)
    #expect(digest("SHA512 (a.mp4) = \(Self.long)\n") == Self.long)
  }

  @Test func `names with blanks, brackets and escapes are read completely`() {
    #expect(digest("\(Self.one)  my film.mp4\n", of: "my film.mp4") == Self.one)
    #expect(digest("SHA256 (my (1) film.mp4) = \(Self.one)", of: "my (1) film.mp4") == Self.one)
    #expect(digest("\\\(Self.one)  two\\nlines.mp4\n", of: "two\nlines.mp4") == Self.one)
    #expect(digest("\(Self.one)  film (1)\n", of: "film (1)") == Self.one)
  }

  @Test func `bytes that are not text return none`() {
    #expect(ChecksumFile([0xFF, 0xFE, 0, 1, 2, 3]) == nil)
  }
}
