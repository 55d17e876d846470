# The front door: each target makes ready what it needs (tools/setup) and asks nothing.
#
#   make run      build, merge two stars, draw pictures and a movie (a new directory in runs/ each time)
#   make test     build and run all tests
#   make build    the program alone, at build/rednova
#   make install  the program with its MPI modules, inputs, Python package and manual page, into PREFIX (/usr/local)
#   make bench    speed and memory, into build/bench.json, then gases and light; BASELINE=commit compares, CHECK=1 checks promises
#   make bench-transport  MPI against libfabric between two ranks, into build/transport.json
#   make bench-profile    what the profile of a run costs, into build/profile_cost.json; CHECK=1 fails where it is not within its limits
#   make docs     the documentation, into build/docs/html
#   make verification  docs/verification.md from runs of problems with known answers (hours; an interrupted one goes on, long ones are kept in docs/runs)
#   make nightly  the long tests, which `make test` leaves out
#   make faults   runs that are killed KILLS (50) times in each of four ways, and go on
#   make fuzz     the readers of TOML and HDF5 under libFuzzer, FUZZ_SECONDS (60) each, or FUZZ_READERS=hdf5 alone; needs clang
#   make lint     layout and lint of all sources; `make format` mends the layout
#   make clean    removes what was built; runs/ and .venv stay

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.NOTPARALLEL:
MAKEFLAGS += --no-print-directory

BUILD := build
VENV := .venv/bin
RUN := runs/merger_quick
PREFIX ?= /usr/local
KILLS ?= 50
FUZZ_SECONDS ?= 60
FUZZ_READERS ?= toml hdf5
CLANG ?= clang-14
JOBS ?= $(shell nproc)
NVCC ?= nvcc

.PHONY: help run build install test bench bench-transport bench-profile docs verification nightly faults fuzz format lint clean
.PHONY: setup-build setup-python setup-all setup-lint setup-fuzz setup-viewers configure tests test-device

help:
	@sed -n 's/^#   \(make .*\)/\1/p' Makefile

setup-build:
	@tools/setup build

setup-python:
	@tools/setup python

setup-all:
	@tools/setup build python

setup-lint:
	@tools/setup build python lint

setup-fuzz:
	@tools/setup build fuzz

setup-viewers:
	@tools/setup build python viewers

configure: setup-build
	@cmake --preset release -B $(BUILD) --log-level=WARNING

build: configure
	@cmake --build $(BUILD) --parallel $(JOBS) --target rednova

install: build
	@cmake --install $(BUILD) --prefix $(abspath $(PREFIX))

run: setup-all build
	@run=$(RUN); n=1; \
	while [ -e $$run ]; do n=$$((n + 1)); run=$(RUN)-$$n; done; \
	$(BUILD)/rednova run problems/merger_quick.toml --out $$run; \
	$(VENV)/rednova-plot $$run; \
	$(VENV)/rednova-plot $$run --xlim -2 2 --frame inertial --fps 8 --movie $$run/merger.mp4; \
	$(VENV)/rednova-report $$run; \
	echo "Pictures, the movie merger.mp4 and report.html are in $$run; next: README.md, 'Your own run'."

tests: configure
	@cmake --build $(BUILD) --parallel $(JOBS)

# Where there is nvcc, what runs on GPUs is compiled and linked; where there is no GPU its tests skip and say so, and code for
# one kind of GPU shows that all compiles, in half the time.
test-device: setup-build
	@if ! command -v $(NVCC) >/dev/null; then echo "no $(NVCC) on PATH: nothing is built for GPUs"; exit 0; fi; \
	options=$$(nvidia-smi -L >/dev/null 2>&1 || echo -D CMAKE_CUDA_ARCHITECTURES=90); \
	grep -q '^REDNOVA_CUDA:.*=ON$$' $(BUILD)/CMakeCache.txt 2>/dev/null || options="-D REDNOVA_CUDA=BESIDE $$options"; \
	cmake --preset release -B $(BUILD) --log-level=WARNING $$options; \
	cmake --build $(BUILD) --parallel $(JOBS) --target device_programs; \
	ctest --test-dir $(BUILD) --output-on-failure --no-tests=error -L device

# All suites run even if the first fails, so that one look shows all.
test: setup-all tests
	@status=0; \
	$(MAKE) test-device || status=1; \
	ctest --test-dir $(BUILD) --output-on-failure --no-tests=error --parallel $(JOBS) -LE device -E _cuda_NOT_BUILT || status=1; \
	REDNOVA=$(abspath $(BUILD))/rednova $(VENV)/python -m pytest -q -n 2 --dist loadfile || status=1; \
	exit $$status

nightly: setup-viewers build
	@REDNOVA=$(abspath $(BUILD))/rednova $(VENV)/python -m pytest -q -m nightly

faults: setup-all build
	@KILLS=$(KILLS) REDNOVA=$(abspath $(BUILD))/rednova $(VENV)/python -m pytest -q -m faults

# A corpus grows in build-fuzz/; what crashes a reader is kept in build-fuzz/found/. The library for HDF5 keeps memory and files after
# errors: leaks are not looked for there, and each minute has a process of its own. Files lie in memory where there is room for them;
# what is freed waits in a small quarantine, for a large one costs caches and pages.
fuzz: setup-fuzz
	@cmake -S tests/fuzz -B $(BUILD)-fuzz -G Ninja -D CMAKE_C_COMPILER=$(CLANG) -D CMAKE_CXX_COMPILER=$(subst clang,clang++,$(CLANG)) --log-level=WARNING
	@cmake --build $(BUILD)-fuzz --parallel $(JOBS)
	@mkdir -p $(BUILD)-fuzz/found
	@status=0; \
	memory=$$([ -w /dev/shm ] && echo /dev/shm || echo /tmp); \
	for reader in $(FUZZ_READERS); do \
	  leaks=$$([ $$reader = hdf5 ] && echo 0 || echo 1); \
	  mkdir -p $(BUILD)-fuzz/corpus_$$reader; \
	  for ((left = $(FUZZ_SECONDS); left > 0; left -= 60)); do \
	    TMPDIR=$$memory ASAN_OPTIONS=allocator_may_return_null=1:quarantine_size_mb=16:detect_leaks=$$leaks \
	      $(BUILD)-fuzz/fuzz_$$reader -max_total_time=$$((left < 60 ? left : 60)) -timeout=20 -rss_limit_mb=4096 \
	      -malloc_limit_mb=100000 -verbosity=0 -detect_leaks=$$leaks -print_final_stats=1 \
	      -artifact_prefix=$(BUILD)-fuzz/found/$$reader- $(BUILD)-fuzz/corpus_$$reader tests/fuzz/corpus/$$reader || { status=1; break; }; \
	  done; \
	done; \
	exit $$status

# All that is measured is shown even if the first falls short.
bench: setup-all tests
	@status=0; check="$(if $(CHECK),--check)"; \
	$(VENV)/python bench/run.py --build $(BUILD) $(if $(BASELINE),--baseline $(BASELINE)) $$check || status=1; \
	$(VENV)/python bench/gases.py --build $(BUILD) $$check || status=1; \
	$(VENV)/python bench/light.py --build $(BUILD) --problems shining_contact --substeps 16 $$check || status=1; \
	exit $$status

bench-transport: setup-all build
	@cmake --build $(BUILD) --parallel $(JOBS) --target transport_bench
	@$(VENV)/python bench/transport.py --build $(BUILD)

bench-profile: setup-python tests
	@$(VENV)/python bench/profile.py --build $(BUILD) $(if $(CHECK),--check)

docs: setup-python
	@$(VENV)/python -m sphinx -b html -W --keep-going -q docs $(BUILD)/docs/html
	@echo "The documentation is at $(BUILD)/docs/html/index.html"

verification: setup-all build
	@$(VENV)/python -m rednova.verify --program $(BUILD)/rednova --keep

format: setup-lint
	@tools/sources.sh | xargs clang-format -i
	@$(VENV)/ruff format -q .
	@$(VENV)/ruff check -q --fix .

lint: setup-lint configure
	@tools/lint $(BUILD)

clean:
	@rm -rf build build-debug build-cuda build-fuzz
