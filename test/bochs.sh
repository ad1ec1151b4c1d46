#!/bin/sh
# bochs.sh: runs the machine code of the AVX-512 kernel on an emulated Ice Lake.
#
# The emulator is Bochs, which implements AVX-512. Builds it under build/bochs from the
# distribution's source, or from the source in build/bochs/source (minutes, once). Boots
# Debian's kernel for virtual machines, with a file system that has only static programs (a
# minute or two). Does not need root, and installs nothing. Needs gcc, g++, make, xorriso,
# cpio, and Debian's apt.
#
# Fixes two bugs in the source of Bochs. Up to 2.7, vgf2p8affineqb inverts its result.
# vpcompressb to a register writes nothing if its mask keeps all 64 bytes.

. test/tally.sh
. test/apt.sh
home=$(pwd)/build/bochs
source=$home/source
files=$home/files

skip() {
  echo "SKIPPED: AVX-512 on Bochs: $*"
  finish
  exit
}

build_emulator() {
  [ -x "$source/bochs" ] && return
  [ -e "$source/configure" ] || apt_source bochs "$source" || return
  sed -i 's/|= parity_byte(/|= !parity_byte(/' "$source/cpu/gf2.cc"
  sed -i 's/(BX_CONST64(1) << k) - 1;/k < 64 ? (BX_CONST64(1) << k) - 1 : ~BX_CONST64(0);/' \
    "$source/cpu/avx/avx512.cc"
  (cd "$source" && ./configure --enable-cpu-level=6 --enable-x86-64 --enable-avx \
    --enable-evex --enable-all-optimizations --disable-plugins --disable-docbook \
    --with-nogui && make) >"$home/build.log" 2>&1
}

# Unpacks the distribution's packages for the emulated machine into $files.
fetch_files() {
  [ -e "$files/boot" ] && return
  linux=$(apt-cache depends linux-image-cloud-amd64 | sed -n 's/^ *Depends: //p')
  mkdir -p "$home/packages"
  (cd "$home/packages" &&
    apt-get -qq download "$linux" isolinux syslinux-common bochsbios vgabios) || return
  for package in "$home"/packages/*.deb; do dpkg -x "$package" "$files"; done
}

# Makes the contents of the disc: boot loader, Linux, kerneltest, and the first process
# (bochs.c), which runs it.
build_disc() {
  mkdir -p "$work/root" "$work/disc"
  ${CC:-cc} -std=c11 -O2 -static -o "$work/root/init" test/bochs.c &&
    ${CC:-cc} -std=c11 -O2 -static -I. -o "$work/root/kerneltest" \
      test/kerneltest.c simd/kernel.c utf8core.c || return
  (cd "$work/root" && find . | cpio -o -H newc --quiet) >"$work/disc/initrd"
  cp "$files"/boot/vmlinuz-* "$work/disc/vmlinuz"
  cp "$files/usr/lib/ISOLINUX/isolinux.bin" \
    "$files/usr/lib/syslinux/modules/bios/ldlinux.c32" "$work/disc"
}

# boot PROCESSOR DISABLED COMMAND...: prints the output of the commands on a machine whose
# Linux does not use the features DISABLED. Also disables features that Bochs reports
# inconsistently: the sizes of saved registers, and fsrm without erms. After the commands
# Linux panics and reboots by a triple fault, at which Bochs exits.
boot() {
  model=$1
  disabled=$2
  shift 2
  echo "default vmlinuz initrd=initrd console=ttyS0 quiet loglevel=0 acpi=off" \
    "mitigations=off tsc=reliable lpj=1000000 panic=-1 reboot=triple nopku" \
    "clearcpuid=pku,ospke,xsaves,xsavec,fsrm$disabled -- $*" >"$work/disc/isolinux.cfg"
  xorriso -as mkisofs -quiet -o "$work/iso" -b isolinux.bin -c catalog -no-emul-boot \
    -boot-load-size 4 -boot-info-table "$work/disc" 2>/dev/null
  cat >"$work/bochsrc" <<END
cpu: model=$model, ips=50000000, reset_on_triple_fault=0
memory: guest=256, host=256
romimage: file=$files/usr/share/bochs/BIOS-bochs-latest
vgaromimage: file=$files/usr/share/vgabios/vgabios.bin
ata0-master: type=cdrom, path=$work/iso, status=inserted
boot: cdrom
com1: enabled=1, mode=file, dev=$work/console
display_library: nogui
panic: action=fatal
log: $work/log
END
  timeout 300 "$source/bochs" -q -f "$work/bochsrc" </dev/null >/dev/null 2>&1
  tr -d '\r' <"$work/console"
}

for tool in gcc g++ make xorriso cpio apt-get dpkg; do
  command -v $tool >/dev/null || skip "$tool is not installed"
done
mkdir -p "$home"
build_emulator || skip "cannot fetch or build bochs: see $home/build.log"
fetch_files || skip "cannot fetch Debian's kernel or boot loader"
check "the disc can be made" build_disc

# kernels PROCESSOR DISABLED: prints the names of the kernels that kerneltest finds, best
# first.
kernels() {
  boot "$1" "$2" kerneltest,list | grep '^kernels'
}

check "AVX2 is the best if Linux does not save the upper halves of AVX-512 registers" \
  same "kernels: avx2 ssse3 scalar" "$(kernels corei7_icelake_u ,avx512f)"
check "SSSE3 is the best if Linux does not save those of AVX registers either" \
  same "kernels: ssse3 scalar" "$(kernels corei7_icelake_u ,avx)"
check "AVX-512 without VBMI is not enough" \
  same "kernels: avx2 ssse3 scalar" "$(kernels corei7_skylake_x '')"
check "Ice Lake has all kernels" \
  same "kernels: avx512 avx2 ssse3 scalar" "$(kernels corei7_icelake_u '')"
boot corei7_icelake_u '' kerneltest,quick,avx512 >"$work/quick"
check "the AVX-512 kernel agrees with the step" \
  grep -x "kerneltest ended with 0" "$work/quick"
[ "$failed" = 0 ] || cat "$work/quick"
finish
