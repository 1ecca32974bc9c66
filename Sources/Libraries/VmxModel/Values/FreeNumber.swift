/// Returns a number above the first one that is free while its predecessor is not, such as the next
/// number of a name with copies.
///
/// The search is exponential and then binary, so that a name with n copies costs O(log n) queries.
/// If copies were removed in between, it may return one of their numbers, or a higher one.
///
///     let number = try freeNumber(above: 1) { try isTaken($0) }
///
/// - Parameters:
///   - first: a number that is not free.
///   - isTaken: whether a number is not free.
/// - Throws: errors of the closure.
package func freeNumber(
  above first: Int, isTaken: (Int) throws -> Bool
) rethrows -> Int {
  var taken = first
  var step = 1
  while try isTaken(taken + step) {
    taken += step
    step *= 2
  }
  var free = taken + step
  while free - taken > 1 {
    let middle = taken + (free - taken) / 2
    if try isTaken(middle) { taken = middle } else { free = middle }
  }
  return free
}
