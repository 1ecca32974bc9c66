import VmxCommand
import VmxFetching
import VmxModel
import VmxPlaying
import VmxSettings
import VmxStore
import VmxSystem

/// The exchange of marks with the Kodi server named in the settings.
struct KodiSession {
  /// The maximum number of episodes whose results are reported together.
  static let batch = 20

  /// The exchange.
  let marks: KodiMarks
  private let documents: DocumentService

  /// Prepares the exchange; sends no request yet.
  ///
  /// - Throws: `bad-setting`.
  init(
    _ recorder: PlaybackRecorder, store: LibraryStore, interruption: Interruption,
    in context: CommandContext
  ) throws(Failure) {
    let settings = context.settings
    guard let url = try settings.text(.kodiURL) else {
      throw Failure(
        .badSetting, "'\(SettingKey.kodiURL.rawValue)' is not set",
        hint: "set it to http://HOST:8080, and allow control by HTTP in Kodi's settings")
    }
    let home = context.environment["HOME"] ?? "/"
    let map = try KodiPathMap(try settings.text(.kodiPathMap) ?? "", home: home)
    let environment = FetchEnvironment(
      clock: context.clock, zone: SystemZone(), variables: context.environment.variables,
      interruption: interruption)
    let documents = try DocumentService(store, settings, environment: environment) {
      [messages = context.messages] in messages.note($0)
    }
    self.documents = documents
    let connection = try KodiConnection(url) { try documents.send($0) }
    marks = KodiMarks(recorder, connection: connection, map: map, zone: SystemZone())
  }

  /// Ends the connections.
  func close() { documents.stop() }
}
