package import VmxModel

/// The access to a catalogue: its cache folder, cache policy and settings.
package struct CatalogueAccess: Sendable {
  /// The absolute path of the folder of the cache.
  package let cache: String
  /// The absolute path of the folder of the catalogue's responses in the cache.
  package var catalogueFolder: String { Self.catalogueFolder(in: cache) }
  /// The cache policy.
  package let freshness: CatalogueFreshness
  /// The settings, which name the catalogue.
  package let settings: Settings
  /// The environment of the user.
  package let variables: [String: String]

  /// Returns the folder of the catalogue's responses.
  ///
  /// - Parameter cache: the absolute path of the folder of the cache.
  package static func catalogueFolder(in cache: String) -> String { "\(cache)/catalogue" }

  /// Creates an access.
  package init(
    cache: String, freshness: CatalogueFreshness, settings: Settings, variables: [String: String]
  ) {
    self.cache = cache
    self.freshness = freshness
    self.settings = settings
    self.variables = variables
  }
}
