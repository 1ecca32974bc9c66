package import ArgumentParser

/// The options of tools that change the library.
package struct LibraryOptions: ParsableArguments, Sendable {
  /// The folder for new media; nil for the default root.
  @Option(help: ArgumentHelp("Put new media below this folder.", valueName: "dir"))
  package var root: String?

  /// How long to wait for the lock.
  @Option(
    help: ArgumentHelp(
      "Wait at most so long for the lock, such as 10s or 500ms.", valueName: "time"))
  package var lockTimeout: Milliseconds?

  package init() {}

  /// How long to wait for the lock, in milliseconds.
  package var lockTimeoutMilliseconds: Int64 { lockTimeout?.count ?? 10_000 }
}

/// A duration as typed: a number with `ms`, `s`, `m`, `h` or `d`; seconds without.
package struct Milliseconds: Sendable, Hashable, ExpressibleByArgument {
  /// The milliseconds, never negative.
  package let count: Int64

  /// So many milliseconds.
  package init(_ count: Int64) {
    self.count = max(0, count)
  }

  package init?(argument: String) {
    let units: [(name: String, length: Int64)] = [
      ("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000), ("d", 86_400_000), ("", 1000),
    ]
    guard let unit = units.first(where: { argument.hasSuffix($0.name) }),
      let number = Int64(argument.dropLast(unit.name.utf8.count)), number >= 0,
      argument.utf8.first != UInt8(ascii: "+")
    else { return nil }
    let product = number.multipliedReportingOverflow(by: unit.length)
    guard !product.overflow else { return nil }
    count = product.partialValue
  }
}
