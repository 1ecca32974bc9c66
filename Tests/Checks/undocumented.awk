# Finds `package` declarations without `///`, as `file:line:`. Give it the files twice: the first
# time it learns what protocols and ArgumentParser's wrappers explain in their own place.
FNR == 1 { before = ""; wrapped = 0; inside = 0; if (!(FILENAME in seen)) { seen[FILENAME] = 1; pass = 1 } else pass = 2 }

function name_of(line, words) {
  if (!match(line, /(func|var|let) +[A-Za-z_]+/)) return ""
  split(substr(line, RSTART, RLENGTH), words, " +")
  return words[2]
}

pass == 1 {
  if ($0 ~ /^ *package +protocol/) inside = 1
  else if ($0 ~ /^}/) inside = 0
  else if (inside && (name = name_of($0)) != "") required[name] = 1
  next
}

# What the standard library's protocols name and explain.
function is_told_elsewhere(line) {
  return line ~ /func ([=<>+*-]+ *\(|hash\(into)/ || line ~ /init\([a-z]+Literal / ||
    line ~ /init\(\) *\{|init\?\(argument:/ || line ~ /var (description|debugDescription):/ || line ~ /typealias/ ||
    (name_of(line) in required && line !~ /package +protocol/)
}

/^ *@(Option|Flag|Argument|OptionGroup)/ { wrapped = 1 }
/^ *(package|public) +((final|static|mutating|consuming|indirect|borrowing|nonisolated|convenience) +)*(func|var|let|init|struct|enum|class|actor|protocol|typealias|subscript)/ {
  if (!wrapped && before !~ /^ *\/\/\// && !is_told_elsewhere($0)) print FILENAME ":" FNR ":"
  wrapped = 0
}
!/^ *@/ { before = $0 }
