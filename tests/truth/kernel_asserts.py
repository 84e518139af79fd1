#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""
What fieldline says of a kernel, as _Static_asserts that the kernel's own headers must satisfy:
size and alignment of each struct, offset, size and type of each member; bit-fields by probe.
"""

import argparse
import os
import platform
import re
import subprocess
import sys
import tempfile

import kernels
import oracle
from fieldline import Fieldline
from tally import Tally

HEADERS = """
linux/module.h linux/fs.h linux/blkdev.h linux/blk-mq.h linux/bio.h linux/netdevice.h
linux/skbuff.h net/sock.h net/tcp.h net/inet_sock.h net/ipv6.h net/net_namespace.h
net/netns/generic.h net/sch_generic.h net/xfrm.h net/dst.h net/neighbour.h net/cfg80211.h
net/mac80211.h net/netfilter/nf_conntrack.h net/netfilter/nf_tables.h net/page_pool.h
net/xdp_sock.h linux/sched.h linux/sched/signal.h linux/sched/task.h linux/mm.h linux/mm_types.h
linux/mmzone.h linux/memcontrol.h linux/swap.h linux/slab.h linux/vmstat.h linux/percpu.h
linux/cgroup.h linux/cpuset.h linux/perf_event.h linux/trace_events.h linux/ftrace.h linux/bpf.h
linux/bpf_verifier.h linux/pci.h linux/usb.h linux/device.h linux/platform_device.h linux/i2c.h
linux/spi/spi.h linux/iommu.h linux/dma-mapping.h linux/interrupt.h linux/irq.h
linux/irqdomain.h linux/hrtimer.h linux/timer.h linux/workqueue.h linux/rcupdate.h linux/srcu.h
linux/percpu-rwsem.h linux/key.h linux/security.h linux/nsproxy.h linux/user_namespace.h
linux/pid_namespace.h linux/ipc_namespace.h linux/eventfd.h linux/io_uring_types.h linux/tty.h
linux/tty_driver.h linux/serial_core.h linux/kvm_host.h linux/virtio.h linux/virtio_net.h
linux/vhost_iotlb.h linux/scatterlist.h linux/phy.h linux/mdio.h linux/mtd/mtd.h
scsi/scsi_device.h scsi/scsi_host.h scsi/scsi_cmnd.h linux/nvme.h linux/device-mapper.h
linux/jbd2.h linux/dcache.h linux/namei.h linux/mount.h linux/fsnotify_backend.h linux/quota.h
linux/sunrpc/clnt.h linux/sunrpc/svc.h linux/nfs_fs.h linux/ceph/libceph.h linux/audit.h
linux/crypto.h crypto/hash.h crypto/internal/hash.h linux/random.h linux/rtnetlink.h
linux/netfilter.h linux/ethtool.h linux/of.h linux/acpi.h linux/efi.h linux/cpufreq.h
linux/cpuidle.h linux/thermal.h linux/power_supply.h linux/regulator/driver.h
linux/clk-provider.h linux/gpio/driver.h linux/pinctrl/pinctrl.h linux/hid.h linux/input.h
linux/rtc.h linux/watchdog.h drm/drm_device.h drm/drm_crtc.h drm/drm_connector.h sound/core.h
sound/pcm.h sound/soc.h rdma/ib_verbs.h media/v4l2-device.h linux/edac.h linux/ipmi_smi.h
linux/kexec.h linux/kprobes.h linux/uprobes.h linux/livepatch.h linux/posix-timers.h
linux/ptrace.h linux/seccomp.h linux/coredump.h linux/elf.h linux/binfmts.h linux/shmem_fs.h
linux/userfaultfd_k.h linux/hugetlb.h linux/migrate.h linux/backing-dev.h linux/writeback.h
linux/pagevec.h linux/radix-tree.h linux/xarray.h linux/maple_tree.h linux/idr.h linux/kobject.h
linux/sysfs.h linux/kernfs.h linux/debugfs.h linux/seq_file.h linux/proc_fs.h linux/configfs.h
""".split()

# Debian's architecture: the kernel's, the machine's, and what to compile with elsewhere.
ARCHES = {
    "amd64": ("x86", "x86_64", ["-m64", "-mcmodel=kernel", "-mno-sse", "-mno-80387",
                                "-fcf-protection=none", "-DCC_USING_FENTRY"]),
    "arm64": ("arm64", "aarch64", []),
    "s390x": ("s390", "s390x", ["-march=z13"]),
}
FLAGS = ["-D__KERNEL__", "-DKBUILD_MODNAME=\"x\"", "-DKBUILD_BASENAME=\"x\"", "-std=gnu11",
         "-fshort-wchar", "-funsigned-char", "-fno-common", "-fno-strict-aliasing", "-fno-PIE"]

# Fewer would mean that the test has lost its subject.
LEAST_STRUCTS, LEAST_MEMBERS = 2400, 18000

ERROR = re.compile(r"^assertions:(\d+):\d+: error: (.*)", re.MULTILINE)
FAILED = re.compile(r"static.assert(ion)? failed")


class Headers:
    """The compiler, told where the headers of one kernel are."""

    def __init__(self, arch, kernel, directory):
        folder, machine, flags = ARCHES[arch]
        common, own = kernel["headers_common"], kernel["headers"]
        self.directory = directory
        self.roots = [common, own]
        if platform.machine() == machine:
            self.compiler = ["gcc", "-fmax-errors=0", *flags]
        else:
            self.compiler = ["clang", "-ferror-limit=0", "-target", f"{machine}-linux-gnu", *flags]
        places = ["include", f"arch/{folder}/include/uapi", "include/uapi"]
        generated = [f"arch/{folder}/include/generated", "include",
                     f"arch/{folder}/include/generated/uapi", "include/generated/uapi"]
        paths = [f"{common}/arch/{folder}/include"]
        paths += [f"{common}/{place}" for place in places]
        paths += [f"{own}/{place}" for place in generated]
        self.flags = ["-nostdinc", *(f"-I{path}" for path in paths), *FLAGS, "-w"]
        for name in ("compiler-version", "kconfig", "compiler_types"):
            self.flags += ["-include", f"{common}/include/linux/{name}.h"]

    def write(self, name, lines):
        path = os.path.join(self.directory, f"{name}.c")
        with open(path, "w", encoding="utf-8") as file:
            file.writelines(f"#include <{header}>\n" for header in HEADERS)
            file.write("#line 1 \"assertions\"\n")
            file.writelines(lines)
        return path

    def compile(self, path, *options):
        return subprocess.run([*self.compiler, *self.flags, *options, path], capture_output=True,
                              text=True, check=False)

    def included(self):
        """The headers that are read, relative to the kernel's source."""
        output = self.compile(self.write("included", []), "-M").stdout
        files = (os.path.normpath(word) for word in output.split())
        return {os.path.relpath(file, root) for file in files for root in self.roots
                if file.startswith(f"{root}/")}


class Assertion:
    """otherwise: a class and a condition, of what debug information cannot tell apart."""

    def __init__(self, what, layout, text, condition, otherwise=None):
        self.what, self.layout, self.text = what, layout, text
        self.line = assert_line(condition)
        self.otherwise = otherwise


def assert_line(condition):
    return f"_Static_assert({condition}, \"\");\n"


def assertions_of(layout):
    name = layout.name
    yield Assertion("sizeof", layout, name, f"sizeof({name}) == {layout.size}")
    yield alignment_assertion(layout)
    for member in layout.members:
        if not member.path or member.place.bit_size:
            continue
        text, value = f"{name} {member.path}", f"(({name} *)0)->{member.path}"
        offset = f"__builtin_offsetof({name}, {member.path})"
        yield Assertion("offsetof", layout, text, f"{offset} == {member.place.offset // 8}")
        if "[]" not in member.json["type"]:
            yield Assertion("sizeof member", layout, text,
                            f"sizeof({value}) == {member.place.size}")
        if "{" not in member.json["type"]:
            yield type_assertion(layout, text, value, member.json["type"])


def alignment_assertion(layout):
    name, less = layout.name, f"_Alignof({layout.name}) < {layout.align}"
    otherwise = ("packed without a trace", less)
    if any("__int128" in member.json["type"] for member in layout.members):
        # clang 14 aligns it to 16 on s390x, gcc and the ABI to 8
        otherwise = ("packed, or __int128 as clang aligns it",
                     f"{less} || _Alignof({name}) == _Alignof(__int128)")
    return Assertion("_Alignof", layout, name, f"_Alignof({name}) == {layout.align}", otherwise)


def type_assertion(layout, text, value, printed):
    def condition(name):
        return f"__builtin_types_compatible_p(__typeof__({value}), __typeof__({name}))"

    foreign = printed.replace("(*", "(__attribute__((ms_abi)) *", 1)
    return Assertion("type", layout, text, condition(printed),
                     ("calling convention not printed", condition(foreign)))


def falsified(assertion):
    wrong = re.sub(r"== (\d+)", r"== \1 + 1", assertion.line)
    if wrong == assertion.line:
        wrong = re.sub(r"__typeof__\((?!\(\().*?\)\), \"", "__typeof__(void ****)), \"", wrong)
    return wrong


def refused(headers, name, lines):
    """{index of line: message}, of what does not compile."""
    result = headers.compile(headers.write(name, lines), "-fsyntax-only")
    found = {int(line) - 1: message for line, message in ERROR.findall(result.stderr)}
    if result.returncode and not found:
        raise oracle.CompilerError(result.stderr[:2000])
    return found


def check_assertions(tally, headers, layouts):
    """Those about what the headers do not show drop out; the rest must then compile as a whole."""
    left = [assertion for layout in layouts for assertion in assertions_of(layout)]
    while True:
        found = refused(headers, "assertions", [assertion.line for assertion in left])
        unknown = {at for at, message in found.items() if not FAILED.search(message)}
        if not unknown:
            break
        strangers = {left[at].layout for at in unknown if left[at].what == "sizeof"}
        kept = [assertion for at, assertion in enumerate(left)
                if at not in unknown and assertion.layout not in strangers]
        tally.noted["not for the headers to ask"] += len(left) - len(kept)
        left = kept
    failed = check_otherwise(tally, headers, [left[at] for at in sorted(found)])
    for assertion in left:
        tally.check(assertion.what, assertion.text, True, assertion not in failed)
    return left


def check_otherwise(tally, headers, failed):
    """Those that are wrong in no way that debug information explains."""
    tried = [assertion for assertion in failed if assertion.otherwise]
    found = refused(headers, "otherwise", [assert_line(a.otherwise[1]) for a in tried])
    explained = {assertion for at, assertion in enumerate(tried) if at not in found}
    for assertion in explained:
        tally.count(assertion.otherwise[0])
    return set(failed) - explained


def negative_control(tally, headers, left):
    """Each kind of assertion, falsified, must be refused."""
    seen = {assertion.what: assertion for assertion in left}
    wrong = [falsified(assertion) for assertion in seen.values()]
    found = refused(headers, "control", wrong)
    for at, what in enumerate(seen):
        tally.check("negative control", what, True, bool(FAILED.search(found.get(at, ""))))


def check_bit_fields(tally, headers, layouts):
    """Each bit-field alone set in a constant: which bits of the object are that?"""
    members = [(layout, path) for layout in layouts for path, place in layout.fields.items()
               if place.bit_size and "." not in path]
    include = f"#include \"{oracle.HERE}/truth.h\"\n"
    lines = [include]
    lines += [f"SIZE({name})\n" for name in sorted({layout.name for layout, _ in members})]
    lines += [f"BITS({layout.name}, {path})\n" for layout, path in members]
    output = os.path.join(headers.directory, "bits.o")
    result = headers.compile(headers.write("bits", lines), "-DTRUTH", "-c", "-o", output)
    if result.returncode:
        raise oracle.CompilerError(result.stderr[:2000])
    truths = oracle.read_truth(output)
    for layout, path in members:
        expected = truths[layout.name].fields[path]
        tally.check("bit-field", f"{layout.name} {path}", tuple(expected),
                    tuple(layout.fields[path]))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fieldline", default="fieldline", help="the program to test")
    parser.add_argument("--kernel", metavar="ARCH", required=True, help="the fetched kernel")
    parser.add_argument("--keep", metavar="DIR", help="leave what was generated there")
    options = parser.parse_args()
    kernel = kernels.find_kernel(options.kernel)
    tally = Tally()
    with tempfile.TemporaryDirectory(prefix="fieldline-truth-") as directory:
        headers = Headers(options.kernel, kernel, options.keep or directory)
        included = headers.included()
        found = Fieldline(options.fieldline).layouts(kernel["vmlinux"], "--format", "dwarf")
        layouts = [layout for definitions in found.values() for layout in definitions
                   if len(definitions) == 1 and layout.json["file"] in included]
        left = check_assertions(tally, headers, layouts)
        negative_control(tally, headers, left)
        check_bit_fields(tally, headers, layouts)
    tally.check("enough structs", "sizeof", True, tally.compared["sizeof"] >= LEAST_STRUCTS)
    tally.check("enough members", "offsetof", True, tally.compared["offsetof"] >= LEAST_MEMBERS)
    sys.exit(not tally.passes(f"against the headers of {kernel['release']}"))


if __name__ == "__main__":
    main()
