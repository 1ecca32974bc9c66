import VmxModel

// An archive is a property list: `$objects` lists all objects, `$top` names the root objects, and a
// UID is an index into `$objects`. Foundation objects become plain values. An object of an unknown
// class becomes the dictionary of its fields. A reference back to an object that is being resolved,
// such as a parent, is omitted, since a value cannot contain itself.

/// Resolves property lists that NSKeyedArchiver has written.
struct KeyedArchive {
  private let objects: [PropertyList]
  private var known: [Int: MeasuredList] = [:]
  private var open: Set<Int> = []

  /// Returns the archived value: the root object, else a dictionary of all top objects.
  ///
  /// - Throws: `record-unreadable`.
  static func resolve(_ list: PropertyList) throws(Failure) -> PropertyList {
    guard let objects = list["$objects"]?.array, let top = list["$top"]?.fields else {
      throw .unreadableList("it is no complete archive")
    }
    var archive = KeyedArchive(objects: objects)
    let roots = ["NSKeyedArchiveRootObjectKey", "root"]
    let root = top.first { roots.contains($0.key) } ?? (top.count == 1 ? top[0] : nil)
    if let root {
      guard let value = try archive.value(root.value, depth: 0)?.value else {
        throw .unreadableList("it is an archive of nothing")
      }
      return value
    }
    return try archive.fields(top, depth: 0).value
  }

  private init(objects: [PropertyList]) {
    self.objects = objects
  }

  /// Returns a value with its references resolved; nil for a null object or a cycle.
  private mutating func value(
    _ value: PropertyList, depth: Int
  ) throws(Failure) -> MeasuredList? {
    guard depth <= PropertyList.maxDepth else { throw .unreadableList("it is nested too deep") }
    switch value {
    case .uid(let uid):
      guard let index = Int(exactly: uid), objects.indices.contains(index) else {
        throw .unreadableList("an object refers to none")
      }
      return try object(index, depth: depth)
    case .array(let members): return try array(members, depth: depth)
    case .dictionary(let fields): return try self.fields(fields, depth: depth)
    default: return MeasuredList(value)
    }
  }

  private mutating func object(_ index: Int, depth: Int) throws(Failure) -> MeasuredList? {
    if let value = known[index] { return value }
    let object = objects[index]
    if index == 0, object == .string("$null") { return nil }
    guard open.insert(index).inserted else { return nil }
    defer { open.remove(index) }
    let value: MeasuredList?
    if case .dictionary(let fields) = object {
      value = try instance(object, fields, depth: depth)
    } else {
      value = try self.value(object, depth: depth + 1)
    }
    known[index] = value
    return value
  }

  /// Returns the value of an object according to its class.
  private mutating func instance(
    _ object: PropertyList, _ fields: [PropertyList.Field], depth: Int
  ) throws(Failure) -> MeasuredList? {
    let names = classNames(of: object)
    func isKind(_ wanted: String...) -> Bool { names.contains { wanted.contains($0) } }
    if isKind("NSNull") { return nil }
    if isKind("NSDictionary", "NSMutableDictionary") { return try dictionary(object, depth) }
    if isKind("NSArray", "NSMutableArray", "NSSet", "NSMutableSet", "NSOrderedSet") {
      return try array(object["NS.objects"]?.array ?? [], depth: depth + 1)
    }
    if isKind("NSDate"), let seconds = object["NS.time"]?.number {
      return MeasuredList(.date(sinceReference: seconds))
    }
    if isKind("NSURL") { return try url(object, depth) }
    for key in ["NS.string", "NS.data", "NS.bytes"] {
      if let plain = object[key] { return try value(plain, depth: depth + 1) }
    }
    return try self.fields(fields, depth: depth)
  }

  /// Returns the names of an object's class and superclasses that the archive contains.
  private func classNames(of object: PropertyList) -> [String] {
    guard case .uid(let uid)? = object["$class"], let index = Int(exactly: uid),
      objects.indices.contains(index)
    else { return [] }
    let name = objects[index]["$classname"]?.string
    return [name].compactMap { $0 } + (objects[index]["$classes"]?.array ?? []).compactMap(\.string)
  }

  private mutating func dictionary(
    _ object: PropertyList, _ depth: Int
  ) throws(Failure) -> MeasuredList {
    let keys = object["NS.keys"]?.array ?? []
    let values = object["NS.objects"]?.array ?? []
    guard keys.count == values.count else {
      throw .unreadableList("a dictionary has keys without values")
    }
    var fields: [PropertyList.Field] = []
    var members: [MeasuredList] = []
    for (key, member) in zip(keys, values) {
      let key = try value(key, depth: depth + 1)?.value
      guard let name = key?.string ?? key?.integer.map(String.init),
        let member = try value(member, depth: depth + 1)
      else { continue }
      fields.append(PropertyList.Field(name, member.value))
      members.append(member)
    }
    return try MeasuredList(.dictionary(fields), of: members)
  }

  /// Returns the text of a URL; nil for a relative URL.
  private mutating func url(_ object: PropertyList, _ depth: Int) throws(Failure) -> MeasuredList? {
    guard let relative = object["NS.relative"], let text = try value(relative, depth: depth + 1)
    else { return nil }
    return text.value.string?.contains("://") == true ? text : nil
  }

  private mutating func array(
    _ values: [PropertyList], depth: Int
  ) throws(Failure) -> MeasuredList {
    var members: [MeasuredList] = []
    for member in values {
      if let member = try value(member, depth: depth + 1) { members.append(member) }
    }
    return try MeasuredList(.array(members.map(\.value)), of: members)
  }

  /// Returns the fields as a dictionary, without those of the archive itself, whose names begin
  /// with `$`.
  private mutating func fields(
    _ fields: [PropertyList.Field], depth: Int
  ) throws(Failure) -> MeasuredList {
    var kept: [PropertyList.Field] = []
    var members: [MeasuredList] = []
    for field in fields where !field.key.hasPrefix("$") {
      guard let member = try value(field.value, depth: depth + 1) else { continue }
      kept.append(PropertyList.Field(field.key, member.value))
      members.append(member)
    }
    return try MeasuredList(.dictionary(kept), of: members)
  }
}
