# SPDX-License-Identifier: Apache-2.0
# Prints a Makefile's help from the Makefile itself:
#   "#> text"  is printed as it stands;
#   "#: text"  describes the target or the variable (with its default) on the next line.
/^#>/ { sub(/^#> ?/, ""); print; next }
/^#: / { text = substr($0, 4); next }
text != "" && /^[a-z]+:/ {
    name = $1; sub(/:.*/, "", name)
    printf "  %-10s %s\n", name, text
}
text != "" && /^[A-Z_]+ \?=/ {
    default_ = $0; sub(/^[A-Z_]+ \?= */, "", default_)
    printf "  %-22s %s\n", $1 "=" default_, text
}
{ text = "" }
