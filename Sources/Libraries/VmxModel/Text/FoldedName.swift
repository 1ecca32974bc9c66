extension String {
  /// A text that is equal, by canonical equivalence, for all names that some file systems treat as
  /// equal, since they ignore case or Unicode form.
  package var foldedName: String { uppercased().lowercased() }
}
