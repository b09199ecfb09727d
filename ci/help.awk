# SPDX-License-Identifier: Apache-2.0
# Reads a Makefile and prints its help or, with -v goals="TARGET...", the variables that these targets use:
#   "#> text"  is printed as it stands;
#   "#: text"  describes the target or the variable (with its default) on the next line.
# A target uses a variable that its recipe reads: $(NAME), $(call options,NAME ...), $(call flags,NAME ...),
# $(call on,NAME), or by way of a lower-case definition of the Makefile. Before a variable's text stand the targets that use it, if they are few.
BEGIN { FEW = 6 }
/^#>/ { sub(/^#> ?/, ""); line[++lines] = $0; next }
/^#: / { text = substr($0, 4); next }
/^[a-z]+:/ {
    target = $1
    sub(/:.*/, "", target)
    targets[++count] = target
    if (text != "") line[++lines] = sprintf("  %-10s %s", target, text)
}
/^\t/ { recipe[target] = recipe[target] $0 }
/^[a-z]+ :?= / { definition[$1] = $0 }
/^[A-Z_]+ \?=/ {
    default_ = $0
    sub(/^[A-Z_]+ \?= */, "", default_)
    variables[++known] = $1
    line[++lines] = sprintf("  %-22s ", $1 "=" default_)
    variable[lines] = $1
    words[lines] = text
}
{ text = "" }

# collect TEXT into used[]: what it reads, itself and by way of definitions
function collect(text,    name, names, number, i) {
    while (match(text, /\$\(call (options|flags|on),[A-Z_ ]+\)|\$\([A-Z_]+\)|\$\((call )?[a-z]+/)) {
        name = substr(text, RSTART, RLENGTH)
        text = substr(text, RSTART + RLENGTH)
        number = split(name, names, /[^A-Z_]+/)
        for (i = 1; i <= number; i++) used[names[i]] = 1
        sub(/^\$\((call )?/, "", name)
        sub(/,.*/, "", name)
        if (name in definition && !(name in followed)) {
            followed[name] = 1
            collect(definition[name])
        }
    }
}

# used_by TARGETS: sets used[] to what these together use
function used_by(goals,    names, number, i) {
    split("", used)
    split("", followed)
    number = split(goals, names)
    for (i = 1; i <= number; i++) collect(recipe[names[i]])
}

END {
    if (goals != "") {
        used_by(goals)
        for (i = 1; i <= known; i++) if (variables[i] in used) print variables[i]
        exit
    }
    for (i = 1; i <= count; i++) {
        used_by(targets[i])
        for (name in used) {
            users[name] = users[name] (users[name] == "" ? "" : ", ") targets[i]
            number_of_users[name]++
        }
    }
    for (i = 1; i <= lines; i++) {
        name = variable[i]
        few = name != "" && number_of_users[name] <= FEW
        print line[i] (few ? users[name] ": " : "") words[i]
    }
}
