import VmxModel

/// Ids that lead to each other and never to an episode.
struct AliasCircles {
  /// Each circle once, its ids in the order in which they lead on.
  private(set) var circles: [[String]] = []

  /// Looks at all aliases of the library.
  init(in snapshot: StoreSnapshot) {
    var next: [String: String] = [:]
    snapshot.records(of: .alias) { record in
      next[record.id] = record.fields["to"]?.string
      return true
    }
    var done: Set<String> = []
    for first in next.keys.sorted() where !done.contains(first) {
      var path: [String] = []
      var places: [String: Int] = [:]
      var id: String? = first
      while let current = id, !done.contains(current) {
        if let place = places[current] {
          let circle = Array(path[place...])
          // An id that an episode has leads nowhere else.
          if !circle.contains(where: { snapshot.record(.episode, $0) != nil }) {
            circles.append(circle)
          }
          break
        }
        places[current] = path.count
        path.append(current)
        id = next[current]
      }
      done.formUnion(path)
    }
  }
}
