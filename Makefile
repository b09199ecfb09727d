# SPDX-License-Identifier: Apache-2.0
# Each target is a command of ci/commands.toml; ci/commands.py checks its variables and runs it. `make` lists both.

targets := help setup sim test trace frame capture pattern run texture workloads report nightly history baseline \
    rtl verilog prove faults new plan synth lint bench clean

SHELL := /bin/bash
MAKEFLAGS += --no-print-directory --no-builtin-rules
.DEFAULT_GOAL := help
.PHONY: $(targets) $(MAKECMDGOALS)

# Values are text in the environment of the command: neither make nor the shell runs what is in them
given := $(strip $(foreach v,$(.VARIABLES),$(if $(findstring command line,$(origin $v)),$v)))
$(foreach v,$(given),$(eval override export $v := $$(value $v)))
MAKEOVERRIDES :=

quote = '$(subst ','\'',$(1))'
# help and errors come before set-up, if there is a Python that can show them
python := $(shell python3 -c 'import tomllib' 2>/dev/null && echo python3)

$(sort $(targets) $(MAKECMDGOALS)):
	@$(if $(python),,bash ci/setup.sh &&) $(or $(python),.venv/bin/python) ci/commands.py make \
	    $(call quote,$@) $(call quote,$(MAKECMDGOALS)) $(call quote,$(given))
