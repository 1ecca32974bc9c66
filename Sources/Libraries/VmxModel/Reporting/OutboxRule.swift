/// The rule that selects the backends to which the steps of an episode are reported.
package struct OutboxRule: Sendable, Equatable {
  /// The configured backends.
  package var backends: Set<OutboxBackend>
  /// The slugs of the shows whose episodes are reported to `report`; nil for all.
  package var shows: Set<String>?

  /// Creates a rule.
  package init(_ backends: Set<OutboxBackend> = [], shows: Set<String>? = nil) {
    self.backends = backends
    self.shows = shows
  }

  /// Returns the backends for an episode, in a fixed order.
  package func backends(of id: EpisodeID) -> [OutboxBackend] {
    guard !backends.isEmpty else { return [] }
    return OutboxBackend.allCases.filter { backend in
      backends.contains(backend) && (backend != .report || shows?.contains(id.show) != false)
    }
  }
}

extension OutboxRule {
  /// Reads the settings `report.…`.
  ///
  /// - Throws: `bad-setting`.
  package init(_ settings: Settings) throws(Failure) {
    let url = try settings.reportURL()
    let shows = try settings.text(.reportShows).map { $0.split(separator: " ").map(String.init) }
    self.init(
      url == nil ? [] : [.report],
      shows: shows.flatMap { $0.isEmpty ? nil : Set($0) })
  }
}

extension Settings {
  /// Returns the address of the backend (`report.url`); nil for none.
  ///
  /// - Throws: `bad-setting`.
  package func reportURL() throws(Failure) -> String? { try webAddress(.reportURL) }

  /// Returns an http or https address, with user and password as given; nil for none.
  ///
  /// - Throws: `bad-setting`.
  package func webAddress(_ key: SettingKey) throws(Failure) -> String? {
    guard let text = try text(key), !text.isEmpty else { return nil }
    do throws(Failure) {
      _ = try WebURL(text)
      return text
    } catch {
      throw Failure(
        .badSetting, "'\(key.rawValue)' is not an http or https address", hint: error.summary)
    }
  }
}
