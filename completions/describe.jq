# Generates completions and manual pages from the parsers of the tools.
# Sources/Packaging/describe.sh provides the input.

# The words that complete the value of an argument, or the name of a kind of words: the parser's own
# list, else by the name of the value in the help.
def completion($fields):
  (.kind == "positional") as $isOperand
  | if .kind == "flag" then ""
  elif .completionKind.list then .completionKind.list.values | join(" ")
  elif any(.names[]?; .name == "season") then "@seasons"
  elif any(.names[]?; .name == "show") then "@shows"
  else
    {
      "a,b": ($fields | join(" ")), field: ($fields | join(" ")),
      part: "video subtitle image metadata key", parts: "video subtitle image metadata key",
      id: "@ids", ids: "@ids", episodes: "@ids", old: "@ids", new: "@ids", code: "@codes",
      show: "@shows", step: "@steps", dir: "@folders", file: "@files", bundles: "@files",
      paths: "@files", sources: "@files", url: "@files"
    }[.valueName] // "@none"
    # A show as an operand stands for its episodes.
    | if . == "@ids" and $isOperand then "@episodes" else . end
  end;

def argument($fields):
  {
    names: [.names[]? | (if .kind == "long" then "--" else "-" end) + .name] | sort_by(length),
    help: (.abstract // ""), value: (if .kind == "flag" then null else .valueName end),
    words: completion($fields), repeats: .isRepeating
  };

# The words that complete the value of a setting.
def values:
  if .type == "path" then "@files" else .words // [] | if . == [] then "@none" else join(" ") end end;

# The names of the settings, and of those that -c accepts.
def setting_names: map(.key) | join(" ");
def parameter_names: map(select(.variable or (.key | startswith("host.")))) | setting_names;

# The tools and their aliases. An alias has the arguments of its tool, except the request. The tool
# config has the settings.
def tools($overview; $settings):
  ([$overview | scan("\n  ([a-z][a-z-]*) +([^\n]*)") | {key: .[0], value: .[1]}] | from_entries)
    as $summaries
  | map(.fields as $fields
    | [.arguments[] | select(.shouldDisplay != false)] as $arguments
    | {
        name: .tool, summary: $summaries[.tool],
        fields: $fields, settings: (if .tool == "config" then $settings else null end),
        options: [$arguments[] | select(.kind != "positional") | argument($fields)],
        operands: [$arguments[] | select(.kind == "positional") | argument($fields)]
      })
  | . as $tools
  | . + [$summaries | to_entries[]
    | (.value | capture(", as .vmx (?<tool>[a-z]+) ").tool) as $tool
    | ($tools[] | select(.name == $tool))
      + {name: .key, summary: .value, alias: $tool,
        operands: [{names: [], value: "id", words: "@episodes", repeats: true}]}];

def quoted: "'" + gsub("'"; "'\\''") + "'";

# The arms of a `case` over TOOL: (its options), TOOL:OPTION and TOOL:operand.
def bash:
  [{key: "tools", words: (map(.name) | sort | join(" "))},
    (.[] | .name as $name
    | {key: "\($name):", words: [.options[].names[] | select(startswith("--"))] | join(" ")},
      {key: "\($name):operand", words: (.operands[0].words // "@none")}),
  (.[].settings // empty | {key: "settings", words: setting_names},
    {key: "parameters", words: parameter_names}, (.[] | {key: "value:\(.key)", words: values})),
  # An option with the same values in all tools is one line.
  ([.[] | .name as $name | .options[] | select(.value) | .words as $words | .names[]
    | {option: ., $name, $words}] | group_by(.option)[]
    | if (map(.words) | unique | length) == 1 then {key: "*:\(.[0].option)", words: .[0].words}
      else .[] | {key: "\(.name):\(.option)", words} end)]
  | group_by(.words)[]
  | "    \(map(.key) | join(" | "))) words=\(.[0].words | quoted) ;;";

def zsh_action:
  if .words | startswith("@") then
    {"@ids": "_vmx_ids", "@episodes": "_vmx_episodes", "@shows": "_vmx_shows", "@seasons": "_vmx_seasons", "@codes": "_vmx_codes", "@steps": "_vmx_steps", "@files": "_files",
      "@folders": "_files -/", "@none": ""}[.words]
  elif .value == "a,b" or .value == "parts" then " _values -s , word \(.words)"
  else "(\(.words | gsub(":"; "\\:")))" end;

def zsh:
  def value: if .value then ":\(.value | gsub(":"; "")):\(zsh_action)" else "" end;
  def option:
    (.help | rtrimstr(".") | gsub("(?<sign>[][:\\\\])"; "\\\(.sign)")) as $help
    | (if .repeats then "*" else "" end) as $star
    | if (.names | length) == 1 then "\($star)\(.names[0])[\($help)]\(value)" | quoted
      else "\(if .repeats then "*" else "(\(.names | join(" ")))" end | quoted)"
        + "{\(.names | join(","))}\("[\($help)]\(value)" | quoted)" end;
  def operands:
    if .settings then "\("1\(.operands[0] | value)" | quoted) '*:setting:_vmx_config'"
    elif .operands[0].words // "@" | startswith("@") | not then
      "\("1\(.operands[0] | value)" | quoted) '*:id:_vmx_operands'"
    elif (.operands | length) == 1 and .operands[0].repeats then "*\(.operands[0] | value)" | quoted
    else [.operands | to_entries[] | "\(.key + 1)\(.value | value)" | quoted] | join(" ") end;
  "_vmx_names=(", (.[] | "  \("\(.name):\(.summary)" | quoted)"), "  'help:Show the help of vmx or of a tool'", ")",
  "_vmx_arguments() {", "  case $1 in",
  (.[] | "    \(.name)) _arguments -s \([(.options[] | option), operands] | join(" ")) ;;"),
  "    *) return 1 ;;", "  esac", "}",
  (.[].settings // empty
    | "_vmx_settings=(\(setting_names))", "_vmx_parameters=(\(parameter_names))",
    "_vmx_values() {", "  case $1 in",
    (map({words: values, key}) | group_by(.words)[] | .[0].words as $words
      | "    \(map(.key) | join("|"))) \(if $words == "@files" then "_files" elif $words == "@none" then "return 1"
        else "compadd -- \($words)" end) ;;"),
    "    *) return 1 ;;", "  esac", "}");

def fish:
  def fish_quoted: "'\(gsub("\\\\"; "\\\\\\\\") | gsub("'"; "\\'"))'";
  def value:
    {"": "", "@none": " -x", "@files": " -r -F", "@folders": " -x -a '(__fish_complete_directories)'",
      "@ids": " -x -a '(__vmx_ids)'", "@episodes": " -x -a '(__vmx_episodes)'", "@shows": " -x -a '(__vmx_shows)'",
      "@seasons": " -x -a '(__vmx_seasons)'", "@codes": " -x -a '(__vmx_codes)'",
      "@steps": " -x -a '(__vmx_steps)'"}[.words] // " -x -a '(__vmx_words \(.words))'";
  (.[], {name: "help", summary: "Show the help of vmx or of a tool"}
    | "complete -c vmx -n 'not __vmx_tool' -a \(.name) -d \(.summary | fish_quoted)"),
  "complete -c vmx -n '__vmx_is help' -a '\(map(.name) | join(" "))'",
  # One line for all tools with the same option.
  ([(.[] | .name as $name | .options[] | {$name, line: (
      "\(.names | map(if startswith("--") then " -l \(.[2:])" else " -s \(.[1:])" end) | join(""))"
      + "\(value) -d \(.help | rtrimstr(".") | fish_quoted)")}),
    (.[] | select(.settings | not) | .name as $name | .operands[0] // empty | select(.words != "@none")
      | if .words | startswith("@") then {$name, line: (value | sub(" -x"; ""))}
        else {$name, line: " -a '(__vmx_request \(.words))'"} end)]
    | group_by(.line)[] | "complete -c vmx -n '__vmx_is \(map(.name) | join(" "))'\(.[0].line)"),
  (.[] | select(.settings) | "complete -c vmx -n '__vmx_is \(.name)' -a '(__vmx_config \(.operands[0].words))'",
    (.settings | "function __vmx_settings", "    printf '%s\\n' \(setting_names)", "end",
      "function __vmx_parameters", "    printf '%s\\n' \(parameter_names)", "end",
      "function __vmx_values", "    switch $argv[1]",
      (map({words: values, key}) | group_by(.words)[] | .[0].words as $words | select($words != "@none")
        | "        case \(map(.key) | join(" "))",
        if $words == "@files" then "            __fish_complete_path (commandline -ct)"
        else "            printf '%s\\n' \($words)" end),
      "    end", "end"));

def roff: gsub("\\\\"; "\\e") | gsub("-"; "\\-") | gsub("'"; "\\(aq");

# A manual page: that of a tool, with the options that it does not describe itself added under
# OPTIONS; that of vmx, with the tools.
def page($name; $page):
  def told: [scan("\n\\.TP\n([^\n]*)")[0] | gsub("\\\\-"; "-") | scan("--?[a-z0-9][a-z0-9-]*")];
  def entry($fields):
    ".TP\n\(.names | map("\\fB\(roff)\\fP") | join(", "))"
    + (if .value then " \\fI\(.value | roff)\\fP" else "" end) + "\n\(.help | roff)\n"
    + (if .value == "a,b" then
        "The fields are \($fields | map("\\fB\(.)\\fP") | join(", ")).\n" else "" end)
    | rtrimstr("\n");
  ([.[] | select("vmx-\(.name)" == $name)][0]) as $tool
  | map(select(.alias | not) | ".TP\n\\fBvmx\\-\(.name)\\fP(1)\n\(.summary | roff).") as $table
  | $page | split("\n.SH ")
  | map(
      if $tool == null then sub("\n\\.\\\\\" tools\n"; "\n\($table | join("\n"))\n")
      elif startswith("OPTIONS\n") then
        told as $told
        | . + ([$tool.options[] | select(.names | any(. as $one | $told | index($one)) | not)
          # `--no-x` is listed with `--x`, if that exists.
          | select(.names[0] as $name | $name | startswith("--no-") | not
            or ([$tool.options[].names[]] | index("--\($name[5:])") | not))
          | .names[0] as $first
          | .names += [$tool.options[].names[] | select(. == "--no-\($first[2:])")]
          | "\n" + entry($tool.fields)] | join(""))
      else . end)
  | join("\n.SH ");
