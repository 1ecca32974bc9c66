import SystemPackage
import VmxCatalogue
import VmxCommand
import VmxFetching
import VmxLibrary
import VmxModel
import VmxSettings
import VmxStore
import VmxSystem

/// The requests of `vmx feed` that change the library.
struct FeedWork {
  let store: LibraryStore
  let subscriptions: Subscriptions
  let context: CommandContext
  let interruption: Interruption
  let followsPages: Bool

  init(
    store: LibraryStore, interruption: Interruption, followsPages: Bool,
    _ context: CommandContext
  ) {
    self.store = store
    subscriptions = Subscriptions(store)
    self.interruption = interruption
    self.followsPages = followsPages
    self.context = context
  }

  /// Calls the closure with an updater that uses the network. Then updates the pictures of the
  /// shows whose feeds it has read.
  ///
  /// - Parameter body: returns the ids of these feeds, and whether each document has changed.
  func withUpdater(_ body: (FeedUpdater) throws -> [String: Bool]) throws {
    let settings = try FetchSettings(
      context.settings, home: context.environment["HOME"] ?? "/",
      environment: context.environment.variables, waits: false)
    let environment = FetchEnvironment(
      clock: context.clock, zone: SystemZone(), variables: context.environment.variables,
      interruption: interruption)
    let service = DocumentService(
      store: store, settings: settings, environment: environment,
      note: { [messages = context.messages] in messages.note($0) })
    defer { service.stop() }
    // Waits for the turns of a host that limits requests, but does not repeat a refused one.
    let documents = RetryingDocuments(
      service, clock: context.clock, interruption: interruption, refusals: 0, longest: 60_000)
    let read = try body(
      FeedUpdater(
        store: store, clock: context.clock, checks: try FeedChecks(in: context),
        takesAudio: try context.settings.choice(.feedMedia) != "video",
        delay: service.delay, send: documents.send))
    guard !context.isDryRun, !interruption.isRequested else { return }
    let tools = try LibraryTools(
      store, context.settings.files(), clock: context.clock, tool: context.stage,
      shouldStop: { [interruption] in interruption.isRequested })
    ShowPictures(
      tools, permits: context.parental.permits, isMetered: service.isMetered, send: documents.send
    ) { [messages = context.messages] in messages.detail($0) }.update(ofFeeds: read)
  }

  /// Returns the options of a check.
  func options(isNamed: Bool) -> FeedDownload.Options {
    var options = FeedDownload.Options(now: context.clock.now)
    options.isNamed = isNamed
    options.followsPages = followsPages
    return options
  }
}

extension FeedChecks {
  /// Creates the checks for the library of a command's context.
  init(in context: CommandContext) throws(Failure) {
    self.init(
      cache: context.environment.base("XDG_CACHE_HOME", beneathHome: ".cache")?.appending("vmx"),
      home: try context.home())
  }
}
