package import VmxModel

/// The reason for a refusal: a problem document (RFC 9457). It is parsed leniently because real
/// servers omit members that Readium requires.
package struct ProblemDocument: Sendable, Equatable {
  private static let errors = "http://readium.org/license-status-document/error/"

  /// The part of `type` after Readium's prefix, such as `return/already`; nil for another type.
  package let readiumType: String?
  /// The truncated title and detail for the user.
  package let words: String?
  /// The time from which the provider accepts the request again (the provider-specific member
  /// `resets`).
  package let resets: Timestamp?

  /// Parses the body of a refusal. All fields are nil if the body is not a problem document.
  package init(_ bytes: [UInt8]) {
    let reader: DocumentReader
    do throws(Failure) {
      reader = try DocumentReader(bytes, limit: LicenceDocument.largest, "refusal")
    } catch {
      (readiumType, words, resets) = (nil, nil, nil)
      return
    }
    let type = reader.value("type")?.string ?? ""
    readiumType = type.hasPrefix(Self.errors) ? String(type.dropFirst(Self.errors.count)) : nil
    let texts = [reader.words("title"), reader.words("detail")].compactMap { $0 }
    words = texts.isEmpty ? nil : texts.joined(separator: " ")
    resets = reader.value("resets")?.string.flatMap { Timestamp($0) }
  }
}
