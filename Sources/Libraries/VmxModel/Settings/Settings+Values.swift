/// Typed access. Each throws `bad-setting`, naming where the wrong value was given and what is
/// allowed; asking for a key by another type than its kind is a bug of ours.
extension Settings {
  /// A truth value.
  package func bool(_ key: SettingKey) throws(Failure) -> Bool {
    guard case .bool(let truth) = try value(key) else { Self.broken(key) }
    return truth
  }

  /// A whole number.
  package func integer(_ key: SettingKey) throws(Failure) -> Int64 {
    guard case .integer(let number) = try value(key) else { Self.broken(key) }
    return number
  }

  /// A number of bytes.
  package func size(_ key: SettingKey) throws(Failure) -> ByteCount {
    guard case .size(let count) = try value(key) else { Self.broken(key) }
    return count
  }

  /// A duration in milliseconds.
  package func milliseconds(_ key: SettingKey) throws(Failure) -> Int64 {
    guard case .duration(let duration) = try value(key) else { Self.broken(key) }
    return duration
  }

  /// Which of several files of a video.
  package func quality(_ key: SettingKey) throws(Failure) -> Quality {
    guard case .quality(let quality) = try value(key) else { Self.broken(key) }
    return quality
  }

  /// One of the words of its kind.
  package func choice(_ key: SettingKey) throws(Failure) -> String {
    guard case .choice = key.entry.kind, case .text(let word) = try value(key) else {
      Self.broken(key)
    }
    return word
  }

  /// An absolute path; nil where none is given.
  ///
  /// - Parameter home: what stands for `~`.
  package func path(_ key: SettingKey, home: String) throws(Failure) -> String? {
    switch try value(key) {
    case nil: return nil
    case .text(let path) where key.entry.kind == .path:
      return path.hasPrefix("~") ? home + path.dropFirst() : path
    default: Self.broken(key)
    }
  }

  /// Times of day.
  package func window(_ key: SettingKey) throws(Failure) -> TimeWindow {
    guard case .window(let window) = try value(key) else { Self.broken(key) }
    return window
  }

  /// Bytes a second, by the time of day.
  package func rate(_ key: SettingKey) throws(Failure) -> RateSchedule {
    guard case .rate(let schedule) = try value(key) else { Self.broken(key) }
    return schedule
  }

  /// Bytes, or hundredths of a disk.
  package func share(_ key: SettingKey) throws(Failure) -> Share {
    guard case .share(let share) = try value(key) else { Self.broken(key) }
    return share
  }

  /// Any text; nil where none is given, or an empty one.
  package func text(_ key: SettingKey) throws(Failure) -> String? {
    switch try value(key) {
    case nil: return nil
    case .text(let text) where key.entry.kind == .text: return text.isEmpty ? nil : text
    default: Self.broken(key)
    }
  }

  private static func broken(_ key: SettingKey) -> Never {
    fatalError("the setting '\(key.rawValue)' was asked for by a type that is not its kind")
  }
}
