#!/bin/sh
# Makes sure that Criterion (the C test framework) is there: tries to compile
# against it, else installs Debian's package as root or by sudo, else says what
# to install.  usage: need-criterion.sh CC
cc=${1:-cc}

have() {
  printf '#include <criterion/criterion.h>\n' |
    $cc -E -x c - >/dev/null 2>&1
}

have && exit 0
if command -v apt-get >/dev/null 2>&1; then
  as=
  [ "$(id -u)" = 0 ] || as="sudo -n"
  echo "Criterion is missing: installing libcriterion-dev ..." >&2
  { $as apt-get update -qq && DEBIAN_FRONTEND=noninteractive \
    $as apt-get install -y -qq libcriterion-dev; } >/dev/null 2>&1
fi
have && exit 0
cat >&2 <<'END'
make test needs Criterion, a test framework for C, and could not install it.
On Debian or Ubuntu:    sudo apt-get install libcriterion-dev
Fedora: criterion-devel (from COPR); Arch: criterion; macOS: brew install criterion
END
exit 1
