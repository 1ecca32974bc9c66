import ArgumentParser
import SystemPackage
package import VmxModel
import VmxPresentation
package import VmxSystem

/// The options of tools that ask the catalogue.
package struct CatalogueOptions: ParsableArguments, Sendable {
  /// Whether only cached answers are used.
  @Flag(help: "Send no requests; use the cache, even if it is stale.")
  package var offline = false

  /// Whether each answer is asked for again.
  @Flag(help: "Request again what the cache has.")
  package var refresh = false

  package init() {}

  /// Refuses options that exclude each other.
  package func validate() throws {
    if offline && refresh { throw ValidationError("--offline and --refresh exclude each other") }
  }

  /// Returns the use of the catalogue that the options ask for.
  ///
  /// - Throws: as `CommandContext.catalogueAccess`.
  package func access(in context: CommandContext) throws(Failure) -> CatalogueAccess {
    try context.catalogueAccess(offline ? .offline : refresh ? .refresh : .usual)
  }
}

/// The option of tools whose rows have pictures of the catalogue.
package struct PictureOptions: ParsableArguments, Sendable {
  /// Whether the pictures are fetched.
  @Flag(help: "Fetch images into the cache, and print their paths.")
  package var images = false

  package init() {}
}

extension CommandContext {
  /// The folder of vmx in the user's cache.
  private static let cacheName = "vmx"

  /// The pictures of the catalogue in the user's cache; nil if the environment names no cache.
  package var imageCache: ImageCache? {
    environment.base("XDG_CACHE_HOME", beneathHome: ".cache").map { cache in
      let folder = CatalogueAccess.catalogueFolder(in: cache.appending(Self.cacheName).string)
      return ImageCache(ofCatalogueIn: FilePath(folder))
    }
  }

  /// Returns a use of the catalogue. The cache is `vmx` in `XDG_CACHE_HOME` or in `~/.cache`.
  ///
  /// - Throws: `bad-setting` if neither is set.
  package func catalogueAccess(
    _ freshness: CatalogueFreshness = .usual
  ) throws(Failure) -> CatalogueAccess {
    let cache = try folder("XDG_CACHE_HOME", beneathHome: ".cache", hint: "XDG_CACHE_HOME")
    return CatalogueAccess(
      cache: cache.appending(Self.cacheName).string, freshness: freshness, settings: settings,
      variables: environment.variables)
  }

  /// Names the source of the descriptions, which their licence asks for, where a person reads them;
  /// rows have it as a field.
  package func noteCatalogueSource() {
    guard terminal.isTerminal, !isJSON else { return }
    messages.note("source: \(CatalogueSource.name), \(CatalogueSource.address) (CC BY-SA)")
  }
}
