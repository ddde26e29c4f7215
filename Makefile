# Every check of the project; `make check` is what CI runs. A step prints one line, and its output when it fails.
# Warnings are errors in .build-check, a scratch path of its own, so that `swift build` and `swift test` stay quick.

step := Scripts/step
strict := --scratch-path .build-check -Xswiftc -warnings-as-errors --explicit-target-dependency-import-check error
release := -c release -Xswiftc -enable-testing
engine := Examples/AsyncHTTPClientEngine
formatted := Package.swift Sources Tests Examples/Package.swift Examples/Sources \
	$(engine)/Package.swift $(engine)/Sources $(engine)/Tests

.NOTPARALLEL:
.PHONY: check build test format lint docs examples availability linkage compile-fail snippets interop engines nightly clean

check: lint snippets build test availability linkage compile-fail docs examples interop

# In release with the tests, as `make test` wants them: what `swift test` would add by itself differs and builds twice.
build:
	@$(step) "build, debug" swift build $(strict)
	@$(step) "build, release, with tests" swift build $(release) --build-tests $(strict)

test:
	@$(step) "tests, debug" swift test
	@$(step) "tests, release" swift test $(release) --disable-testable-imports $(strict)

format:
	@swift format --in-place --recursive $(formatted)

lint:
	@$(step) "lint" swift format lint --strict --recursive $(formatted)

# Into DOCS, if that is set.
docs:
	@$(step) "documentation" Scripts/docs $(DOCS)

examples:
	@$(step) "examples" Scripts/examples

# No API newer than the deployment floor.
availability:
	@$(step) "availability" Scripts/availability-lint

# APIKitCore needs FoundationEssentials at most.
linkage:
	@$(step) "linkage" Scripts/linkage

# What must not compile does not.
compile-fail:
	@$(step) "compile-fail" Scripts/compile-fail

# The documentation's snippets are compiled by tests.
snippets:
	@$(step) "snippets" Scripts/snippets

# Against httpbin and nginx, which need Python and the packages of Debian.
interop:
	@$(step) "interop" Scripts/interop

# The second engine, in a package of its own with dependencies of its own.
engines:
	@$(step) "engines" Scripts/engines

nightly:
	@Scripts/nightly

clean:
	@rm -rf .build .build-* Examples/.build Examples/.build-* $(engine)/.build
