# SPDX-License-Identifier: GPL-2.0-only
"""Writes Fieldline's own log of memory accesses (analyzer/trace/log_format.h), independently of the
program's writer. Times are in nanoseconds."""

import struct

ABOUT, NODE, EVENT, BUILD_ID, MAP = 1, 2, 3, 4, 5
CACHE, ALLOCATION, FREE, ACCESS, CPU = 10, 11, 12, 13, 15
MAP_KERNEL, MAP_MODULE, EXECUTABLE = 1, 2, 1
LOAD, STORE, LOCKED = 1, 2, 4
# What has to be told of an access, as a sample of perf c2c record has it.
HAS = {"cpu": 1 << 1, "time": 1 << 2, "ip": 1 << 3, "addr": 1 << 4, "tid": 1 << 6,
       "outcome": 1 << 7, "weight": 1 << 8, "event": 1 << 0}
HIT, CLEAN_LOCAL, HITM_LOCAL, HITM_REMOTE = 1, 5, 7, 8


def number(value):
    out = bytearray()
    while value > 0x7f:
        out.append(value & 0x7f | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def string(value):
    data = value if isinstance(value, bytes) else value.encode()
    return number(len(data)) + data


class FieldLog:
    def __init__(self):
        self.out = bytearray(b"FIELDLOG" + struct.pack("<II", 1, 16))
        self.last = {"time": 0, "ip": 0, "addr": 0}
        self.caches = {}

    def record(self, kind, payload):
        self.out += number(kind) + number(len(payload)) + payload

    def delta(self, what, value):
        difference = (value - self.last[what]) % (1 << 64)
        self.last[what] = value
        if difference >> 63:
            return number((((1 << 64) - difference) << 1) - 1)
        return number(difference << 1)

    def about(self, **values):
        for name, value in values.items():
            self.record(ABOUT, string(name) + string(str(value)))

    def cpu(self, cpu, core, socket):
        self.record(CPU, number(cpu) + number(core + 1) + number(socket + 1) + number(1))

    def node(self, node, cpus):
        self.record(NODE, number(node) + number(4 << 20) + number(1 << 20) + string(cpus))

    def event(self, index, name, config):
        raw, sample_type = 4, 0x1c08f  # what perf mem record asks for
        self.record(EVENT, b"".join(map(number, (index, raw, config, 30, 0, 1, sample_type))) +
                    string(name))

    def kernel(self, build_id, text, size):
        """build_id in hexadecimal; text is where _text lay while recording."""
        id_bytes = bytes.fromhex(build_id)
        self.record(BUILD_ID, number(1) + string(id_bytes) + string("[kernel.kallsyms]"))
        self.record(MAP, b"".join(map(number, (MAP_KERNEL, 0, 0, text, size, text, EXECUTABLE, 0,
                                               text))) +
                    string(id_bytes) + string("[kernel.kallsyms]_text"))

    def module(self, name, start, size):
        """name as perf has it: "[brd]", or the path of the module's file."""
        self.record(MAP, b"".join(map(number, (MAP_MODULE, 0, 0, start, size, 0, EXECUTABLE, 0, 0))) +
                    string(b"") + string(name))

    def access(self, cpu, time, kind, ip, addr, outcome, weight=0):
        has = HAS["event"] | HAS["cpu"] | HAS["time"] | HAS["ip"] | HAS["addr"] | HAS["tid"] | \
            HAS["outcome"] | (HAS["weight"] if weight else 0)
        payload = number(has) + number(kind) + number(1 if kind & STORE else 0) + number(cpu)
        payload += self.delta("time", time) + self.delta("ip", ip) + self.delta("addr", addr)
        payload += number(100 + cpu) + number(100 + cpu) + number(outcome)
        self.record(ACCESS, payload + (number(weight) if weight else b""))

    def cache(self, name):
        if name not in self.caches:
            self.caches[name] = len(self.caches) + 1
            self.record(CACHE, number(self.caches[name] - 1) + number(0) + string(name))
        return self.caches[name]

    def allocation(self, cpu, time, addr, size, site, cache):
        at = self.cache(cache)
        self.record(ALLOCATION, self.delta("time", time) + number(cpu) + number(100) + number(at) +
                    number(addr) + number(size) + number(size) + number(site))

    def free(self, cpu, time, addr, site, cache):
        at = self.cache(cache)
        self.record(FREE, self.delta("time", time) + number(cpu) + number(100) + number(at) +
                    number(addr) + number(site))

    def save(self, path):
        with open(path, "wb") as file:
            file.write(self.out)
