# SPDX-License-Identifier: Apache-2.0
#> cacheforge: GPU caches generated from Python templates, and the environment that verifies them.
#>
#> make TARGET [VARIABLE=value ...]
#>
#> Targets (each sets up first what it needs and is missing):

# Lines with "#>" and "#:" are the help text: ci/help.awk prints it, together with the names and defaults below.

#: this help
help:
	@awk -f ci/help.awk Makefile

#: Python packages, Verilator and Icarus; 'make test' adds Chromium and Mesa
setup:
	@$(call setup,icarus)

#: verify BLOCK: generate its RTL, run its tests, compare with the golden model
sim:
	@$(call setup,$(if $(filter icarus both,$(SIM)),icarus) $(if $(call on,WAVES),waves))
	@$(PY) -m tb sim $(call quote,$(BLOCK)) $(config) $(call options,SIM TEST SEED N RTL_DIR STEER FIGURES) $(call flags,WAVES COV LIST)

#: the tests that are not marked slow, on both simulators, in minutes; FULL=1: all tests of the project
test:
	@$(call setup,icarus waves chromium mesa oracles)
	@$(PY) -m pytest --numprocesses=$(call quote,$(JOBS)) --dist=worksteal $(selection)

#: run the accesses of the file TRACE through model and RTL and compare them one by one
trace:
	$(if $(TRACE),,$(error no trace given: make trace $(if $(filter BLOCK,$(given)),BLOCK=$(BLOCK) )TRACE=file.csv (or .npz; docs/$(if $(filter texunit texpipe,$(BLOCK)),texunit_)traces.md says what is in it)))
	@$(call setup)
	@$(PY) -m tb trace $(call quote,$(BLOCK)) $(config) $(call options,TRACE SEED RTL_DIR OUT) $(call flags,CSV)

#: render SCENE with rasterizer, texture units and depth test in RTL (BLOCK=texunit: with these alone); compare with the golden model and Mesa's llvmpipe
frame:
	@$(call setup,mesa)
	@$(PY) -m tb frame $(call quote,$(if $(filter BLOCK,$(given)),$(BLOCK),$(firstword $(drawing)))) $(config) $(view) $(call options,SEED RTL_DIR OUT)

#: write SCENE as work for BLOCK: a trace file for 'make trace', and its picture
capture:
	@$(call setup)
	@$(PY) -m workloads capture $(call quote,$(BLOCK)) $(config) $(view) $(call options,ORDER OUT)

#: write the access pattern PATTERN as a trace file of the texture cache
pattern:
	$(if $(PATTERN),,$(error no pattern given: make pattern PATTERN=thrashing; 'make workloads' lists them))
	@$(call setup)
	@$(PY) -m workloads pattern $(call quote,$(PATTERN)) $(config) $(call options,N SEED OUT)

#: run PROGRAM on the SIMT machine and the models of its caches (RTL=1: the RTL of mmu), or with BLOCK=lpas on the PEs of that block (RTL=1: on the RTL, too); check a built-in one's results, show where instructions and misses are
run:
	$(if $(PROGRAM)$(call on,LIST)$(array),,$(error no program given: make run PROGRAM=matmul (or a .c, .s, .elf or .hex file); 'make run LIST=1' lists them, 'make run BLOCK=lpas LIST=1' those of that block))
	$(if $(filter BLOCK,$(given)),$(if $(filter $(BLOCK),$(running)),,$(error BLOCK=$(BLOCK) runs no programs: choose among $(running))))
	$(if $(array),$(if $(filter $(simt),$(given)),$(error BLOCK=$(BLOCK) does not use $(filter $(simt),$(given)))),$(if $(IMAGE),$(error IMAGE is for programs of BLOCK=$(filter-out mmu,$(running)))))
	@$(call setup)
	$(if $(array),,$(if $(call on,RTL),$(if $(filter ICACHE DCACHE POLICY,$(given)),$(error RTL=1 runs on mmu: CONFIG= and SET="icache.cache.ways=4" say what its caches are)),$(if $(filter CONFIG SET READY,$(given)),$(error $(filter CONFIG SET READY,$(given)) is of mmu, which RTL=1 runs on; without it ICACHE=, DCACHE= and POLICY= say what the caches are))))
	@$(PY) -m $(if $(array),tb run $(call quote,$(BLOCK)),$(if $(onrtl),tb run mmu,workloads.simt)) $(call quote,$(PROGRAM)) $(if $(array),$(call options,IMAGE SEED LIMIT OUT) $(config) $(call flags,RTL LIST),$(call options,N SEED BLOCKS WARPS THREADS SCHEDULE LIMIT OUT) $(if $(onrtl),$(config) $(call flags,READY),$(call options,ICACHE DCACHE POLICY) $(call flags,LIST)))

#: write TEXTURE, a built-in one or an image file, with its mip levels to a PNG
texture:
	$(if $(TEXTURE),,$(error no texture given: make texture TEXTURE=photo.jpg; 'make workloads' lists the built-in ones))
	@$(call setup)
	@$(PY) -m workloads texture $(call quote,$(TEXTURE)) $(call options,OUT)

#: list the built-in scenes, textures and access patterns
workloads:
	@$(call setup)
	@$(PY) -m workloads list

#: the hit-rate report, in build/report: of BLOCK, or of all blocks if it is not given; of your own SCENE, if it is
report:
	$(if $(SCENE),,$(if $(VIEW)$(CAMERAS)$(SIZE)$(UV),$(error VIEW, CAMERAS, SIZE and UV are those of a scene: make report SCENE=level.obj)))
	$(if $(SCENE)$(DEPTH),$(if $(filter BLOCK,$(given)),$(if $(filter $(BLOCK),$(captured)),,$(error BLOCK=$(BLOCK) draws no scenes: choose among $(captured)))))
	@$(call setup,mesa)
	@for block in $(if $(filter BLOCK CONFIG SET,$(given)),$(call quote,$(BLOCK)),$(if $(SCENE)$(DEPTH),$(captured),$(measured))); do \
	    $(PY) -m tb measure "$$block" $(config) $(call options,SCENE VIEW CAMERAS SIZE DEPTH UV SEED) $(call flags,QUICK) $(if $(OUT),--report $(call quote,$(OUT))) || exit; \
	    $(PY) -m report "$$block" $(call options,SCENE OUT) || exit; \
	done

#: all blocks x configurations x simulators x tests x seeds of TIER, and in the tier nightly all faults of the lists; resumed if interrupted
nightly:
	@$(call setup,icarus waves)
	@$(PY) -m ci.nightly run $(call quote,$(TIER)) $(call options,SEED SCHEDULER) $(if $(filter-out auto,$(JOBS)),--jobs $(call quote,$(JOBS))) $(if $(filter BLOCK,$(given)),--blocks $(call quote,$(BLOCK)))
	$(if $(filter nightly,$(TIER)),@$(PY) -m ci.faults $(if $(filter BLOCK,$(given)),$(call quote,$(BLOCK))) $(if $(filter-out auto,$(JOBS)),--jobs $(call quote,$(JOBS))))

#: campaigns of 'make nightly' and their trends; RANK=1: the least jobs that reach the last one's coverage
history:
	@$(call setup)
	@$(PY) -m ci.nightly $(if $(call on,RANK),rank,history)

#: make the figures of the last finished campaign of these sources the ones that runs are held against; without one run the full tier first
baseline:
	@$(call setup,icarus)
	@$(PY) -m ci.nightly baseline $(if $(filter BLOCK,$(given)),--blocks $(call quote,$(BLOCK)))

#: write BLOCK's Verilog
rtl:
	@$(call setup)
	@$(PY) -m rtl $(if $(call on,LIST),list $(if $(filter BLOCK,$(given)),$(call quote,$(BLOCK))),$(call quote,$(BLOCK)) $(config) $(call options,OUT PREFIX))

#: write the Verilog of each preset of BLOCK, or of all blocks if it is not given, and an archive of it
verilog:
	@$(call setup)
	@$(PY) -m rtl release $(if $(filter BLOCK,$(given)),$(call quote,$(BLOCK))) $(call options,OUT)

#: prove properties of BLOCK's Verilog; the first start takes about a minute
prove:
	@$(call setup)
	@$(PY) -m formal $(call quote,$(BLOCK)) $(config) $(call options,TEST OUT) $(call flags,LIST)

#: plant faults in BLOCK's Verilog, see which tests and proofs detect them: its list (of all blocks if BLOCK is not given), GENERATED=60 small changes, or a FILE of your own
faults:
	@$(call setup,icarus)
	@$(PY) -m ci.faults $(if $(filter BLOCK,$(given))$(GENERATED)$(MUTANT)$(FILE),$(call quote,$(BLOCK))) $(config) $(call options,TEST GENERATED MUTANT FILE SEED) $(if $(filter-out auto,$(JOBS)),--jobs $(call quote,$(JOBS))) $(call flags,LIST)

#: start a new block, BLOCK, as a copy of the smallest one (docs/adding-a-block.md)
new:
	$(if $(filter BLOCK,$(given)),,$(error no name given: make new BLOCK=l2cache))
	@$(call setup)
	@$(PY) -m ci.new $(call quote,$(BLOCK))

#: bring the tables of BLOCK's pages in docs/ up to date: presets, fields, counters, test plan, coverage plan
plan:
	@$(call setup)
	@$(PY) -m tb plan $(call quote,$(BLOCK))

#: synthesize BLOCK with Yosys for Xilinx families: resources, beside the source's, and logic depth; FAMILY=ecp5: place and route all presets, of BLOCK if it is given
synth:
	$(if $(filter ecp5,$(FAMILY)),$(if $(filter-out ecp5,$(FAMILY))$(filter OUT NETLIST LIST,$(given)),$(error FAMILY=ecp5 goes alone and keeps its results in build/synth: leave out $(strip $(filter-out ecp5,$(FAMILY)) $(filter OUT NETLIST LIST,$(given))))))
	@$(call setup)
	@$(PY) -m ci.synth$(if $(filter ecp5,$(FAMILY)),.place $(if $(filter BLOCK,$(given)),$(call quote,$(BLOCK))) $(config) $(call options,RTL_DIR) $(if $(filter-out auto,$(JOBS)),--jobs $(call quote,$(JOBS))), $(call quote,$(BLOCK)) $(config) $(call options,FAMILY RTL_DIR NETLIST OUT) $(call flags,LIST))

#: check the style of the Python code, its types, and the Verilog and clock crossings of every preset; with BLOCK (CONFIG, SET, RTL_DIR) that Verilog alone
lint:
	@$(call setup,icarus)
	$(if $(filter BLOCK CONFIG SET RTL_DIR,$(given)),,@$(PY) -m ruff check . && $(PY) -m mypy)
	@$(PY) -m ci.lint $(if $(filter BLOCK CONFIG SET RTL_DIR,$(given)),$(call quote,$(BLOCK)) $(config) $(call options,RTL_DIR))

#: measure the speed of models and testbench
bench:
	@$(call setup,icarus oracles)
	@$(PY) -m bench $(call quote,$(BLOCK))

#: remove everything that was built; .venv stays, and build/nightly with all campaigns
clean:
	@bash ci/clean.sh
	@rm -rf .mypy_cache .pytest_cache .ruff_cache .hypothesis
	@find . -name .venv -prune -o -name __pycache__ -type d -prune -exec rm -rf {} +

#>
#> Variables and their defaults:

#: the block: a folder name in configs/
BLOCK ?= texcache
#: preset of the block, paper or base if empty; 'make rtl LIST=1' shows all; prove, faults and frame have their own
CONFIG ?=
#: changes of the preset by path or, where it is the only one of its name, by the last word: SET="cache.ways=2 banks=1"
SET ?=
#: icarus, verilator or both
SIM ?= verilator
#: tests, proofs or faults, separated by commas, all if empty; of test: a file of tests/, or words as for pytest -k
TEST ?=
#: 1 = all tests, slow ones too
FULL ?= 0
#: what all randomness comes from
SEED ?= 1
#: transactions of a volume test (as in the regression if empty), footprints of a pattern, size of a program's data
N ?=
#: so many small changes of the Verilog, drawn by SEED, or all
GENERATED ?=
#: the number of one small change, to see it and get its Verilog
MUTANT ?=
#: faults of your own: a TOML file with tables as in tb/<block>/faults.toml (docs/faults.md)
FILE ?=
#: 1 = record waveforms, with views of them for GTKWave and Surfer (docs/testing.md)
WAVES ?= 0
#: 1 = code coverage, too, on Verilator; functional coverage is always collected
COV ?= 0
#: options of the test 'steered', with TEST=steered, e.g. STEER="distribution=far memory=jitter"
STEER ?=
#: exact; any = cycles and the like may differ from the baseline, for a design of your own; keep = they become the baseline
FIGURES ?=
#: 1 = show what there is (tests, proofs, faults, presets of all blocks, kept figures of synthesis) and do nothing else
LIST ?= 0
#: 1 = the smallest set of jobs
RANK ?= 0
#: 1 = small pictures, fewer configurations
QUICK ?= 0
#: the file of accesses, .csv or .npz; of simple, icache, dcache and mmu a trace of another program, too (docs/traces.md)
TRACE ?=
#: 1 = results as CSV, too, however many accesses there are
CSV ?= 0
#: a built-in scene ('make workloads' lists them), or an OBJ, glTF or GLB file; corridors if empty, of report the built-in ones
SCENE ?=
#: camera of the scene, 0 if empty; of report several, separated by commas, all if empty
VIEW ?=
#: a file of cameras to use instead of the scene's own (docs/workloads.md)
CAMERAS ?=
#: box or planar: a projection for parts of a model file without texture coordinates; without it texture blocks refuse a model that has none
UV ?=
#: bilinear; trilinear or nearest, where the block has it
FILTER ?=
#: of drawing: scan, tile8, tile16 or tile32 (texcache); rows or serpentine (zcache)
ORDER ?=
#: test before texturing (early, if empty), or after it (late: what is hidden is textured, too); of blocks that draw, but for renderer, whose configuration says it
DEPTH ?=
#: a built-in access pattern
PATTERN ?=
#: a built-in program, or a file of one's own: .c, .s, .elf or .hex (docs/simt.md); of lpas .pe (docs/lpas.md)
PROGRAM ?=
#: of lpas: what a program with an image works on, a built-in texture or an image file
IMAGE ?=
#: blocks that run it, 1 to 4, each on data of its own
BLOCKS ?= 1
#: of a block, 1 to 8
WARPS ?=
#: of a warp, 1 to 8
THREADS ?=
#: round-robin or oldest: which warp is next
SCHEDULE ?= round-robin
#: instructions after which a run is ended, 100000000 if empty; of lpas cycles, 10000000 or the program's .limit
LIMIT ?=
#: preset of the instruction cache, paper if empty, then changes as in SET: ICACHE="small ways=4"
ICACHE ?=
#: the same of the data cache
DCACHE ?=
#: of both caches: round-robin, lfu, lru or pseudo-lru; as in the presets if empty
POLICY ?=
#: 1 = fetch, load and store through the RTL, cycle by cycle
RTL ?= 0
#: run with RTL=1: 1 = any warp that is ready goes on, not only the one whose turn it is
READY ?= 0
#: a built-in texture, or an image file
TEXTURE ?=
#: of the picture, 320x240 if empty; of report as for the built-in scenes
SIZE ?=
#: xc7 (7 series), xcup (UltraScale+), both if empty; ecp5 alone: placed and routed
FAMILY ?=
#: a folder to write gates to, for 'make sim RTL_DIR=...', instead of measuring
NETLIST ?=
#: where to write, a place in build/ if empty
OUT ?=
#: a folder of Verilog to use instead of the generated
RTL_DIR ?=
#: what the names of the modules begin with, for two configurations of a block in one chip
PREFIX ?=
#: smoke, full or nightly
TIER ?= nightly
#: address of a Dask scheduler, a cluster on this machine if empty
SCHEDULER ?=
#: tests that run at a time
JOBS ?= auto
#: the interpreter to make .venv with, the best on PATH if empty
PYTHON ?=

#>
#> Examples:
#>   make sim                                            verify the texture cache as published
#>   make sim SIM=both CONFIG=single-port SEED=7         the paper's baseline, on both simulators
#>   make sim SET="cache.ways=2" TEST=smoke WAVES=1      another geometry, one test, with waveforms
#>   make trace TRACE=workloads/samples/texcache.csv      accesses from a file: your own in that form
#>   make frame SCENE=terrain VIEW=1                     a picture out of the RTL: coverage, samples and depth test
#>   make report SCENE=level.obj VIEW=0,3                what the caches make of your own scene
#>   make capture SCENE=level.obj OUT=build/level.csv    your own scene as accesses
#>   make run PROGRAM=fft N=1024                         a program on the SIMT machine, with counts by instruction
#>   make run BLOCK=lpas PROGRAM=cooccurrence RTL=1      one on the PEs of the distributed caches, model and RTL
#>   make prove BLOCK=texunit TEST=gate                  one proof about the texture unit
#>   make synth BLOCK=texunit                            what the texture units take of an FPGA
#>   make faults BLOCK=texunit GENERATED=50              would its tests notice? fifty small changes
#>   make test TEST=tests/models                         a part of the tests
#>   make test FULL=1                                    all of them

# ------------------------------------------------------------------------------------------------------------

PY := .venv/bin/python
SHELL := /bin/bash
MAKEFLAGS += --no-print-directory --no-builtin-rules
.DEFAULT_GOAL := help

targets := $(shell sed -n 's/^\([a-z]*\):.*/\1/p' Makefile)
variables := $(shell sed -n 's/^\([A-Z_]*\) ?=.*/\1/p' Makefile)
switches := $(shell sed -n 's/^\([A-Z_]*\) ?= 0$$/\1/p' Makefile)
# these are for this make alone: one that is called by a test, or by whatever else runs here, begins anew
unexport $(variables)
MAKEOVERRIDES :=
yes := 1 yes true on
no := 0 no false off
.PHONY: $(targets)

# a value is text: neither make nor the shell runs what is in it, and no command takes it for an option
given := $(foreach v,$(.VARIABLES),$(if $(findstring command line,$(origin $v)),$v))
$(foreach v,$(variables),$(eval override $v := $$(value $v)))
define line_break


endef
$(foreach v,$(variables),\
    $(if $(findstring $(line_break),$($v)),$(error $v has a line break: write it in one line))\
    $(if $(filter-out SEED N,$v),$(if $(filter -%,$(firstword $($v))),$(error $v=$($v): a value may not begin with a dash))))

# quote VALUE: one word of the shell, whatever is in it
quote = '$(subst ','\'',$(1))'
# on NAME: not empty if the variable, one that is 0 by default, is 1 (or yes, true, on)
on = $(filter $(yes),$($(1)))
option = -$(if $(filter-out N,$(1)),-)$(shell echo $(1) | tr A-Z_ a-z-)
# options NAMES: --name 'value' (-n for N) for each variable that is set; flags NAMES: --name for each that is on
options = $(foreach v,$(1),$(if $($v),$(call option,$v) $(call quote,$($v))))
flags = $(foreach v,$(1),$(if $(call on,$v),$(call option,$v)))
config = $(call options,CONFIG SET)
view = $(call options,SCENE VIEW CAMERAS SIZE FILTER DEPTH UV)
# of TEST, a file (with '::name') or words as for pytest -k
file = $(wildcard $(firstword $(subst ::, ,$(TEST))))
no_file = $(if $(file),,$(if $(findstring /,$(TEST))$(filter %.py,$(TEST)),1))
chosen = $(if $(no_file),$(error there is no test file $(TEST): 'make test TEST=words' takes words of tests' names, too),$(if $(file),,-k) $(call quote,$(TEST)))
selection = $(if $(TEST)$(call on,FULL),,-m 'not slow') $(if $(TEST),$(chosen))
setup = PYTHON=$(call quote,$(PYTHON)) bash ci/setup.sh $(1)

running := $(patsubst tb/%/commands/run.py,%,$(wildcard tb/*/commands/run.py))
drawing := $(patsubst tb/%/commands/frame.py,%,$(wildcard tb/*/commands/frame.py))
measured := $(filter-out common,$(patsubst tb/%/measuring,%,$(wildcard tb/*/measuring)))
captured := $(patsubst tb/%/measuring/__init__.py,%,$(shell grep -l SceneMeasurement tb/*/measuring/__init__.py 2>/dev/null))
simt := N BLOCKS WARPS THREADS SCHEDULE ICACHE DCACHE POLICY READY
# the block whose PEs run a program, if it is not the SIMT machine
array = $(if $(filter BLOCK,$(given)),$(filter-out mmu,$(BLOCK)))
# the SIMT machine is to run on RTL; the list of its programs needs none
onrtl = $(if $(call on,LIST),,$(call on,RTL))
$(if $(filter-out $(variables),$(given)),\
    $(error unknown variable $(filter-out $(variables),$(given)): 'make' lists what there is))
$(if $(filter-out $(targets),$(MAKECMDGOALS)),\
    $(error unknown target $(filter-out $(targets),$(MAKECMDGOALS)): 'make' lists what there is))
$(foreach v,$(switches),$(if $(filter-out $(yes) $(no),$($v)),$(error $v=$($v): write 1 or 0)))
goals := $(filter-out help,$(MAKECMDGOALS))
used := $(if $(and $(goals),$(given)),$(shell awk -v goals='$(goals)' -f ci/help.awk Makefile))
unused := $(if $(goals),$(filter-out $(used),$(given)))
$(if $(unused),$(error 'make $(goals)' does not use $(unused): it uses $(or $(used),no variable)))
$(if $(word 2,$(CURDIR)),\
    $(error the path "$(CURDIR)" has a space in it, which simulators cannot do with: move the project))
