# SPDX-License-Identifier: GPL-2.0-only
# For a kernel tree, or any other: "include layouts.mk" at the end of the Makefile, then
#
#	make layout-check			holds LAYOUT_IMAGE against LAYOUT_POLICIES
#	make layout-baseline			keeps the image to compare with
#	make layout-diff			tells what changed since then
#	make layout-learn STRUCTS="a b"		writes a policy that today's layout keeps
#
# The image is built as ever; it needs debug information (CONFIG_DEBUG_INFO).
FIELDLINE ?= fieldline
LAYOUT_IMAGE ?= vmlinux
LAYOUT_POLICIES ?= $(wildcard layouts/policies/*.json)
LAYOUT_BASELINE ?= $(LAYOUT_IMAGE).baseline

.PHONY: layout-check layout-baseline layout-diff layout-learn

layout-check: $(LAYOUT_IMAGE)
	$(FIELDLINE) check $(addprefix --policy=,$(LAYOUT_POLICIES)) $<

layout-baseline: $(LAYOUT_IMAGE)
	cp $< $(LAYOUT_BASELINE)

layout-diff: $(LAYOUT_IMAGE)
	$(FIELDLINE) diff $(LAYOUT_BASELINE) $< $(STRUCTS)

layout-learn: $(LAYOUT_IMAGE)
	$(FIELDLINE) check --learn=layouts/policies/learnt.json $< $(STRUCTS)
