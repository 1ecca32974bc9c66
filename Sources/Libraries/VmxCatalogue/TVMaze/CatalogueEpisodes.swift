import VmxJSON
package import VmxModel

/// The episodes of a show in the catalogue's order, each decoded when it is asked for: a daily show has
/// many thousands.
///
///     for episode in try catalogue.episodes(of: 139) { … }
package struct CatalogueEpisodes: Sequence {
  private let document: JSONDocument
  /// The places of the elements on the tape of the document.
  private let elements: [JSONTape]

  /// Nil for an answer of another form.
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

  /// The places at which an episode may be.
  package var places: Range<Int> { elements.indices }

  /// The episode at a place; nil for an element that is none.
  package subscript(place: Int) -> CatalogueEpisode? {
    document.withRoot { _ in TVMazeDecoder.episode(elements[place].value) }
  }

  /// The episode at a place with no more than its id, season and number, by which episodes are chosen: a
  /// fraction of the cost. Nil for an element that is none.
  package func numbers(at place: Int) -> CatalogueEpisode? {
    document.withRoot { _ in
      let element = elements[place]
      guard let id = element.field("id")?.integer, id > 0 else {
        return TVMazeDecoder.episode(element.value)
      }
      var episode = CatalogueEpisode(id: id, title: "")
      episode.season = element.field("season")?.integer.flatMap { $0 >= 0 ? $0 : nil }
      episode.number = element.field("number")?.integer.flatMap { $0 >= 0 ? $0 : nil }
      return episode
    }
  }

  /// Decodes the episodes one after the other.
  package func makeIterator() -> AnyIterator<CatalogueEpisode> {
    var rest = places
    return AnyIterator {
      while let place = rest.popFirst() {
        if let episode = self[place] { return episode }
      }
      return nil
    }
  }
}
