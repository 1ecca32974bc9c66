/// Replaced by the library's first real file.
enum Seed {}
