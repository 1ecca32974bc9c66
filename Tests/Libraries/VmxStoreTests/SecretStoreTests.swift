import Glibc
import SystemPackage
import Testing
import VmxModel
import VmxTestSupport

@testable import VmxStore

struct SecretStoreTests {
  let fixture: StoreFixture

  init() throws { fixture = try StoreFixture() }

  @Test func `a secret is had by its reference, the same one has the same`() throws {
    let secrets = try fixture.open().secrets
    let one = Secret(user: "é:\"", password: "p\nq")
    let other = Secret(user: "é:\"", password: "")
    let references = try (secrets.save(one), secrets.save(other))
    #expect(references.0 != references.1)
    #expect(try fixture.open().secrets.save(one) == references.0)
    #expect(try fixture.open().secrets.get(references.0) == one)
    #expect(try secrets.get(references.1) == other)
  }

  @Test func `the file is 0600`() throws {
    _ = try fixture.open().secrets.save(Secret(user: "u", password: "p"))
    var status = stat()
    #expect(lstat(fixture.home.secrets.string, &status) == 0)
    #expect(status.st_mode & 0o777 == 0o600)
  }

  @Test func `a torn or broken line costs that secret only`() throws {
    let secrets = try fixture.open().secrets
    let reference = try secrets.save(Secret(user: "u", password: "p"))
    let text = try fixture.folder.text("home/secrets.jsonl")
    try fixture.folder.write("home/secrets.jsonl", "{junk\n" + text + #"{"kind":"sec"#)
    let second = try secrets.save(Secret(user: "v", password: "q"))
    #expect(try secrets.get(reference).user == "u")
    #expect(try secrets.get(second).user == "v")
  }

  @Test func `a reference that is not there is an error without the secret`() throws {
    #expect(throws: StoreError.noSecret("x")) { try fixture.open().secrets.get("x") }
    #expect(StoreError.noSecret("x").code == .secretMissing)
  }
}
