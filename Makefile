# The checks of the project. `make check` needs the Swift toolchain, Python 3, which Xcode brings along, and GitHub, for the
# packages of the examples; so it runs on macOS too. `make check-linux` adds what needs Linux or other programs. A step
# prints one line, and its output if it fails.
# Warnings are errors in .build-check, a scratch path of its own, so that `swift build` and `swift test` stay quick.

step := Scripts/step
exact := $(step) --swift 6.3
strict := --scratch-path .build-check -Xswiftc -warnings-as-errors --explicit-target-dependency-import-check error
release := -c release -Xswiftc -enable-testing
engine := Examples/AsyncHTTPClientEngine
servers := Examples/ServerClients
sdk := Examples/AssistantKit
github := Examples/GitHubKit
formatted := Package.swift Sources Tests Examples/Package.swift Examples/Sources \
	$(engine)/Package.swift $(engine)/Sources $(engine)/Tests \
	$(servers)/Package.swift $(servers)/Sources $(servers)/Tests $(sdk)/Package.swift $(sdk)/Sources $(sdk)/Tests \
	$(github)/Package.swift $(github)/Sources $(github)/Tests Benchmarks/Package.swift Benchmarks/Sources \
	Benchmarks/Costs/Package.swift Benchmarks/Costs/Sources Tests/StaticProgram/Sources \
	Tools/Package.swift Tools/Sources Tools/Tests

.NOTPARALLEL:
.PHONY: check check-linux build test curl libcurls format lint texts typecheck api api-check docs site site-test examples tools availability \
	linkage narrow-int scale soak fuzz fuzz-minute fuzz-long costs interop engines servers benchmarks nightly clean

check: lint texts build test curl typecheck docs examples tools

check-linux: check api-check availability linkage narrow-int scale fuzz costs interop libcurls

# All of the package, in release with the tests, as `make test` wants them: what `swift test` would add by itself differs
# and builds twice.
build:
	@$(step) "build, release, with tests" swift build $(release) --build-tests $(strict)

# In release also the long searches for improbable failures, which `swift test` cuts short.
test:
	@[ -n "$(DEBUG_TESTS_RAN)" ] || $(step) "tests, debug" swift test
	@APIKIT_THOROUGH=1 $(step) "tests, release, thorough" swift test $(release) --disable-testable-imports $(strict)

# Lines for curl against a real shell and a real curl, in a process of their own.
curl:
	@APIKIT_SHELL=1 $(step) "curl" swift test --filter CURLShellTests

# The engine of Linux with old and new versions of libcurl, and its whole contract with TLS. Needs PyPI, and the same nginx as
# `interop`.
libcurls:
	@$(step) "libcurl 7.76" Tests/Environment/with-nginx Tests/Environment/with-libcurl 7.76 swift test --skip-build --filter APIKitCurlTests
	@$(step) "libcurl 8.12" Tests/Environment/with-nginx Tests/Environment/with-libcurl 8.12 swift test --skip-build --filter APIKitCurlTests
	@$(step) "libcurl 8.23" Tests/Environment/with-nginx Tests/Environment/with-libcurl 8.23 swift test --skip-build --filter APIKitCurlTests

format:
	@swift format --in-place --recursive $(formatted)

# The style that one version of the formatter has.
lint:
	@$(exact) "lint" swift format lint --strict --recursive $(formatted)

# The public API of each module as text, as one version of Swift sees it on Linux and as the sources say of other platforms:
# written, or compared with what is there, and with the last tag: what is missing must be named in API/allowed-changes.txt, with a
# reason. `Scripts/api --count` counts the public types.
api:
	@$(step) "api" Scripts/api

api-check:
	@$(exact) "api" Scripts/api --check

# Into DOCS, if that is set.
docs:
	@$(step) "documentation" Scripts/docs $(DOCS)

# The site of all modules for a static host, into SITE, below the path BASE of that host.
site:
	@$(step) "site" Scripts/docs $(or $(SITE),.build-site) $(or $(BASE),swift-apikit)
	@echo "             $(or $(SITE),.build-site): Scripts/site serve $(or $(SITE),.build-site) $(or $(BASE),swift-apikit)"

# A newcomer's way through the site, in Chromium.
site-test: site
	@$(step) "site, in a browser" Scripts/site test $(or $(SITE),.build-site) $(or $(BASE),swift-apikit)

examples:
	@$(step) "examples" Scripts/examples

# The command `apikit`, in a package with dependencies of its own, and what it generates.
tools:
	@$(step) "tools" Scripts/tools

# The documentation's snippets are compiled, the tests that SECURITY.md names exist, comments end at 120 columns.
texts:
	@$(step) "texts" Scripts/texts

# The documentation's snippets also compile in modules that are isolated to the main actor, and what must not compile does
# not.
typecheck:
	@$(step) "typecheck" Scripts/typecheck

# No API for which Apple requires a stated reason, and none newer than the deployment floor, which a compiler for Apple's
# platforms checks by itself. Needs Linux and Python.
availability:
	@$(step) "availability" Scripts/availability

# APIKitCore needs FoundationEssentials at most, a module that only Linux has; and what a program says whose libcurl is
# missing or broken. Needs ldd, nm of binutils and clang.
linkage:
	@$(step) "linkage" Scripts/linkage

# Dates and counts where an Int has 32 bits, with the compiler for WebAssembly that one version of Swift is known to have.
narrow-int:
	@$(exact) "narrow-int" Tests/NarrowInt/run

# Twice the input takes twice the time. Alone, since it measures the processor time of the process.
scale:
	@APIKIT_SCALE=1 $(step) "scale" swift test $(release) --disable-testable-imports $(strict) --filter ScaleTests

# A mixed load over each engine for a few seconds, in a process of its own, whose resources are compared; ten minutes in
# `make nightly`.
soak:
	@APIKIT_SOAK=3 $(step) "soak" swift test --filter EngineConformanceTests/bearsLoad

# The fuzzers of all parsers of foreign bytes, with their seeds alone: new inputs may fail at any time, and are for
# `make fuzz-minute` and, ten million of them for each parser, `make nightly`.
fuzz:
	@$(step) "fuzz, seeds" Tests/Fuzz/fuzz all -runs=0

fuzz-minute:
	@$(step) "fuzz, a minute" Tests/Fuzz/fuzz all -max_total_time=3

# The instructions of what matters most, against those in Benchmarks/Costs. Needs valgrind, and an optimized build.
costs:
	@$(step) "costs" Scripts/costs

# Against httpbin, which needs Python and PyPI, and nginx, which runs as the packages of Debian and Ubuntu set it up.
interop:
	@$(step) "interop" Scripts/interop

# The second engine, in a package with dependencies of its own, which take minutes to build: part of `make nightly`. Needs
# zlib's header and the same nginx.
engines:
	@$(step) "engine, build" swift build --quiet --package-path $(engine) -Xswiftc -warnings-as-errors --build-tests
	@$(step) "engine" Tests/Environment/with-nginx swift test --skip-build --package-path $(engine) -Xswiftc -warnings-as-errors
	@$(step) "engine, program" swift run --quiet --package-path $(engine) -Xswiftc -warnings-as-errors github-users mojombo

# The clients for servers and a server, in a package with dependencies of its own, which take minutes to build: part of
# `make nightly`.
servers:
	@$(step) "servers" Scripts/servers

# The benchmarks build, and each runs briefly; `make nightly` measures. The scratch path is that of the second engine, since
# both packages compile mostly the same dependencies. Reads /proc.
benchmark := swift run --quiet --package-path Benchmarks --scratch-path $(engine)/.build -Xswiftc -warnings-as-errors
benchmarks:
	@$(step) "send-cost" $(benchmark) send-cost --rounds 1 --only stub
	@$(step) "decode-cost" $(benchmark) decode-cost --rounds 1 --only '20 members'
	@$(step) "client-cost" $(benchmark) client-cost --rounds 1 --calls 100
	@$(step) "transfer-cost" $(benchmark) transfer-cost --size 8 --rounds 1 --only 'send, m'
	@$(step) "engine-cost" $(benchmark) engine-cost --only small --rounds 1 --calls 64

# Each parser with ten million inputs, which takes hours.
fuzz-long:
	@$(step) "fuzz, build" Tests/Fuzz/fuzz list
	@Tests/Fuzz/fuzz list | xargs -P "$$(nproc)" -I{} $(step) "fuzz, {}" Tests/Fuzz/fuzz {} -runs=10000000

nightly: fuzz-long
	@Scripts/nightly

clean:
	@rm -rf .build .build-* Examples/.build Examples/.build-* $(engine)/.build $(servers)/.build $(sdk)/.build $(github)/.build \
		Benchmarks/.build Benchmarks/Costs/.build Tools/.build
