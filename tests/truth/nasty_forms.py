# SPDX-License-Identifier: GPL-2.0-only
"""The forms in which fieldline gets the sources of nasty/: compilers, flags, packaging."""

import collections
import functools
import gzip
import os
import shutil
import tempfile

import oracle
from oracle import run

SOURCES = ["bitfields.c", "packed.c", "arrays.c", "nested.c", "scalars.c", "local.c",
           "same_1.c", "same_2.c"]
# BTF has no words for _Atomic and vectors.
BTF_SOURCES = [name for name in SOURCES if name != "scalars.c"]
# Those whose alignment somebody asked for.
ALIGNED = {"struct packed_aligned", "struct loose_type", "struct line", "struct over_aligned",
           "struct two_lines", "struct grouped", "struct aligned_tail"}
CXX = ["-std=c++20", "-Wno-invalid-offsetof", "-Wno-narrowing"]


class Case:
    """
    compiler: the program and the flags of the ABI; debug: its other flags; link: flags to link
    with, or None for separate objects; after: what is then done to the files; refusal: a regular
    expression for the message, where no answer can be right; noted: one for the note, where the
    answer lacks something.
    """

    def __init__(self, name, compiler, debug, link=(), after=None, options=(), refusal=None,
                 noted=None, sources=None, untold=(), partial=False):
        self.name, self.compiler, self.debug = name, compiler, debug
        self.link, self.after, self.options = link, after, options
        self.refusal, self.noted, self.partial = refusal, noted, partial
        self.sources = sources or SOURCES
        self.untold = set(untold)
        self.is_clang = compiler[0].startswith("clang")
        if not self.says_atomic():
            self.untold.add("struct atomics")

    def says_atomic(self):
        return not {"-gdwarf-2", "-gdwarf-3", "-gdwarf-4", "-m32"} & {*self.debug, *self.compiler}


class Workshop:
    """Makes what a case asks for in a directory of its own."""

    def __init__(self, case, directory):
        self.case, self.directory = case, directory
        self.files = []
        self.command = ()  # what fieldline has to run under

    def path(self, name):
        return os.path.join(self.directory, name)

    def run_options(self):
        return {"under": self.command} if self.command else {}

    def make(self):
        objects = [self.compile(source) for source in self.case.sources]
        self.files = objects if self.case.link is None else [self.link_program(objects)]
        if self.case.after:
            self.case.after(self)

    def compile(self, source):
        name = f"{os.path.splitext(source)[0]}.o"
        flags = [] if source.endswith(".rs") else ["-w", "-I", oracle.HERE, "-c"]
        # a relative output: split DWARF notes down where its other half lies
        run([*self.case.compiler, *flags, *self.case.debug,
             os.path.join(oracle.HERE, "nasty", source), "-o", name], cwd=self.directory)
        return self.path(name)

    def link_program(self, objects):
        run([*self.case.compiler, *self.case.debug, *map(os.path.basename, objects), "-o",
             "program", *self.case.link], cwd=self.directory)
        return self.path("program")

    def truths(self):
        """{name: [Truth, ...]} of all sources."""
        found = collections.defaultdict(list)
        for source in self.case.sources:
            for name, truth in truths_of(tuple(self.case.compiler), source).items():
                if all(vars(truth) != vars(other) for other in found[name]):
                    found[name].append(truth)
        return found


@functools.lru_cache(maxsize=None)
def truths_of(compiler, source):
    path = os.path.join(oracle.HERE, "nasty", source)
    with tempfile.TemporaryDirectory(prefix="fieldline-truth-") as directory:
        output = os.path.join(directory, "truth")
        if source.endswith(".rs"):
            run([*compiler, path, "-o", output])
            return oracle.parse_printed(run([output]))
        oracle.compile_source(list(compiler), ["-DTRUTH"], path, output)
        return oracle.read_truth(output)


# What is done to the files of a case.

def dwz(shop):
    run(["dwz", *shop.files])


def dwz_multifile(shop):
    """Two programs that share an alternate file."""
    shutil.copy(shop.path("program"), shop.path("program2"))
    run(["dwz", "-m", "common.dwz", "program", "program2"], cwd=shop.directory)
    if not os.path.exists(shop.path("common.dwz")):
        raise oracle.CompilerError("dwz found nothing in common")


def dwz_without_alternate(shop):
    dwz_multifile(shop)
    os.unlink(shop.path("common.dwz"))


def remove_dwo(shop):
    for name in os.listdir(shop.directory):
        if name.endswith(".dwo"):
            os.unlink(shop.path(name))


def remove_one_dwo(shop):
    os.unlink(shop.path("nested.dwo"))


def package_dwo(shop):
    """All .dwo files in one .dwp beside the program."""
    tool = "llvm-dwp" if shop.case.is_clang else "dwp"
    run([tool, "-e", "program", "-o", "program.dwp"], cwd=shop.directory)
    remove_dwo(shop)


def name_dwo(shop):
    shop.files = [path.replace(".o", ".dwo") for path in shop.files]


def split_debug(shop, link=True):
    """The debug information in a file of its own, found by .gnu_debuglink."""
    run(["objcopy", "--only-keep-debug", "program", "program.debug"], cwd=shop.directory)
    run(["objcopy", "--strip-debug", "program"], cwd=shop.directory)
    if link:
        run(["objcopy", "--add-gnu-debuglink=program.debug", "program"], cwd=shop.directory)


def split_debug_folder(shop):
    split_debug(shop)
    os.mkdir(shop.path(".debug"))
    os.rename(shop.path("program.debug"), shop.path(".debug/program.debug"))


def split_debug_lost(shop):
    split_debug(shop)
    os.unlink(shop.path("program.debug"))


def split_debug_other(shop):
    """A debug file of that name that belongs to another program: build-id and checksum tell."""
    split_debug(shop)
    other = shop.link_program([shop.path("same_1.o"), shop.path("same_2.o")])
    run(["objcopy", "--only-keep-debug", other, shop.path("program.debug")])
    shop.link_program([shop.path(source.replace(".c", ".o")) for source in SOURCES])
    run(["objcopy", "--strip-debug", "--add-gnu-debuglink=program.debug", "program"],
        cwd=shop.directory)


def split_debug_build_id(shop):
    """In /usr/lib/debug, which for this one command is a file system in memory."""
    split_debug(shop, link=False)
    note = run(["readelf", "-n", "program"], cwd=shop.directory)
    build_id = note.split("Build ID: ")[1].split()[0]
    target = f"/usr/lib/debug/.build-id/{build_id[:2]}"
    script = (f"mount -t tmpfs none /usr/lib/debug && mkdir -p {target} && "
              f"cp {shop.path('program.debug')} {target}/{build_id[2:]}.debug && exec \"$@\"")
    shop.command = ("unshare", "-rm", "sh", "-ec", script, "sh")
    run([*shop.command, "true"])


def debug_file_alone(shop):
    run(["objcopy", "--only-keep-debug", "program", "program.debug"], cwd=shop.directory)
    shop.files = [shop.path("program.debug")]


def compress(kind, shop):
    for file in shop.files:
        run(["objcopy", f"--compress-debug-sections={kind}", file])


def merge_objects(shop):
    """As the kernel makes its modules."""
    run(["ld", "-r", "-o", "module.ko", *map(os.path.basename, shop.files)], cwd=shop.directory)
    shop.files = [shop.path("module.ko")]


def archive(shop):
    run(["ar", "rc", "library.a", *map(os.path.basename, shop.files)], cwd=shop.directory)
    shop.files = [shop.path("library.a")]


def encode_btf(shop):
    for file in shop.files:
        run(["pahole", "-J", "--btf_gen_all", file])
        run(["objcopy", "--strip-debug", file])


def raw_btf(shop):
    encode_btf(shop)
    for at, file in enumerate(shop.files):
        run(["objcopy", "-O", "binary", "--only-section=.BTF", "--set-section-flags",
             ".BTF=alloc", file, f"{file}.btf"])
        shop.files[at] = f"{file}.btf"


def split_btf(shop):
    """The first file's BTF is the base of the others'."""
    base, *others = shop.files
    run(["pahole", "-J", "--btf_encode_detached", f"{base}.btf", base])
    for file in others:
        run(["pahole", "-J", "--btf_base", f"{base}.btf", file])
    shop.files = others[:1]
    shop.case.options = (*shop.case.options, "--btf-base", f"{base}.btf")
    shop.case.sources = shop.case.sources[:2]


def random_layout(section, data, shop):
    """What gives a kernel away that was built with RANDSTRUCT."""
    with open(shop.path("data"), "wb") as file:
        file.write(data)
    how = "--update-section" if section == ".rodata" else "--add-section"
    run(["objcopy", how, f"{section}=data", "program"], cwd=shop.directory)


VERMAGIC = b"vermagic=6.1.0 SMP mod_unload RANDSTRUCT_" + b"0123456789abcdef" * 4 + b"\0"
CONFIG = b"IKCFG_ST" + gzip.compress(b"CONFIG_SMP=y\nCONFIG_RANDSTRUCT=y\n" * 9) + b"IKCFG_ED"


def cases():
    yield from native_cases()
    yield from split_cases()
    yield from packaging_cases()
    yield from foreign_cases()
    yield from btf_cases()
    yield from other_languages()
    yield from refused_cases()


def native_cases():
    for name in ("gcc", "clang"):
        for version in (2, 3, 4, 5):
            yield Case(f"{name} DWARF {version}", [name], [f"-gdwarf-{version}"])
        for version in (4, 5):
            flags = [f"-gdwarf-{version}", "-fdebug-types-section"]
            yield Case(f"{name} type units {version}", [name], flags)
            yield Case(f"{name} type units {version}, objects", [name], flags, link=None)
        yield Case(f"{name} -O2", [name], ["-g", "-O2"])
        # without SSE i386 aligns small vectors like integers
        yield Case(f"{name} -m32", [name, "-m32", "-msse2"], ["-gdwarf-5"])
        yield Case(f"{name} -fshort-enums", [name, "-fshort-enums"], ["-gdwarf-5"])
        yield Case(f"{name} DWARF64", [name], ["-gdwarf-5", "-gdwarf64"])
        yield Case(f"{name} shared library", [name], ["-g", "-fPIC"], link=["-shared"])
        yield Case(f"{name} static", [name], ["-g"], link=["-static"])
    yield Case("gcc -mx32", ["gcc", "-mx32"], ["-gdwarf-5"])
    yield Case("gcc -g3", ["gcc"], ["-g3"])
    yield Case("gcc strict DWARF 4", ["gcc"], ["-gdwarf-4", "-gstrict-dwarf"], untold=ALIGNED)
    yield Case("gcc LTO", ["gcc"], ["-gdwarf-5", "-flto"])
    yield Case("gcc LTO, fat objects", ["gcc"], ["-gdwarf-5", "-flto", "-ffat-lto-objects"],
               link=None)
    yield Case("clang LTO", ["clang"], ["-gdwarf-5", "-flto"], link=["-fuse-ld=lld"])
    yield Case("clang thin LTO", ["clang"], ["-gdwarf-5", "-flto=thin"], link=["-fuse-ld=lld"])


def split_cases():
    for name in ("gcc", "clang"):
        for version in (4, 5):
            flags = [f"-gdwarf-{version}", "-gsplit-dwarf"]
            title = f"{name} split DWARF {version}"
            yield Case(title, [name], flags)
            yield Case(f"{title}, objects", [name], flags, link=None)
            yield Case(f"{title}, .dwo files", [name], flags, link=None, after=name_dwo)
            # libdw 0.188 reads no packages
            yield Case(f"{title}, .dwp", [name], flags, after=package_dwo,
                       refusal=r"\.dwo|\.dwp")
            yield Case(f"{title}, .dwo files lost", [name], flags, after=remove_dwo,
                       refusal=r"\.dwo|split")
            yield Case(f"{title}, one .dwo file lost", [name], flags, after=remove_one_dwo,
                       noted=r"1 unit.*\.dwo")
    flags = ["-gdwarf-5", "-gsplit-dwarf", "-fdebug-types-section"]
    yield Case("clang split DWARF with type units", ["clang"], flags)
    # libdw does not find the type units that gcc puts into sections of their own in a .dwo file
    yield Case("gcc split DWARF with type units", ["gcc"], flags, noted="type units")


def packaging_cases():
    for kind in ("zlib", "zlib-gnu", "zlib-gabi"):
        after = functools.partial(compress, kind)
        yield Case(f"sections compressed by {kind}", ["gcc"], ["-g"], after=after)
        yield Case(f"objects compressed by {kind}", ["gcc"], ["-g"], link=None, after=after)
    yield Case("sections compressed by zstd", ["gcc"], ["-g"],
               after=functools.partial(compress, "zstd"), refusal="zstd|compress")
    yield Case("dwz", ["gcc"], ["-gdwarf-5"], after=dwz)
    yield Case("dwz of DWARF 4", ["gcc"], ["-gdwarf-4"], after=dwz)
    yield Case("dwz -m", ["gcc"], ["-gdwarf-5"], after=dwz_multifile)
    yield Case("dwz -m of DWARF 4", ["gcc"], ["-gdwarf-4"], after=dwz_multifile)
    yield Case("dwz -m, the alternate file lost", ["gcc"], ["-gdwarf-5"],
               after=dwz_without_alternate, refusal="common.dwz|alternate")
    for after in (split_debug, split_debug_folder, split_debug_build_id, debug_file_alone):
        yield Case(after.__name__.replace("_", " "), ["gcc"], ["-g", "-Wl,--build-id"],
                   after=after)
    for name in ("gcc", "clang"):
        for version in (4, 5):
            yield Case(f"module of {name} DWARF {version}", [name], [f"-gdwarf-{version}"],
                       link=None, after=merge_objects)


def foreign_cases():
    # ABIs by which unnamed bit-fields align a struct, or compilers disagree about __int128
    untold = {"struct nameless", "struct wide", "struct atomics"}
    for triple in ("s390x-linux-gnu", "powerpc-linux-gnu", "powerpc64-linux-gnu",
                   "powerpc64le-linux-gnu", "aarch64-linux-gnu", "aarch64_be-linux-gnu",
                   "armv7-linux-gnueabihf", "armebv7-linux-gnueabihf", "riscv64-linux-gnu",
                   "riscv32-linux-gnu"):
        for version in (2, 4, 5):
            yield Case(f"{triple} DWARF {version}", ["clang", "-target", triple],
                       [f"-gdwarf-{version}"], link=None, untold=untold)


def btf_cases():
    options = ("--format", "btf")
    gcc = ["gcc", "-DNO_HUGE"]
    yield Case("BTF in objects", gcc, ["-g"], link=None, after=encode_btf, options=options,
               sources=BTF_SOURCES, untold=ALIGNED)
    yield Case("raw BTF", gcc, ["-g"], link=None, after=raw_btf, sources=BTF_SOURCES,
               untold=ALIGNED)
    yield Case("split BTF", gcc, ["-g"], link=None, after=split_btf, options=options,
               sources=BTF_SOURCES, untold=ALIGNED)
    for triple in ("bpfel", "bpfeb"):
        yield Case(f"BTF of clang, {triple}", ["clang", "-DNO_HUGE", "-target", triple], ["-g"],
                   link=None, options=options, sources=BTF_SOURCES, untold=ALIGNED)


def other_languages():
    for name in ("g++", "clang++"):
        for flags in (["-gdwarf-4"], ["-gdwarf-5"], ["-gdwarf-5", "-fdebug-types-section"],
                      ["-gdwarf-5", "-gsplit-dwarf"]):
            # clang leaves out classes that another unit may describe
            more = ["-fstandalone-debug"] if name == "clang++" else []
            if name == "clang++" and "-fdebug-types-section" in flags:
                more += ["-DHIDING=named"]  # a type unit only declares what is unnamed outside
            yield Case(f"{name} {' '.join(flags)}", [name, *CXX], flags + more, link=None,
                       sources=["classes.cpp"], partial=True)
    yield Case("Rust", ["rustc"], ["-g"], link=None, sources=["variants.rs"], partial=True)


def refused_cases():
    for name, debug in (("without -g", []), ("stripped", ["-g", "-s"])):
        yield Case(f"program {name}", ["gcc"], debug, refusal="neither DWARF nor BTF")
    yield Case("DWARF without types", ["gcc"], ["-g1"], refusal="no struct")
    yield Case("gcc LTO, slim objects", ["gcc"], ["-g", "-flto"], link=None,
               refusal="no struct|LTO")
    yield Case("clang LTO, bitcode", ["clang"], ["-g", "-flto"], link=None, refusal="ELF")
    yield Case("archive", ["gcc"], ["-g"], link=None, after=archive, refusal="archive")
    yield Case("debug file lost", ["gcc"], ["-g"], after=split_debug_lost, refusal="debug file")
    yield Case("debug file of another program", ["gcc"], ["-g"], after=split_debug_other,
               refusal="debug file")
    for section, data in ((".modinfo", VERMAGIC), (".rodata", CONFIG)):
        after = functools.partial(random_layout, section, data)
        yield Case(f"RANDSTRUCT told by {section}", ["gcc"], ["-g"], after=after,
                   refusal="RANDSTRUCT.*--force")
        yield Case(f"RANDSTRUCT told by {section}, forced", ["gcc"], ["-g"], after=after,
                   options=("--force",))
