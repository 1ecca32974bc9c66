// Sizes, counts and times from files, servers, settings and options may have any Int64 value. Sums
// and products of such numbers are clamped. No real data reaches the clamped values, and an
// overflow would end the process.

extension FixedWidthInteger {
  /// The sum, clamped to the range of the type.
  package func addingClamped(_ other: Self) -> Self {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? (other < 0 ? .min : .max) : sum
  }

  /// The product, clamped to the range of the type.
  package func multipliedClamped(by other: Self) -> Self {
    let (product, overflow) = multipliedReportingOverflow(by: other)
    return overflow ? ((self < 0) == (other < 0) ? .max : .min) : product
  }
}

extension Sequence where Element: FixedWidthInteger {
  /// The sum of all elements, clamped at each step.
  package func clampedSum() -> Element { reduce(0) { $0.addingClamped($1) } }
}
