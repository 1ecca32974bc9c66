import VmxModel

/// Cycles of aliases: ids that lead to each other and never to an episode.
struct AliasCircles {
  /// The cycles, each listed once, with its ids in the order in which they refer to each other.
  private(set) var circles: [[String]] = []

  /// Follows all aliases of the library and collects the cycles.
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
