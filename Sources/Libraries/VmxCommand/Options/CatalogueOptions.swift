import ArgumentParser
import SystemPackage
package import VmxModel
import VmxPresentation
package import VmxSettings
package import VmxSystem

/// The options of tools that query the catalogue.
package struct CatalogueOptions: ParsableArguments, Sendable {
  /// Whether only cached responses are used.
  @Flag(help: "Send no requests; use the cache, even if it is stale.")
  package var offline = false

  /// Whether each response is requested again.
  @Flag(help: "Refresh cached responses.")
  package var refresh = false

  package init() {}

  /// Rejects options that exclude each other.
  package func validate() throws {
    if offline && refresh { throw ValidationError("--offline and --refresh exclude each other") }
  }

  /// Returns the access to the catalogue that the options request.
  ///
  /// - Throws: as `CommandContext.catalogueAccess`.
  package func access(in context: CommandContext) throws(Failure) -> CatalogueAccess {
    try context.catalogueAccess(offline ? .offline : refresh ? .refresh : .useCache)
  }
}

/// The option of tools whose rows contain images of the catalogue.
package struct PictureOptions: ParsableArguments, Sendable {
  /// Whether the images are fetched.
  @Flag(help: "Fetch images into the cache, and print their paths.")
  package var images = false

  package init() {}
}

extension CommandContext {
  /// The folder of vmx in the user's cache.
  private static let cacheName = "vmx"

  /// The images of the catalogue in the user's cache; nil if the environment names no cache.
  package var imageCache: ImageCache? {
    environment.base("XDG_CACHE_HOME", beneathHome: ".cache").map { cache in
      let folder = CatalogueAccess.catalogueFolder(in: cache.appending(Self.cacheName).string)
      return ImageCache(ofCatalogueIn: FilePath(folder))
    }
  }

  /// Returns the access to the catalogue. The cache is `vmx` in `XDG_CACHE_HOME` or in `~/.cache`.
  ///
  /// - Throws: `bad-setting` if neither is set.
  package func catalogueAccess(
    _ freshness: CatalogueFreshness = .useCache
  ) throws(Failure) -> CatalogueAccess {
    let cache = try folder("XDG_CACHE_HOME", beneathHome: ".cache", hint: "XDG_CACHE_HOME")
    return CatalogueAccess(
      cache: cache.appending(Self.cacheName).string, freshness: freshness, settings: settings,
      variables: environment.variables)
  }

  /// Prints the source of the descriptions on a terminal, as their licence requires. Rows contain
  /// it as a field.
  package func noteCatalogueSource() {
    guard terminal.isTerminal, !isJSON else { return }
    messages.note("source: \(CatalogueSource.name), \(CatalogueSource.address) (CC BY-SA)")
  }
}
