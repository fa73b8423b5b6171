# SPDX-License-Identifier: GPL-2.0-only
#
#   make		module, library and tool, into build/
#   make module KERNEL=6.12	module for a kernel of the cache (6.1, 6.12, 6.12-rt,
#		debug and so on, see selftests/vm/fetch). Without KERNEL: for
#		KDIR, which is the running kernel's headers; if these are not
#		there, for 6.12
#   make lib, make tool, make selftests
#   make man	man -M build/man posixtrace shows them
#   make install	library, headers, tool, manual; DESTDIR, PREFIX=/usr/local, LIBDIR
#   make install-dkms	sources of the module, into /usr/src
#   make uninstall, make uninstall-dkms
#   make demo	shows what posixtrace does, in a VM
#   make test	all tests, in VMs; KERNELS="6.12" TESTS="abi attr" for some
#   make debug-kernel	builds DEBUG_KERNELS="debug", half an hour each: debug,
#		debug-6.1, debug-rt, kcsan; see selftests/vm/fetch
#   make test-debug	all tests on the debug kernels that are in the cache, or
#		on DEBUG_KERNELS="debug-rt kcsan"; TESTS="abi attr" for some,
#		MINUTES=15 for as many as are begun by then
#   make test-packages	DKMS for KERNELS, Debian packages; takes minutes
#   make conformance	which assertion of the standard is tested, the result
#   make bench	what operations cost, in instructions, on BENCH_KERNEL, beside
#		other tracers; BENCH=--json, BENCH=--pairs (two processors)
#   make profile	which functions that is, for PROFILE=record; others: see
#		selftests/bench/operation.c
#   make bench-check	has any of that got worse than selftests/bench/results-*?
#   make stress	long tests, STRESS=60 seconds each, on KERNELS
#   make test-compare	real programs, traced by us and by strace; two or
#		three minutes for each of KERNELS. PROGRAMS="git make" for some
#   make test-kill	controllers and targets of logs are killed, KILLS=200 times
#   make test-reload	the module is loaded and unloaded, RELOADS=1000 times
#   make test-power	the power of VMs that write logs fails, CUTS=20 times
#   make model	the buffer does what its model does, MODEL_STEPS=10000000 of
#		each kind of buffer; MODEL_SEED=... repeats a run
#   make fuzz	tries to break the reader of logs and, in a VM, the module, for
#		FUZZ_SECONDS=600 each: fuzz-log, fuzz-module. See fuzz/programs.c
#		there for FUZZ_SEED=..., FUZZ_PROGRAM=...; FUZZ_KERNEL=debug
#   make lint	checkpatch, sparse, W=1, cppcheck, shellcheck, man pages
#   make clean
#
# Debian packages that are missing are installed when they are needed; kernels
# are unpacked into a cache (see selftests/vm/fetch). W=1, C=1, V=1 and so on
# are for kbuild.

BUILD	:= $(CURDIR)/build
KDIR	:= $(wildcard /lib/modules/$(shell uname -r)/build)
KERNEL	:= $(if $(KDIR),running,6.12)
KERNELS	:= 6.1 6.12
TESTS	:=

ifeq ($(MAKELEVEL),0)
MAKEFLAGS += -j$(shell nproc)
endif

need	:= selftests/vm/need
fetch	:= selftests/vm/fetch

all: module lib tool

# The headers must have been built by gcc-12 and know nothing of our BTF.
module:
	@$(need) make gcc-12 libc6-dev libelf1
	@mkdir -p $(BUILD)/$(KERNEL)/kmod $(BUILD)/$(KERNEL)/include/linux
	@find $(BUILD)/$(KERNEL) -xtype l -delete
	@ln -sf $(CURDIR)/Kbuild $(BUILD)/$(KERNEL)/
	@ln -sf $(CURDIR)/kmod/*.[ch] $(BUILD)/$(KERNEL)/kmod/
	@ln -sf $(CURDIR)/include/linux/*.h $(BUILD)/$(KERNEL)/include/linux/
	+@kdir=$(if $(filter running,$(KERNEL)),$(KDIR),$$($(fetch) $(KERNEL))/build) && \
	$(MAKE) --no-print-directory -C "$$kdir" M=$(BUILD)/$(KERNEL) \
		CONFIG_DEBUG_INFO_BTF_MODULES= modules

lib:
	@$(need) make gcc libc6-dev
	@mkdir -p $(BUILD)
	@$(MAKE) --no-print-directory -C lib O=$(BUILD)

tool: lib
	@$(need) libnl-3-dev libnl-genl-3-dev pkg-config
	@$(MAKE) --no-print-directory -C tools O=$(BUILD)

man:
	@man/install $(BUILD)/man

selftests: lib tool
	@$(MAKE) --no-print-directory -C selftests O=$(BUILD) TESTS="$(TESTS)"

# See there for the variables.
export DESTDIR PREFIX LIBDIR
install: lib tool
	@$(MAKE) --no-print-directory -C tools O=$(BUILD) install
	@BUILD=$(BUILD) dist/install

install-dkms:
	@dist/install dkms

uninstall:
	@dist/install --remove

uninstall-dkms:
	@dist/install --remove dkms

demo: lib tool
	@$(MAKE) --no-print-directory module KERNEL=6.12
	@BUILD=$(BUILD) selftests/vm/demo

test: lib tool selftests
	@for kernel in $(KERNELS); do \
		$(MAKE) --no-print-directory module KERNEL=$$kernel || exit; \
	done
	@BUILD=$(BUILD) KERNELS="$(KERNELS)" TESTS="$(TESTS)" selftests/vm/test

DEBUG_KERNELS :=
debug-kernel:
	@for kernel in $(or $(DEBUG_KERNELS),debug); do \
		$(fetch) $$kernel || exit; \
	done

test-debug: lib tool selftests
	@kernels="$(or $(DEBUG_KERNELS),$$($(fetch) --built))"; \
	for kernel in $$kernels; do \
		$(MAKE) --no-print-directory module KERNEL=$$kernel || exit; \
	done; \
	BUILD=$(BUILD) TESTS="$(TESTS)" selftests/vm/test-debug $$kernels

test-packages: lib tool
	@BUILD=$(BUILD) KERNELS="$(KERNELS)" selftests/packages/test

conformance:
	@BUILD=$(BUILD) selftests/conformance

BENCH_KERNEL := 6.1
bench: lib
	@$(MAKE) --no-print-directory module KERNEL=$(BENCH_KERNEL)
	@BUILD=$(BUILD) selftests/bench/run $(BENCH) $(BENCH_KERNEL)

PROFILE := record
profile: lib
	@$(MAKE) --no-print-directory module KERNEL=$(BENCH_KERNEL)
	@BUILD=$(BUILD) selftests/bench/profile $(BENCH_KERNEL) $(PROFILE)

bench-check: lib
	@for kernel in $(KERNELS); do \
		$(MAKE) --no-print-directory module KERNEL=$$kernel && \
		BUILD=$(BUILD) selftests/bench/check $$kernel || exit; \
	done

STRESS := 60
stress: lib selftests
	@for kernel in $(KERNELS); do \
		$(MAKE) --no-print-directory module KERNEL=$$kernel && \
		for test in stress storm; do \
			selftests/vm/run -k $$kernel -P -b $(BUILD) \
				-t $$((2 * $(STRESS) + 300)) \
				-f $(BUILD)/selftests/$$test -- \
				env POSIXTRACE_STRESS_SECONDS=$(STRESS) \
				$(BUILD)/selftests/$$test || exit; \
		done || exit; \
	done

PROGRAMS :=
test-compare: lib tool
	@for kernel in $(KERNELS); do \
		$(MAKE) --no-print-directory module KERNEL=$$kernel || exit; \
	done
	@BUILD=$(BUILD) KERNELS="$(KERNELS)" PROGRAMS="$(PROGRAMS)" \
		selftests/vm/compare

KILLS := 200
test-kill: lib selftests
	@for kernel in $(KERNELS); do \
		$(MAKE) --no-print-directory module KERNEL=$$kernel && \
		selftests/vm/run -k $$kernel -b $(BUILD) -t $$((5 * $(KILLS) + 120)) \
			-f $(BUILD)/selftests/log_kill -- \
			env POSIXTRACE_KILLS=$(KILLS) \
			$(BUILD)/selftests/log_kill || exit; \
	done

RELOADS := 1000
test-reload: lib selftests
	@for kernel in $(KERNELS); do \
		$(MAKE) --no-print-directory module KERNEL=$$kernel && \
		selftests/vm/run -k $$kernel -b $(BUILD) -t $$((3 * $(RELOADS) + 120)) \
			-f $(BUILD)/selftests/reload -- \
			env POSIXTRACE_RELOADS=$(RELOADS) \
			$(BUILD)/selftests/reload || exit; \
	done

CUTS := 20
test-power: lib selftests
	@for kernel in $(KERNELS); do \
		$(MAKE) --no-print-directory module KERNEL=$$kernel && \
		selftests/vm/powercut -k $$kernel -b $(BUILD) $(CUTS) || exit; \
	done

MODEL_STEPS := 10000000
MODEL_SEED :=
model: lib
	@$(MAKE) --no-print-directory selftests TESTS=buffer
	POSIXTRACE_MODEL_STEPS=$(MODEL_STEPS) \
		$(if $(MODEL_SEED),POSIXTRACE_MODEL_SEED=$(MODEL_SEED)) \
		$(BUILD)/host/buffer

# The reader of logs needs no kernel; the module is fuzzed in a VM, built so that
# it knows which parts of it were reached.
FUZZ_SECONDS := 600
FUZZ_KERNEL := debug
FUZZ_SEED :=
FUZZ_PROGRAM :=
fuzz: fuzz-log fuzz-module

fuzz-log: lib
	@$(MAKE) --no-print-directory -C selftests O=$(BUILD) fuzz \
		SECONDS=$(FUZZ_SECONDS)

fuzz-module: lib
	@$(MAKE) --no-print-directory -C selftests O=$(BUILD) fuzz-programs
	@mkdir -p $(BUILD)/fuzz/$(FUZZ_KERNEL)/kmod
	@ln -sf $(filter-out %/main.c,$(wildcard $(CURDIR)/kmod/*.[ch])) \
		$(CURDIR)/selftests/fuzz/cover.c $(BUILD)/fuzz/$(FUZZ_KERNEL)/kmod/
	@ln -sfn $(CURDIR)/include $(BUILD)/fuzz/$(FUZZ_KERNEL)/include
	@ln -sf $(CURDIR)/Kbuild $(BUILD)/fuzz/$(FUZZ_KERNEL)/
	+@kdir=$$($(fetch) $(FUZZ_KERNEL))/build && \
	$(MAKE) --no-print-directory -C "$$kdir" M=$(BUILD)/fuzz/$(FUZZ_KERNEL) \
		CONFIG_DEBUG_INFO_BTF_MODULES= KCFLAGS="-g \
		-fsanitize-coverage=trace-pc -I$(CURDIR)/kmod" modules
	selftests/fuzz/module -k $(FUZZ_KERNEL) -b $(BUILD)/fuzz \
		$(if $(FUZZ_SEED),-S $(FUZZ_SEED)) \
		$(if $(FUZZ_PROGRAM),-p $(FUZZ_PROGRAM)) $(FUZZ_SECONDS)

lint:
	@.ci/lint

clean:
	rm -rf $(BUILD)

.PHONY: all module lib tool man selftests install \
	install-dkms uninstall uninstall-dkms demo test debug-kernel test-debug \
	test-packages bench bench-check profile conformance stress test-compare \
	test-kill test-reload test-power model fuzz fuzz-log fuzz-module lint clean
