// Sizes, counts and times from files, servers, settings and options may be as large as an Int64
// can be. Sums and products of such numbers are clamped: the result is wrong by an amount that
// nobody can have, where an overflow would end the process.

extension FixedWidthInteger {
  /// The sum; one that does not fit is cut to the largest or the smallest value.
  package func addingClamped(_ other: Self) -> Self {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? (other < 0 ? .min : .max) : sum
  }

  /// The product; one that does not fit is cut to the largest or the smallest value.
  package func multipliedClamped(by other: Self) -> Self {
    let (product, overflow) = multipliedReportingOverflow(by: other)
    return overflow ? ((self < 0) == (other < 0) ? .max : .min) : product
  }
}

extension Sequence where Element: FixedWidthInteger {
  /// The sum of all elements, clamped at each step.
  package func clampedSum() -> Element { reduce(0) { $0.addingClamped($1) } }
}
