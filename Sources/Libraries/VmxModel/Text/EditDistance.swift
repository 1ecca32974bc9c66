/// Returns the Damerau-Levenshtein distance (optimal string alignment): insertions, deletions,
/// replacements and transpositions of neighbours each count 1.
package func editDistance(_ left: String, _ right: String) -> Int {
  let a = Array(left.utf8)
  let b = Array(right.utf8)
  var before: [Int] = []
  var last = Array(0...b.count)
  for i in 0..<a.count {
    var row = [i + 1]
    for j in 0..<b.count {
      var best = min(row[j] + 1, last[j + 1] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
      if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { best = min(best, before[j - 1] + 1) }
      row.append(best)
    }
    before = last
    last = row
  }
  return last[b.count]
}

/// Returns at most three names that begin with the typed text or have a distance of at most two,
/// nearest first.
package func suggestions(for typed: String, among names: [String]) -> [String] {
  let near = names.compactMap { name -> (distance: Int, name: String)? in
    let distance = editDistance(typed, name)
    if distance <= 2, distance < max(typed.utf8.count, name.utf8.count) {
      return (distance, name)
    }
    return typed.isEmpty || !name.hasPrefix(typed) ? nil : (3, name)
  }
  return near.sorted { ($0.distance, $0.name) < ($1.distance, $1.name) }.prefix(3).map(\.name)
}
