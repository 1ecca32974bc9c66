package import VmxModel

extension Settings {
  /// Returns the address of the catalogue's API.
  ///
  /// - Throws: `bad-setting`.
  package func catalogueBase() throws(Failure) -> WebURL {
    do throws(Failure) {
      return try WebURL(try text(.catalogueURL) ?? "")
    } catch {
      throw Failure(
        .badSetting, "'\(SettingKey.catalogueURL.rawValue)': \(error.summary)",
        hint: "give an http or https URL, such as https://api.tvmaze.com")
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
  package func reportURL() throws(Failure) -> String? { try text(.reportURL) }
}
