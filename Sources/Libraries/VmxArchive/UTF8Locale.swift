import Glibc

// libarchive converts names with the locale of the calling thread, which is C in the tools. In that
// locale writing a pax header with a name that is not ASCII fails, and the UTF-8 form of a name
// cannot be read.

/// The character type of `C.UTF-8`, set for the calling thread while a closure runs (uselocale(3)).
struct UTF8Locale: ~Copyable {
  private let locale: locale_t

  /// Loads the locale; nil if the system lacks it.
  init?() {
    guard let locale = newlocale(1 << LC_CTYPE, "C.UTF-8", nil) else { return nil }
    self.locale = locale
  }

  deinit { freelocale(locale) }

  /// Calls the closure with this locale, and then restores the previous one.
  borrowing func withLocale<Value>(_ body: () -> Value) -> Value {
    let previous = uselocale(locale)
    defer { uselocale(previous) }
    return body()
  }
}
