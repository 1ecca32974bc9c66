/// The fields of the disk space of a root in listings.
package enum DiskField: String, ListingField {
  case path, used, quota, reserve, free, trash, unfinished, id

  package static let defaultFields: [DiskField] = [
    .path, .used, .quota, .reserve, .free, .trash, .unfinished,
  ]

  package var key: FieldKey {
    switch self {
    case .path:
      FieldKey(.text, "The absolute path of the folder", fitting: .end, heading: "FOLDER")
    case .used: FieldKey(.bytes, "The recorded size of the media")
    case .quota: FieldKey(.bytes, "The quota of the library, if there is one")
    case .reserve: FieldKey(.bytes, "The space to leave free on the disk")
    case .free: FieldKey(.bytes, "The free space on the disk, if mounted")
    case .trash: FieldKey(.bytes, "The size of the trash")
    case .unfinished: FieldKey(.bytes, "The size of unfinished files")
    case .id: FieldKey(.text, "The UUID of the root")
    }
  }
}
