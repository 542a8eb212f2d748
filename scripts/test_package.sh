#!/usr/bin/env bash
# Makes the Debian package (scripts/package.sh), installs it into a bare Debian 12 and runs the default layer there.
#   scripts/test_package.sh [PACKAGE.deb]      (default: makes it; needs root for debootstrap and chroot, and the network)
# MIRROR in the environment is debootstrap's mirror.
set -euo pipefail
cd "$(dirname "$0")/.."
case "${1:-}" in -h|--help) sed -n '2,4p' scripts/test_package.sh | sed 's/^# \{0,1\}//'; exit 0 ;; esac
[ "$(id -u)" -eq 0 ] || { echo 'test_package: debootstrap and chroot need root' >&2; exit 1; }
scripts/setup.sh --package
package=${1:-$(scripts/package.sh)}
[ -f "$package" ] || { echo "test_package: $package is not there" >&2; exit 1; }

root=$(mktemp -d)
leave() {
  umount "$root/proc" 2>/dev/null || true
  rm -rf --one-file-system "$root"
}
trap leave EXIT
debootstrap --variant=minbase bookworm "$root" ${MIRROR:+"$MIRROR"} >"$root.log" 2>&1 || { tail -5 "$root.log" >&2; exit 1; }
rm -f "$root.log"
mount -t proc proc "$root/proc"
inside() { chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root DEBIAN_FRONTEND=noninteractive "$@"; }
install_there() {
  inside apt-get install -y -qq --no-install-recommends "$@" >"$root/log" 2>&1 || { tail -5 "$root/log" >&2; exit 1; }
}
expect() {
  local wanted=$1
  shift
  local said
  said=$(inside "$@" 2>&1) || { echo "test_package: $* failed: $said" >&2; exit 1; }
  case $said in
    *"$wanted"*) echo "test_package: $* says '$wanted'" ;;
    *) echo "test_package: $* does not say '$wanted': $said" >&2; exit 1 ;;
  esac
}

# Proxies of this machine hold inside, too.
env | sed -n 's/^\(https\?\)_proxy=\(.*\)$/Acquire::\1::Proxy "\2";/p' >"$root/etc/apt/apt.conf.d/proxy"
cp "$package" "$root/dve-tlm.deb"
install_there ./dve-tlm.deb
expect '/usr/share/dve-tlm/data/digits_cnn/7: 128 channels x 512 elements' dve-sim run
expect 'resnet_50' dve-sim run resnet_50 --no-data
expect 'cayman' dve-sim config cayman
expect '_dve_sim' bash -c 'source /usr/share/bash-completion/completions/dve-sim && complete -p dve-sim'
expect 'dve\-sim' bash -c 'gzip -dc /usr/share/man/man1/dve-sim.1.gz'

# With what the package recommends the Python package works, too.
install_there python3-numpy python3-pandas
expect 'ok' python3 -c 'import dve; print(dve.run().status)'
expect 'DataFrame' python3 -c 'import dve; print(type(dve.run().compare().to_pandas()))'

inside dpkg --remove dve-tlm >/dev/null
[ -z "$(find "$root/usr" -name '*dve*')" ] || { echo 'test_package: files are left' >&2; exit 1; }
echo 'test_package: ok'
