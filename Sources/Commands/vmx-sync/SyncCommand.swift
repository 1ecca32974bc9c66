import ArgumentParser
import VmxCommand
import VmxModel
import VmxPresentation
import VmxStore
import VmxSystem

/// Exchanges subscriptions and watched marks with a server, and so with the user's other devices.
@main
struct SyncCommand: RowCommand {
  static let configuration = CommandConfiguration(
    tool: "sync", usage: "vmx sync login URL|logout|status|now [<options>]",
    discussion: """
      Servers are those with the API of gpodder.net, such as oPodSync, and Nextcloud with its app \
      'GPodder Sync'. 'now' takes over what other devices did, then sends what happened here. \
      A password is asked for on the terminal, or read from a descriptor; without --user Nextcloud \
      lets a person confirm the login in a browser.

      vmx sync login --user anna https://pod.example.org
      vmx sync now --dry-run
      vmx sync status --json
      """)

  @OptionGroup var output: OutputOptions
  @OptionGroup var form: FormOptions
  @OptionGroup(title: "Advanced options") var lock: LockOptions

  @Option(help: ArgumentHelp("With 'login': the name of the account.", valueName: "name"))
  var user: String?

  @Option(
    help: ArgumentHelp(
      "With 'login': read the password from this open descriptor.", valueName: "fd"))
  var passwordFd: Int32?

  @Flag(help: "With 'login': the server is a Nextcloud.")
  var nextcloud = false

  @Flag(help: "With 'login': send the password to another machine without encryption.")
  var allowHTTP = false

  @Flag(help: "With 'now': take over all that the server has, not only the news.")
  var full = false

  @Flag(
    name: [.customShort("n"), .long], help: "With 'now': tell what would be done, and do not.")
  var dryRun = false

  @Flag(name: .shortAndLong, help: "With 'now': do not ask before many subscriptions end.")
  var yes = false

  @Argument(
    help: ArgumentHelp("What to do, and the server's address.", valueName: "request"),
    completion: .list(SyncRequest.allCases.map(\.rawValue)))
  var words: [String] = ["status"]

  func perform(in context: CommandContext) throws {
    guard let request = words.first.flatMap(SyncRequest.init) else {
      throw Failure(
        .usage, "'\(URLRedaction.redacted(operand: words[0]))' is no request of the sync",
        hint: "the requests are \(SyncRequest.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    try check(request)
    if request == .now {
      let reporter = RowReporter<SyncRow>(try form.form(output), in: context, isDryRun: dryRun)
      let run = try SyncRun(try Interruption.install(), lock, in: context)
      return try run.sync(isFull: full, isDryRun: dryRun, isYes: yes, reporter)
    }
    let reporter = RowReporter<SyncStatusRow>(try form.form(output), in: context)
    let run = try SyncRun(
      try Interruption.install(), request == .status ? nil : lock, in: context)
    switch request {
    case .login:
      try run.logIn(
        at: words[1], user: user, passwordFd: passwordFd, isNextcloud: nextcloud,
        allowsHTTP: allowHTTP)
    case .logout: try run.logOut()
    case .status, .now: break
    }
    try reporter.print(try run.status())
    try reporter.conclude(notes: [])
  }

  /// Refuses options and words that belong to another request.
  private func check(_ request: SyncRequest) throws(Failure) {
    let given: [(String, Bool, SyncRequest)] = [
      ("--user", user != nil, .login), ("--password-fd", passwordFd != nil, .login),
      ("--nextcloud", nextcloud, .login), ("--allow-http", allowHTTP, .login),
      ("--full", full, .now), ("--dry-run", dryRun, .now), ("--yes", yes, .now),
    ]
    for (option, isGiven, owner) in given where isGiven && request != owner {
      throw Failure(.usage, "\(option) belongs to '\(owner.rawValue)'")
    }
    guard words.count == (request == .login ? 2 : 1) else {
      throw Failure(
        .usage,
        request == .login
          ? "'login' wants the address of a server" : "'\(request.rawValue)' takes no operands")
    }
  }
}

/// The requests of `vmx sync`.
enum SyncRequest: String, CaseIterable {
  case login, logout, status, now
}
