# Finds functions with more than 60 lines, functions `perform` of commands with more than 40, and
# functions with more than 6 parameters, or more than 2 without a label, as `file:line: what`. The
# first file lists the exceptions, each with its reason. It relies on the form that swift-format
# gives to the sources.
FILENAME ~ /\.txt$/ {
  if (split($0, words, " ") > 1 && words[1] !~ /^#/) allowed[words[1] " " words[2]] = 1
  next
}

FNR == 1 { signature = ""; count = 0; split("", start) }

signature == "" && /^ *([a-z@][A-Za-z]*(\([a-z]*\))? +)*(func +[^ (<]+|init\??)(<[^>]*>)? *\(/ {
  match($0, /(func +[^ (<]+|init\??)/)
  name = substr($0, RSTART, RLENGTH)
  sub(/^func +/, "", name)
  sub(/\?$/, "", name)
  match($0, /^ */)
  indent = substr($0, 1, RLENGTH)
  first = FNR
  before = ""
}

first == FNR || signature != "" {
  signature = signature "\n" $0
  gsub(/"([^"\\]|\\.)*"/, "\"\"", signature)
  depth = gsub(/\(/, "(", signature) - gsub(/\)/, ")", signature)
  # The body of a requirement of a protocol never begins.
  if (depth > 0 || $0 !~ /[{}]$/ && $0 !~ /^ *(\/\/\/|@|$)/ && FNR - first < 12) next
  check()
  if ($0 ~ /\{$/) start[indent "}"] = first " " name
  signature = ""
  next
}

$0 in start {
  split(start[$0], opened, " ")
  limit = opened[2] == "perform" && FILENAME ~ /^Sources\/Commands\// ? 40 : 60
  if (FNR - opened[1] + 1 > limit) {
    report(opened[1], opened[2], "a function of more than " limit " lines")
  }
  delete start[$0]
}

# Checks the parameters of the signature.
function check(    list, count, i, unlabelled) {
  sub(/^[^(]*\(/, "", signature)
  gsub(/->/, "", signature)
  while (gsub(/[[(<{][^][()<>{}]*[])>}]/, "", signature)) continue
  sub(/\).*/, "", signature)
  count = split(signature, list, ",")
  for (i = 1; i <= count; i++) if (list[i] ~ /^[ \n]*_ /) unlabelled++
  if (count > 6) report(first, name, "more than 6 parameters")
  if (unlabelled > 2) report(first, name, "more than 2 parameters without a label")
}

function report(line, name, what,    path, file) {
  file = FILENAME
  sub(/.*\//, "", file)
  if (!((file " " name) in allowed)) print FILENAME ":" line ": " what
}
