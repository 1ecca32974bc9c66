import VmxJSON
package import VmxModel

/// The episodes of a show in the catalogue's order. Each is decoded on access, since a daily show
/// has many thousands.
///
///     for episode in try catalogue.episodes(of: 139) { … }
package struct CatalogueEpisodes: Sequence {
  private let document: JSONDocument
  /// The positions of the elements on the document's tape.
  private let elements: [JSONTape]

  /// Creates the sequence; nil for a response of another form.
  init?(_ document: JSONDocument) {
    var elements: [JSONTape] = []
    let isList = document.withRoot { root in
      elements.reserveCapacity(root.elementCount)
      root.forEachElement { element in
        elements.append(element)
        return true
      }
      return root.isArray || root.isNull
    }
    guard isList else { return nil }
    self.document = document
    self.elements = elements
  }

  /// The positions of the elements.
  package var indices: Range<Int> { elements.indices }

  /// Returns the episode at a position; nil if the element is not an episode.
  package subscript(index: Int) -> CatalogueEpisode? {
    document.withRoot { _ in TVMazeDecoder.episode(elements[index].value) }
  }

  /// Returns the episode at a position with only its id, season and number. Selecting episodes this
  /// way costs a fraction of full decoding. Nil if the element is not an episode.
  package func numbers(at index: Int) -> CatalogueEpisode? {
    document.withRoot { _ in
      let element = elements[index]
      guard let id = element.field("id")?.integer, id > 0 else {
        return TVMazeDecoder.episode(element.value)
      }
      var episode = CatalogueEpisode(id: id, title: "")
      episode.season = element.field("season")?.integer.flatMap { $0 >= 0 ? $0 : nil }
      episode.number = element.field("number")?.integer.flatMap { $0 >= 0 ? $0 : nil }
      return episode
    }
  }

  /// Returns an iterator that decodes one episode at a time.
  package func makeIterator() -> AnyIterator<CatalogueEpisode> {
    var rest = indices
    return AnyIterator {
      while let index = rest.popFirst() {
        if let episode = self[index] { return episode }
      }
      return nil
    }
  }
}
