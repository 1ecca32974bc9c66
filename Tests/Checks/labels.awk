# Finds initialisers whose label differs from the property that they set with it, as `file:line:`.
# A label with a local name of its own (`at offset`) may differ, and one that also sets a property
# of its own name.
function check(    parameters, body, list, count, i, label, first) {
  line = 0
  while (match(text, /[^A-Za-z.]init\??\(/)) {
    pass(RSTART + RLENGTH - 1)
    first = line
    parameters = enclosed("(", ")")
    if (!match(text, /^[^{}]*\{/)) continue
    pass(RLENGTH)
    body = text
    gsub(/->/, "", parameters)
    while (gsub(/[[(<][^][()<>]*[])>]/, "", parameters)) continue
    count = split(parameters, list, ",")
    body = enclosed("{", "}")
    text = body text
    line -= gsub(/\n/, "\n", body)
    for (i = 1; i <= count; i++) {
      if (!match(list[i], /^[ \n]*[a-z][A-Za-z]*:/)) continue
      label = substr(list[i], RSTART, RLENGTH - 1)
      gsub(/[ \n]/, "", label)
      if (body ~ "self\\." label "[^A-Za-z]") continue
      if (body ~ "\n *(self\\.)?[A-Za-z]+ = " label "\n") print file ":" first ":"
    }
  }
}

# Removes the first characters of the text, and counts their lines.
function pass(length_,    part) {
  part = substr(text, 1, length_)
  line += gsub(/\n/, "\n", part)
  text = substr(text, length_ + 1)
}

# Removes the text up to the closing character, and returns it.
function enclosed(opening, closing,    depth, i, character, part) {
  depth = 1
  for (i = 1; i <= length(text) && depth > 0; i++) {
    character = substr(text, i, 1)
    if (character == opening) depth++
    else if (character == closing) depth--
  }
  part = substr(text, 1, i - 1)
  pass(i - 1)
  return part
}

FNR == 1 {
  if (NR > 1) check()
  text = "\n"
  file = FILENAME
}
{ text = text $0 "\n" }
END { check() }
