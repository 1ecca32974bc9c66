/// Typed access. Each function throws `bad-setting`, naming the origin of the invalid value and the
/// accepted values. Asking for a key by a type other than its kind is a bug in vmx.
extension Settings {
  /// Returns a Boolean.
  package func bool(_ key: SettingKey) throws(Failure) -> Bool {
    guard case .bool(let truth) = try value(key) else { Self.broken(key) }
    return truth
  }

  /// Returns an integer.
  package func integer(_ key: SettingKey) throws(Failure) -> Int64 {
    guard case .integer(let number) = try value(key) else { Self.broken(key) }
    return number
  }

  /// Returns a number of bytes.
  package func size(_ key: SettingKey) throws(Failure) -> ByteCount {
    guard case .size(let count) = try value(key) else { Self.broken(key) }
    return count
  }

  /// Returns a duration in milliseconds.
  package func milliseconds(_ key: SettingKey) throws(Failure) -> Int64 {
    guard case .duration(let duration) = try value(key) else { Self.broken(key) }
    return duration
  }

  /// Returns the rule that selects one of several files of a video.
  package func quality(_ key: SettingKey) throws(Failure) -> Quality {
    guard case .quality(let quality) = try value(key) else { Self.broken(key) }
    return quality
  }

  /// Returns one of the words that the setting's kind allows.
  package func choice(_ key: SettingKey) throws(Failure) -> String {
    guard case .choice = key.entry.kind, case .text(let word) = try value(key) else {
      Self.broken(key)
    }
    return word
  }

  /// Returns an absolute path; nil if none is set.
  ///
  /// - Parameter home: the folder that replaces `~`.
  package func path(_ key: SettingKey, home: String) throws(Failure) -> String? {
    switch try value(key) {
    case nil: return nil
    case .text(let path) where key.entry.kind == .path:
      return path.hasPrefix("~") ? home + path.dropFirst() : path
    default: Self.broken(key)
    }
  }

  /// Returns a window of times of day.
  package func window(_ key: SettingKey) throws(Failure) -> TimeWindow {
    guard case .window(let window) = try value(key) else { Self.broken(key) }
    return window
  }

  /// Returns a rate in bytes per second, by the time of day.
  package func rate(_ key: SettingKey) throws(Failure) -> RateSchedule {
    guard case .rate(let schedule) = try value(key) else { Self.broken(key) }
    return schedule
  }

  /// Returns a number of bytes, or a percentage of the disk.
  package func share(_ key: SettingKey) throws(Failure) -> Share {
    guard case .share(let share) = try value(key) else { Self.broken(key) }
    return share
  }

  /// Returns text; nil if none is set or the text is empty.
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
