/// The use of cached answers of a catalogue.
package enum CatalogueFreshness: Sendable {
  /// They are used while they are valid.
  case usual
  /// Each answer is asked for again.
  case refresh
  /// Nothing is asked for; answers of any age are used.
  case offline
}

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
        hint: "write an http or https URL, such as https://api.tvmaze.com")
    }
  }
}

/// The user's use of a catalogue: where its answers are kept, and whether it is asked.
package struct CatalogueAccess: Sendable {
  /// The absolute path of the folder of the cache.
  package let cache: String
  /// The absolute path of the folder of the catalogue's answers in the cache.
  package var catalogueFolder: String { Self.catalogueFolder(in: cache) }
  /// The use of cached answers.
  package let freshness: CatalogueFreshness
  /// The settings, which name the catalogue.
  package let settings: Settings
  /// The environment of the user.
  package let variables: [String: String]

  /// Returns the folder of the catalogue's answers.
  ///
  /// - Parameter cache: the absolute path of the folder of the cache.
  package static func catalogueFolder(in cache: String) -> String { "\(cache)/catalogue" }

  /// Creates the description of a use.
  package init(
    cache: String, freshness: CatalogueFreshness, settings: Settings, variables: [String: String]
  ) {
    self.cache = cache
    self.freshness = freshness
    self.settings = settings
    self.variables = variables
  }
}
