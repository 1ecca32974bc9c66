import ArgumentParser
import VmxCommand
import VmxModel
import VmxPresentation
import VmxStore
import VmxSystem

/// Exchanges subscriptions and watched marks with a server, and so with the user's other devices.
@main
struct SyncCommand: RowCommand, DryRunCommand {
  static let configuration = CommandConfiguration(
    tool: "sync", usage: "vmx sync login URL|logout|status|now [<options>]",
    discussion: """
      Works with servers that have the API of gpodder.net, such as oPodSync, and with Nextcloud \
      and its app 'GPodder Sync'. 'now' applies the changes of other devices, then sends local \
      changes. The password is read from the terminal or a file descriptor; with Nextcloud and \
      without --user, the login is confirmed in a browser.

      vmx sync login --user anna https://pod.example.org
      vmx sync now --dry-run
      vmx sync status --json
      """)

  @OptionGroup var output: OutputOptions
  @OptionGroup var form: FormOptions
  @OptionGroup(title: "Advanced options") var lock: LockOptions

  @Option(help: ArgumentHelp("With 'login': the user name.", valueName: "name"))
  var user: String?

  @Option(
    help: ArgumentHelp(
      "With 'login': read the password from this file descriptor.", valueName: "fd"))
  var passwordFd: Int32?

  @Flag(help: "With 'login': the server is a Nextcloud.")
  var nextcloud = false

  @Flag(help: "With 'login': allow sending the password unencrypted.")
  var allowHTTP = false

  @Flag(help: "With 'now': fetch all data of the server, not only changes.")
  var full = false

  @OptionGroup var dryRunOption: DryRunOption

  @Flag(name: .shortAndLong, help: "With 'now': do not ask for confirmation.")
  var yes = false

  @Argument(
    help: ArgumentHelp("The request; for 'login', the URL of the server.", valueName: "request"),
    completion: .list(SyncRequest.allCases.map(\.rawValue)))
  var words: [String] = ["status"]

  func perform(in context: CommandContext) throws {
    guard let request = words.first.flatMap(SyncRequest.init) else {
      throw Failure(
        .usage, "unknown request '\(URLRedaction.redacted(operand: words[0]))'",
        hint: "available requests: \(SyncRequest.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    try check(request)
    if request == .now {
      let reporter = RowReporter<SyncRow>(try form.form(output), in: context)
      let run = try SyncRun(
        try Interruption.install(), lock, in: context)
      return try run.sync(isFull: full, isYes: yes, reporter)
    }
    let reporter = RowReporter<SyncStatusRow>(try form.form(output), in: context)
    let run = try SyncRun(
      try Interruption.install(), request == .status ? nil : lock, in: context)
    if isDryRun {
      let row =
        try request == .login
        ? run.planLogIn(at: words[1], user: user, isNextcloud: nextcloud, allowsHTTP: allowHTTP)
        : run.planLogOut()
      try reporter.print(row)
      return try reporter.finish(notes: [])
    }
    switch request {
    case .login:
      try run.logIn(
        at: words[1], user: user, passwordFd: passwordFd, isNextcloud: nextcloud,
        allowsHTTP: allowHTTP)
    case .logout: try run.logOut()
    case .status, .now: break
    }
    try reporter.print(try run.status())
    try reporter.finish(notes: [])
  }

  /// Rejects options and operands of other requests.
  private func check(_ request: SyncRequest) throws(Failure) {
    try checkOptions(
      of: request.rawValue, readOnly: "status",
      [
        ("--user", user != nil, "login"), ("--password-fd", passwordFd != nil, "login"),
        ("--nextcloud", nextcloud, "login"), ("--allow-http", allowHTTP, "login"),
        ("--full", full, "now"), ("--yes", yes, "now"),
      ])
    guard words.count == (request == .login ? 2 : 1) else {
      throw Failure(
        .usage,
        request == .login
          ? "'login' requires the URL of a server" : "'\(request.rawValue)' takes no operands")
    }
  }
}

/// The requests of `vmx sync`.
enum SyncRequest: String, CaseIterable {
  case login, logout, status, now
}
