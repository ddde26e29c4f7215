# The checks of the project. `make check` runs on macOS and Linux: it needs the Swift toolchain, Python 3, which comes with
# Xcode, and access to GitHub for the dependencies of the examples. `make check-linux` adds the checks that need Linux or
# other programs. Each step prints one line, and its output if it fails.
# Checks with warnings as errors build in .build-check, so that `swift build` and `swift test` do not have to rebuild.

step := Scripts/step
exact := $(step) --swift 6.3
strict := --scratch-path .build-check -Xswiftc -warnings-as-errors --explicit-target-dependency-import-check error
release := -c release -Xswiftc -enable-testing
engine := Examples/AsyncHTTPClientEngine
# The formatter skips hidden folders, and so what is built.
formatted := Package.swift Sources Tests Examples Benchmarks Tools

.NOTPARALLEL:
.PHONY: check check-linux library optimized other-packages build test test-debug test-release secrets curl outside libcurls format lint texts typecheck layers api api-check docs site site-test examples tools snippets availability \
	linkage narrow-int scale soak fuzz fuzz-minute fuzz-long costs interop suites sdk-suites engines servers benchmarks peers weight nightly tutorial clean

check: lint texts build test secrets curl snippets outside typecheck layers docs examples tools

# On Linux, three lanes run side by side, since most steps keep both cores busy only while they compile. SwiftPM locks the
# folder of a build, and so each lane has its own: .build, .build-check or .build-packages. `scale` measures, and so runs
# alone.
check-linux: lint texts
	@$(MAKE) --no-print-directory optimized & optimized=$$!; $(MAKE) --no-print-directory other-packages & others=$$!; \
	$(MAKE) --no-print-directory library; status=$$?; \
	wait $$optimized || status=$$?; wait $$others || status=$$?; exit $$status
	@$(MAKE) --no-print-directory scale

library: test-debug secrets curl typecheck layers docs api-check availability linkage libcurls

optimized: build test-release costs fuzz narrow-int

# Packages without dependencies of their own come last: SwiftPM removes what the package before has fetched, and what was
# built of it.
other-packages: examples tools snippets outside tutorial interop

# The package and its tests in release, with the flags of `make test-release`, which would otherwise build it again.
build:
	@$(step) "build, release, with tests" swift build $(release) --build-tests $(strict)

test: test-debug test-release

test-debug:
	@$(step) "swift test" swift test

# Also the long searches for improbable failures, which `swift test` cuts short.
test-release:
	@APIKIT_THOROUGH=1 $(step) "tests, release, thorough" swift test $(release) --disable-testable-imports $(strict)

# The tests of OAuth once more, with everything logged and recorded: no secret is in what they leave behind.
secrets:
	@$(step) "secrets" Scripts/secrets --skip-build

# curl commands, run by a real shell and a real curl.
curl:
	@APIKIT_SHELL=1 $(step) "curl" swift test --filter CURLShellTests

# The documentation's code and its tests, in a package outside, as users write it.
snippets:
	@$(step) "snippets" Scripts/package test Tests --filter SnippetTests

# Three of our clients and their tests, copied into a package outside: what they do, a user's client can do too.
outside:
	@$(step) "outside" Scripts/outside

# The engine of Linux with old and new versions of libcurl, including the contract over TLS. Needs PyPI, and the nginx of
# `interop`.
libcurls:
	@$(step) "libcurl 7.76" Tests/Environment/with-nginx Tests/Environment/with-libcurl 7.76 swift test --skip-build --filter APIKitCurlTests
	@$(step) "libcurl 8.12" Tests/Environment/with-nginx Tests/Environment/with-libcurl 8.12 swift test --skip-build --filter APIKitCurlTests
	@$(step) "libcurl 8.23" Tests/Environment/with-nginx Tests/Environment/with-libcurl 8.23 swift test --skip-build --filter APIKitCurlTests

format:
	@swift format --in-place --recursive $(formatted)

# The style, which depends on the version of the formatter.
lint:
	@$(exact) "lint" swift format lint --strict --recursive $(formatted)

# The public API of each module as text. `api` writes it. `api-check` compares it with the files, and with those of the last
# tag: API/allowed-changes.txt must name each missing line with a reason. `Scripts/api --count` counts the public types.
api:
	@$(step) "api" Scripts/api

api-check:
	@$(exact) "api" Scripts/api --check

# The documentation; written to DOCS if that is set.
docs:
	@$(step) "documentation" Scripts/docs $(DOCS)

# The site of all modules for a static host, into SITE, below the path BASE of that host.
site:
	@$(step) "site" Scripts/docs $(or $(SITE),.build-site) $(or $(BASE),swift-apikit)
	@echo "             $(or $(SITE),.build-site): Scripts/site serve $(or $(SITE),.build-site) $(or $(BASE),swift-apikit)"

# Clicks through the site as a newcomer does, in Chromium.
site-test: site
	@$(step) "site, in a browser" Scripts/site test $(or $(SITE),.build-site) $(or $(BASE),swift-apikit)

examples:
	@$(step) "examples" Scripts/examples

# Follows the tutorial of the documentation from an empty folder to its last step, and compares what is printed.
tutorial:
	@$(step) "tutorial" Scripts/tutorial

# The command `apikit`, a package with its own dependencies, and the code that it generates.
tools:
	@$(step) "tools" Scripts/tools

# Checks that the documentation's snippets are compiled and fit into the site's columns, that the tests in SECURITY.md
# exist, that comments end at 120 columns, that the texts have the measured numbers, which `Scripts/figures` writes, and that
# the pictures are up to date; `Scripts/pictures` draws them.
texts:
	@$(step) "texts" Scripts/texts
	@$(step) "figures" Scripts/figures --check
	@$(step) "pictures" Scripts/pictures --check

# Checks that the documentation's snippets also compile in modules that are isolated to the main actor, that the files of
# Tests/CompileFail do not compile, and that the forms that avoid the faults of the compiler do.
typecheck:
	@$(step) "typecheck" Scripts/typecheck

# Checks that each file of APIKitCore uses only its own folder and those before it, by the compiler's index.
layers:
	@$(step) "layers" Scripts/layers

# Checks that no code for Apple's platforms uses API for which Apple requires a stated reason, or that is newer than the
# minimum versions. A compiler for Apple's platforms checks the versions by itself; this needs Linux and Python.
availability:
	@$(step) "availability" Scripts/availability

# Checks that APIKitCore needs nothing of Foundation but FoundationEssentials, a module that only Linux has, and the
# messages of a program whose libcurl is missing or broken. Needs ldd, nm of binutils and clang.
linkage:
	@$(step) "linkage" Scripts/linkage

# Dates and counts if an Int has 32 bits, with the compiler for WebAssembly that one version of Swift includes.
narrow-int:
	@$(exact) "narrow-int" Tests/NarrowInt/run

# Twice the input takes twice the time. In a process of its own, since it measures the processor time of the process.
scale:
	@APIKIT_SCALE=1 $(step) "scale" swift test $(release) --disable-testable-imports $(strict) --filter ScaleTests

# A mixed load over each engine for a few seconds, or ten minutes in `make nightly`. In a process of its own, since it
# compares the resources of the process before and after.
soak:
	@APIKIT_SOAK=3 $(step) "soak" swift test --filter EngineConformanceTests/bearsLoad

# The fuzzers for all parsers of data from outside, with their seeds only, since new inputs may fail at any time. New
# inputs are for `make fuzz-minute` and, ten million for each parser, `make nightly`.
fuzz:
	@$(step) "fuzz, seeds" Tests/Fuzz/fuzz all -runs=0

fuzz-minute:
	@$(step) "fuzz, a minute" Tests/Fuzz/fuzz all -max_total_time=3

# Counts the instructions of the most important operations, and compares them with Benchmarks/Costs. Needs valgrind.
costs:
	@$(step) "costs" Scripts/costs

# Tests against servers that others wrote: some need Python and PyPI; nginx and glewlwyd are packages of Debian and Ubuntu.
interop:
	@$(step) "interop" Scripts/interop

# The scenarios of two public suites for typed clients, as endpoints: a package of its own, which takes minutes to build:
# part of `make nightly`.
suites:
	@$(step) "suites" swift test --package-path Tests/ProtocolSuites -Xswiftc -warnings-as-errors
	@$(step) "suites, table" Tests/ProtocolSuites/table --check

# The cases of two public suites for SDKs, whose endpoints are generated first: a package of its own, which takes minutes
# to build: part of `make nightly`.
sdk-suites:
	@$(step) "SDK suites, endpoints" Tests/SDKSuites/generate
	@$(step) "SDK suites" Scripts/package test Tests/SDKSuites
	@$(step) "SDK suites, table" Tests/SDKSuites/table --check

# The engine over async-http-client, a package with its own dependencies, which take minutes to build: part of
# `make nightly`. Needs zlib's header and the nginx of `interop`.
engines:
	@$(step) "engine, build" swift build --quiet --package-path $(engine) -Xswiftc -warnings-as-errors --build-tests
	@$(step) "engine" Tests/Environment/with-nginx swift test --skip-build --package-path $(engine) -Xswiftc -warnings-as-errors
	@$(step) "engine, program" swift run --quiet --package-path $(engine) -Xswiftc -warnings-as-errors github-users

# The clients for servers and a server, a package with its own dependencies, which take minutes to build: part of
# `make nightly`.
servers:
	@$(step) "servers" Scripts/servers

# Builds the benchmarks and runs each of them briefly; `make nightly` measures. They share a scratch path with the engine
# over async-http-client, since most dependencies are the same. Reads /proc.
benchmark := swift run --quiet --package-path Benchmarks --scratch-path $(engine)/.build -Xswiftc -warnings-as-errors
benchmarks:
	@$(step) "send-cost" $(benchmark) send-cost --rounds 1 --only stub
	@$(step) "decode-cost" $(benchmark) decode-cost --rounds 1 --only '20 members'
	@$(step) "client-cost" $(benchmark) client-cost --rounds 1 --calls 100
	@$(step) "transfer-cost" $(benchmark) transfer-cost --size 8 --rounds 1 --only 'send, m'
	@$(step) "upload-cost" $(benchmark) upload-cost --size 8 --rounds 1
	@$(step) "engine-cost" $(benchmark) engine-cost --only small --rounds 1 --calls 64

# Requests next to handwritten code and other libraries: writes Benchmarks/peers.json, the numbers in the texts, and the plot.
# Takes six minutes after building. PEERS has more arguments, such as `--with Name 1.2.3 path/to/program`. Needs nginx.
peers:
	@Scripts/peers $(PEERS)

# What the library costs those who work with it: unoptimized builds, first decodings, the time of builds, bytes. Needs access
# to GitHub for two other libraries, and takes half an hour.
weight:
	@Scripts/weight

# Fuzzes each parser with ten million inputs, which takes hours.
fuzz-long:
	@$(step) "fuzz, build" Tests/Fuzz/fuzz list
	@Tests/Fuzz/fuzz list | xargs -P "$$(nproc)" -I{} $(step) "fuzz, {}" Tests/Fuzz/fuzz {} -runs=10000000

nightly: fuzz-long
	@Scripts/nightly

clean:
	@find . -name '.build*' -prune -exec rm -rf {} +
