import Glibc

// libarchive converts names by the locale of the calling thread, which is C in the tools: a pax
// header with another name than ASCII fails there, and the UTF-8 of a name cannot be read.

/// The character type of `C.UTF-8`, set for the calling thread while a closure runs (uselocale(3)).
struct UTF8Locale: ~Copyable {
  private let locale: locale_t

  /// Loads the locale; nil where the system has none.
  init?() {
    guard let locale = newlocale(1 << LC_CTYPE, "C.UTF-8", nil) else { return nil }
    self.locale = locale
  }

  deinit { freelocale(locale) }

  /// Calls the closure with this locale, and sets the previous one again.
  borrowing func whileSet<Value>(_ body: () -> Value) -> Value {
    let previous = uselocale(locale)
    defer { uselocale(previous) }
    return body()
  }
}
