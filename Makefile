# vmx: what can be made; `make help` lists it.

PREFIX ?= /usr/local
DESTDIR ?=
SWIFT ?= swift
export SWIFT

DIST := .build/dist
PACKAGES := .build/packages
SOURCES = $(shell find Package.swift Sources man completions -type f 2>/dev/null)

BUILD_PACKAGES := jq libarchive-dev libcrypt-dev libcurl4-openssl-dev libsimdjson-dev libssl-dev \
  libxml2-dev pkg-config
CHECK_PACKAGES := $(BUILD_PACKAGES) curl dbus-daemon dosfstools faketime ffmpeg fish git \
  gnome-keyring iproute2 libarchive-tools libnotify-bin libsecret-tools libxml2-utils mandoc mpv \
  openssh-client openssh-server openssl parallel playerctl procps python3 python3-dbus \
  python3-gi python3-venv sqlite3 strace systemd tmux vlc-bin vlc-plugin-base zsh zstd
TORTURE_PACKAGES := $(CHECK_PACKAGES) debootstrap dpkg-dev lintian
BENCH_PACKAGES := $(BUILD_PACKAGES) aria2 curl git hyperfine libnginx-mod-http-echo nginx-light \
  openssl python3 sqlite3 zip

.PHONY: all help deps demo check coverage figures lint test fuzz bench torture release install \
  uninstall deb dist clean

all: deps
	@$(SWIFT) build -c release

help:
	@echo 'make                 a release build in .build/release'
	@echo 'make demo            the main job, shown on a loopback origin'
	@echo 'make install         vmx, man pages, completions below PREFIX=$(PREFIX) (DESTDIR= for packages)'
	@echo 'make uninstall       removes what make install installed'
	@echo 'make deb             a Debian package in $(PACKAGES)'
	@echo 'make dist            an archive in $(PACKAGES) that runs from any folder'
	@echo 'make check           lint and all tests; make test ONLY=VmxMarkup those of one library'
	@echo 'make coverage        what the unit tests run, and which planted changes they notice'
	@echo 'make lint            form, names, documentation: no build'
	@echo 'make fuzz            generated input for a minute each (SECONDS=60)'
	@echo 'make torture         kills, failed calls, power cuts, full disks, packages: over an hour'
	@echo 'make bench           ratios against other tools, with their budgets'
	@echo 'make figures         the shape of the code'
	@echo 'make clean           removes .build'

deps:
	@sh Sources/Packaging/install-missing.sh $(BUILD_PACKAGES)

demo: deps
	@sh Tests/Demo/demo.sh

check:
	@sh Sources/Packaging/install-missing.sh $(CHECK_PACKAGES)
	@sh Tests/Checks/python-packages.sh
	@sh Tests/Checks/lint.sh
	@bash Tests/Checks/run-tests.sh

lint:
	@sh Sources/Packaging/install-missing.sh $(CHECK_PACKAGES)
	@sh Tests/Checks/lint.sh

# The figures by which the shape of the code is judged; the first time they take 15 minutes.
figures: deps
	@bash Tests/Checks/figures.sh

# Line coverage of each library by the unit tests, and how many of 200 changes planted in the pure
# rules they notice; the first time about 25 minutes.
coverage: deps
	@sh Tests/Coverage/coverage.sh

# All tests; with ONLY=VmxMarkup that library alone, with what it needs: built in minutes.
test: deps
	@$(if $(ONLY),VMX_ONLY=$(ONLY) $(SWIFT) test --scratch-path .build/only --disable-xctest,bash \
	  Tests/Checks/run-tests.sh)

# The tools as they are installed, tried by kill -9, failed calls, power cuts, full disks, and by
# many at once; and their packages.
torture:
	@sh Sources/Packaging/install-missing.sh $(TORTURE_PACKAGES)
	@sh Tests/Checks/python-packages.sh
	@$(MAKE) --no-print-directory release
	@VMX_TEST_TOOLS="$(CURDIR)/$(DIST)/libexec/vmx:$(CURDIR)/$(DIST)/bin" bash Tests/Torture/run.sh

# A minute of made-up bytes for each reader of bytes from outside, and extreme values in each field
# of each file that the tools read back: `make fuzz SECONDS=600`.
SECONDS ?= 60
fuzz:
	@sh Sources/Packaging/install-missing.sh $(CHECK_PACKAGES)
	@bash Tests/Fuzz/run.sh $(SECONDS)

bench:
	@sh Sources/Packaging/install-missing.sh $(BENCH_PACKAGES)
	@$(MAKE) --no-print-directory release
	@bash Tests/Bench/run.sh

# The tree as it is installed, ready to be copied: tools that share one Swift runtime of ours.
release: $(DIST)/.made

$(DIST)/.made: $(SOURCES)
	@sh Sources/Packaging/install-missing.sh $(BUILD_PACKAGES)
	@sh Sources/Packaging/release.sh $(DIST)
	@touch $@

install: release
	@DESTDIR="$(DESTDIR)" sh Sources/Packaging/install.sh --tree $(DIST) --prefix "$(PREFIX)"

uninstall:
	@DESTDIR="$(DESTDIR)" sh Sources/Packaging/install.sh --uninstall --prefix "$(PREFIX)"

# Both contain what `make install` installs, and are the same bytes for the same tree and commit.
deb: release
	@sh Sources/Packaging/install-missing.sh dpkg-dev
	@sh Sources/Packaging/deb.sh $(DIST) $(PACKAGES)

dist: release
	@sh Sources/Packaging/install-missing.sh zstd
	@sh Sources/Packaging/dist.sh $(DIST) $(PACKAGES)

clean:
	@rm -rf .build
