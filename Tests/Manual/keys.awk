# Makes the list of keys in man/vmx-json.5, between its two marks, from
#   vmx explain --keys --fields shape,key,type,unit,meaning,tools,contains | awk -f Tests/Manual/keys.awk
# The test of the manual compares; whoever changes the table puts the new text in by hand.
function roff(text) {
  gsub(/\\/, "\\e", text)
  gsub(/-/, "\\-", text)
  gsub(/'/, "\\(aq", text)
  return text
}
function list(text) {
  gsub(/,/, ", ", text)
  return roff(text)
}
BEGIN { FS = "\t" }
$2 == "" {
  printf ".SS %s\n%s.\n", roff($1), roff($5)
  if ($6 == "any") printf ".br\nPrinted by: every tool.\n"
  else if ($6 != "") printf ".br\nPrinted by: %s.\n", list($6)
  if ($7 != "") printf ".br\nHas the keys of: %s.\n", list($7)
  next
}
{
  unit = $4 == "" ? "" : ", " roff($4)
  printf ".TP\n\\fB%s\\fP (%s%s)\n%s.\n", roff($2), $3, unit, roff($5)
}
