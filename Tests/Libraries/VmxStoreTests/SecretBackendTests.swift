import Glibc
import SystemPackage
import Testing
import VmxModel
import VmxSystem
import VmxTestSupport

@testable import VmxStore

// A fake secret-tool. It keeps its items as files, logs its arguments, and can misbehave in the
// same ways as the real one.
struct SecretKeeperTests {
  private static let tool = """
    #!/bin/sh
    cd "$(dirname "$0")" || exit 9
    tr '\\0' ' ' < /proc/$$/cmdline >> arguments; echo >> arguments
    word=$1
    for last; do :; done
    mode=$(cat mode)
    case $mode in
    "slow "$word) exec sleep 60 ;;
    "held $last") until [ -e go ]; do sleep 0.01; done ;;
    "killed "$word) kill -9 $$ ;;
    "killparent "$word) [ $word = store ] && cat > "items/$last"; kill -9 $PPID; exit 1 ;;
    esac
    case $word in
    store)
      [ "$mode" = locked ] && { cat > /dev/null; exit 1; }
      [ "$mode" = truncating ] && { head -c 9 > "items/$last"; exit 0; }
      cat > "items/$last" ;;
    lookup) [ "$mode" != locked ] && cat "items/$last" 2>/dev/null || exit 1 ;;
    search) [ -e "items/$last" ] && echo "label = vmx"; exit 0 ;;
    clear) [ "$mode" != locked ] && rm "items/$last" 2>/dev/null || exit 1 ;;
    esac
    """
  /// A program with the protocol of `secrets.command`.
  private static let command = """
    #!/bin/sh
    cd "$(dirname "$0")" || exit 9
    IFS= read -r id; id=${id#id=}
    case $1 in
    store) IFS= read -r secret; printf '%s' "${secret#secret=}" > "items/$id" ;;
    get) [ -e "items/$id" ] || exit 1; cat "items/$id"; echo ;;
    erase) rm "items/$id" 2>/dev/null || exit 1 ;;
    *) exit 2 ;;
    esac
    """

  let fixture: StoreFixture
  private let secret = Secret(user: "tok3nuser", password: "s3cret\"\n")

  init() throws {
    fixture = try StoreFixture()
    try fixture.folder.write("bin/secret-tool", Self.tool)
    try fixture.folder.write("bin/keeper", Self.command)
    try fixture.folder.write("bin/items/none", "")
    for name in ["secret-tool", "keeper"] {
      #expect(chmod(fixture.folder.path("bin/\(name)").string, 0o700) == 0)
    }
    try set("ok")
  }

  private func set(_ mode: String) throws { try fixture.folder.write("bin/mode", mode) }

  private func store(
    _ location: SecretLocation, bus: Bool = true, hasTool: Bool = true, timeout: Int64 = 30_000
  ) throws -> LibraryStore {
    var options = StoreOptions()
    options.secrets.location = location
    options.secrets.command = fixture.folder.path("bin/keeper")
    options.secrets.timeout = timeout
    let tool = fixture.folder.path("bin/secret-tool")
    options.secrets.program = { $0 == "secret-tool" && hasTool ? tool : nil }
    options.secrets.variables = ["PATH": "/usr/bin:/bin"]
    if bus { options.secrets.variables["DBUS_SESSION_BUS_ADDRESS"] = "unix:path=/none" }
    return try LibraryStore.open(fixture.home, options: options, clock: FixedClock())
  }

  private func file() throws -> String { try fixture.folder.text("home/secrets.jsonl") }
  private func arguments() throws -> String { try fixture.folder.text("bin/arguments") }

  private func items() -> [String] {
    fixture.folder.names(in: "bin/items").filter { $0 != "none" }
  }

  private func code(_ body: () throws -> Void) -> ErrorCode? {
    do { try body() } catch { return Failure(error).code }
    return nil
  }

  @Test(arguments: [SecretLocation.service, .command])
  func `a secret lies with the program alone, and is found whatever the setting is now`(
    _ location: SecretLocation
  ) throws {
    let reference = try store(location).secrets.save(secret)
    #expect(try store(location).secrets.save(secret) == reference)
    #expect(try !file().contains("s3cret") && !file().contains("tok3nuser"))
    #expect(try file().contains(#""in":"\#(location.rawValue)""#))
    #expect(try store(.file).secrets.get(reference) == secret)
    try store(.file).secrets.remove(reference)
    #expect(items().isEmpty)
    #expect(code { _ = try store(location).secrets.get(reference) } == .secretMissing)
    #expect(try file() == "")
  }

  @Test func `no argument of a program has the user or the password`() throws {
    let reference = try store(.service).secrets.save(secret)
    _ = try store(.service).secrets.get(reference)
    try store(.service).secrets.remove(reference)
    #expect(
      try arguments().contains("store --label=vmx: password \(reference) service vmx reference"))
    #expect(try !arguments().contains("s3cret") && !arguments().contains("tok3nuser"))
  }

  @Test func `by itself only what was typed goes to the service, and only with a session bus`()
    throws
  {
    _ = try store(.auto).secrets.save(secret)
    _ = try store(.auto, bus: false).secrets.save(secret, isTyped: true)
    _ = try store(.auto, hasTool: false).secrets.save(secret, isTyped: true)
    #expect(items().isEmpty)
    let inFile = try file()
    #expect(inFile.contains("tok3nuser"))
    let typed = try store(.auto).secrets.save(secret, isTyped: true)
    #expect(items() == [typed])
    // The secret that a background run needs remains in the file.
    #expect(try file().hasPrefix(inFile))
  }

  @Test func `without a service that takes it, a typed secret lies in the file`() throws {
    for mode in ["locked", "truncating", "killed store", "killed lookup"] {
      try set(mode)
      let typed = Secret(user: "a", password: mode)
      let reference = try store(.auto).secrets.save(typed, isTyped: true)
      #expect(try store(.auto).secrets.get(reference) == typed, "\(mode)")
      try set("ok")
      try store(.auto).secrets.finishChanges()
      #expect(items().isEmpty, "\(mode)")
      #expect(try !file().contains("pending"), "\(mode)")
    }
  }

  @Test func `a setting is obeyed or fails, and nothing stays behind`() throws {
    for mode in ["locked", "truncating", "killed store", "killed lookup", "slow store"] {
      try set(mode)
      #expect(
        code { _ = try store(.service, timeout: 300).secrets.save(secret) } == .secretLocked,
        "\(mode)")
      try set("ok")
      try store(.service).secrets.finishChanges()
      #expect(items().isEmpty, "\(mode)")
      #expect(try file() == "", "\(mode)")
    }
    #expect(code { _ = try store(.service, hasTool: false).secrets.save(secret) } == .secretLocked)
  }

  @Test func `a locked secret is no missing one`() throws {
    let reference = try store(.service).secrets.save(secret)
    try set("locked")
    #expect(code { _ = try store(.service).secrets.get(reference) } == .secretLocked)
    #expect(store(isLocked: true).contains { $0.code == .secretLocked })
    try set("slow lookup")
    #expect(code { _ = try store(.service, timeout: 300).secrets.get(reference) } == .secretLocked)
    try set("ok")
    #expect(try store(.service).secrets.get(reference) == secret)
    #expect(unlink(fixture.folder.path("bin/items/\(reference)").string) == 0)
    #expect(code { _ = try store(.service).secrets.get(reference) } == .secretMissing)
    #expect(store(isLocked: false).contains { $0.code == .secretMissing })
  }

  private func store(isLocked: Bool) -> [Finding] {
    (try? store(.service).secrets.findings) ?? []
  }

  @Test func `a process asks once for a secret`() throws {
    let store = try store(.service)
    let reference = try store.secrets.save(secret)
    for _ in 0..<3 { _ = try store.secrets.get(reference) }
    #expect(try arguments().split(separator: "\n").count { $0.contains(" lookup ") } == 2)
  }

  // Regression: a missing secret was asked for once for each episode.
  @Test func `a process asks once for a missing secret too`() throws {
    let store = try store(.service)
    let reference = try store.secrets.save(secret)
    for name in items() { #expect(unlink(fixture.folder.path("bin/items/\(name)").string) == 0) }
    for _ in 0..<3 {
      #expect(code { _ = try store.secrets.get(reference) } == .secretMissing)
    }
    #expect(try arguments().split(separator: "\n").count { $0.contains(" lookup ") } == 2)
  }

  // Regression: the program ran under the lock of the cache.
  @Test func `a slow answer delays only threads that need the same secret`() throws {
    let store = try store(.service)
    let slow = try store.secrets.save(secret)
    let other = try store.secrets.save(Secret(user: "other", password: "one"))
    let before = try arguments().split(separator: "\n").count
    try set("held \(slow)")
    let found = Channel<Secret?>(capacity: 2)
    for _ in 0..<2 {
      _ = try WorkerThread.start("test") { found.send(try? store.secrets.get(slow)) }
    }
    while try arguments().split(separator: "\n").count == before { usleep(1000) }
    let quick = Channel<Secret?>(capacity: 1)
    _ = try WorkerThread.start("test") { quick.send(try? store.secrets.get(other)) }
    #expect(quick.receive() == Secret(user: "other", password: "one"))
    try fixture.folder.write("bin/go", "")
    #expect([found.receive(), found.receive()] == [secret, secret])
    #expect(try arguments().split(separator: "\n").count == before + 2)
  }

  @Test func `more than 4 KiB stay in the file`() throws {
    let long = Secret(user: "u", password: String(repeating: "x", count: 4096))
    let reference = try store(.service).secrets.save(long)
    #expect(items().isEmpty)
    #expect(try store(.service).secrets.get(reference) == long)
  }

  @Test func `a secret moves from the file under its reference when a program is named`() throws {
    let reference = try store(.file).secrets.save(secret)
    try set("truncating")
    #expect(code { _ = try store(.service).secrets.save(secret) } == .secretLocked)
    #expect(try store(.service).secrets.get(reference) == secret)
    try set("ok")
    #expect(try store(.service).secrets.save(secret) == reference)
    #expect(try !file().contains("s3cret"))
    #expect(try store(.service).secrets.get(reference) == secret)
  }

  @Test func `a removal that the program refuses counts, and is finished later`() throws {
    let reference = try store(.service).secrets.save(secret)
    try set("locked")
    #expect(code { try store(.service).secrets.remove(reference) } == .secretLocked)
    #expect(code { _ = try store(.service).secrets.get(reference) } == .secretMissing)
    #expect(store(isLocked: true).contains { $0.code == .secretLocked && $0.isRepairable })
    try set("ok")
    _ = try store(.service).secrets.save(Secret(user: "other", password: "one"))
    #expect(!items().contains(reference))
    #expect(try !file().contains(reference))
  }

  @Test func `findings tell places and numbers, and no secret`() throws {
    _ = try store(.file).secrets.save(Secret(user: "f", password: "g"))
    _ = try store(.service).secrets.save(secret)
    let findings = try store(.auto).secrets.findings
    #expect(
      findings.map(\.summary) == [
        "passwords and tokens: 1 in the file 'secrets.jsonl', 1 in the Secret Service",
        "new ones are stored in: file; typed ones in: secret-service",
      ])
  }
}
