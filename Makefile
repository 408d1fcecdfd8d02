# The two commands: `make run` shows the whole way, `make test` runs everything.
# Both first make V8 available (scripts/v8/ensure.sh: at once where it is cached, see docs/v8.md).

CARGO ?= cargo
# What `npm ci` leaves behind when it is done: installing again, which compiles SQLite, is for a new lock only.
PACKAGES_INSTALLED := js-shim/node_modules/.package-lock.json
# Steps of `make simulate`.
STEPS ?= 1000000

.PHONY: run test v8 program test-rust test-package chaos-packages example test-scripts lint carried bench bench-builds bench-money bench-intake bench-push bench-dev bench-what-if bench-gateway bench-edge soak-edge chaos-push chaos-gateway simulate soak-builds soak-dev golden release help test-api test-postgres-18

run: v8
	$(CARGO) run -p svc-cli -- demo $(ARGS)

# The packages are tried against the program, and the program's tests use what the packages' leave built.
test: v8 program test-package test-rust test-postgres-18 test-api test-scripts

# Together with the tests: what both are made of is compiled once, with the features that either needs.
program: v8
	$(CARGO) build --workspace --bins --tests

test-rust: program
	SVC_TEST_DATABASE_URL=$$(bash scripts/postgres/ensure.sh) SVC_TEST_CITUS_URL=$$(bash scripts/citus/ensure.sh) \
		$(CARGO) test --workspace

# The stories, properties and simulated lives on the newest PostgreSQL, which npm packs. The system's own is Debian's.
test-postgres-18: program
	SVC_TEST_DATABASE_URL=$$(SVC_TEST_POSTGRES_VERSION=18 bash scripts/postgres/ensure.sh) \
		$(CARGO) test --workspace --test money -- postgres::

test-package: $(PACKAGES_INSTALLED)
	bash scripts/chromium/ensure.sh
	cd js-shim && SVC_TEST_DATABASE_URL=$$(bash ../scripts/postgres/ensure.sh) npm test && npm run pack:check

$(PACKAGES_INSTALLED): js-shim/package-lock.json
	cd js-shim && npm ci --no-audit --no-fund
	touch $@

# Starts an example against a running `svc serve` (SVC_URL, SVC_OPERATOR_TOKEN).
example: $(PACKAGES_INSTALLED)
	cd js-shim && npm run build --silent && node scripts/link-example.mjs $(NAME)
	cd examples/$(NAME) && npm start

chaos-packages: $(PACKAGES_INSTALLED)
	cd js-shim && SVC_TEST_DATABASE_URL=$$(bash ../scripts/postgres/ensure.sh) npm run test:chaos -w @svc/backend

# The API, tried by its own document. EXAMPLES=… for more tries of each endpoint.
test-api: program
	bash scripts/schemathesis/run.sh

test-scripts:
	bash scripts/v8/test.sh

v8:
	@bash scripts/v8/ensure.sh

lint: v8
	$(CARGO) fmt --all --check
	$(CARGO) clippy --workspace --all-targets -- -D warnings
	"$$(bash scripts/deny/ensure.sh)" --locked check bans licenses sources

# What the binary carries of the npm packages, and the portal page's script.
carried: $(PACKAGES_INSTALLED)
	cd js-shim && npm run build && node scripts/carried.mjs

golden: program
	GOLDEN=write $(CARGO) test -p svc-runtime package
	$(CARGO) build -p svc-cli
	GOLDEN=write $(CARGO) test -p svc-tests --test e2e -- golden help hostile http::the_api_says
	@git --no-pager diff --stat -- tests examples engine docs

bench: bench-builds bench-money bench-intake bench-push bench-dev bench-what-if bench-gateway bench-edge

bench-builds: release $(PACKAGES_INSTALLED)
	cd tests/benches && npm ci --no-audit --no-fund
	$(CARGO) bench -p svc-tests --bench builds

bench-money: release
	SVC_TEST_DATABASE_URL=$$(bash scripts/postgres/ensure.sh) $(CARGO) bench -p svc-tests --bench money

bench-intake:
	SVC_TEST_DATABASE_URL=$$(bash scripts/postgres/ensure.sh) $(CARGO) bench -p svc-money-tests --bench intake

bench-push: release
	SVC_TEST_DATABASE_URL=$$(bash scripts/postgres/ensure.sh) $(CARGO) bench -p svc-tests --bench push

# From a save to what `svc dev` says of it.
bench-dev: release
	$(CARGO) bench -p svc-tests --bench dev

# A million charges compared under another release, beside a plain scan of them.
bench-what-if: v8
	SVC_TEST_DATABASE_URL=$$(bash scripts/postgres/ensure.sh) $(CARGO) bench -p svc-tests --bench what_if

# Beside a bare hyper proxy.
bench-gateway: release
	$(CARGO) bench -p svc-tests --bench gateway

# Ten times as much as a server holds, and what a neighbour notices.
bench-edge: release
	SVC_TEST_DATABASE_URL=$$(bash scripts/postgres/ensure.sh) $(CARGO) bench -p svc-tests --bench edge

# A thousand peers of each kind that say nothing, half of it, far too much, or never read: files and memory return to where they were.
soak-edge: program
	ulimit -n 8192 && SVC_TEST_DATABASE_URL=$$(bash scripts/postgres/ensure.sh) EDGE_PEERS=$${PEERS:-1000} \
		$(CARGO) test -p svc-tests --test e2e edge:: -- --nocapture --test-threads 1

# Two hundred kills of gateways and of the database's connections, on each store.
chaos-gateway: program
	SVC_TEST_DATABASE_URL=$$(bash scripts/postgres/ensure.sh) GATEWAY_KILLS=200 \
		$(CARGO) test -p svc-tests --test e2e gateway::kill -- --nocapture --test-threads 1

# A thousand pushes over twenty businesses, with fifty kills, on each store.
chaos-push: program
	SVC_TEST_DATABASE_URL=$$(bash scripts/postgres/ensure.sh) PUSH_BUSINESSES=20 PUSH_PUSHES=50 PUSH_KILLS=50 \
		$(CARGO) test -p svc-tests --test e2e push::kill -- --nocapture --test-threads 1

# Failing builds of every kind, this many of each, through one pool.
SOAK ?= 1000
soak-builds: program
	SOAK_BUILDS=$(SOAK) $(CARGO) test -p svc-tests --test e2e abuse::failing_builds -- --nocapture

# Saves of every way under `svc dev`, and what the program holds before, after a tenth, and at the end.
soak-dev: program
	DEV_SAVES=$(SOAK) $(CARGO) test -p svc-tests --test e2e dev::many_saves -- --nocapture

simulate: v8
	SIM_STEPS=$(STEPS) $(CARGO) test --profile simulate -p svc-money-tests --test money simulator::sqlite -- --nocapture

release: v8
	$(CARGO) build --release -p svc-cli

help:
	@echo "make run       build everything, publish the example, print two bill previews, keep serving (ARGS=--once to end)"
	@echo "make test      every test: Rust, the npm packages, the scripts"
	@echo "make test-package  the npm packages alone"
	@echo "make test-postgres-18  the money tests on PostgreSQL 18"
	@echo "make test-api  the API, tried by its own document (EXAMPLES=…)"
	@echo "make chaos-packages  200 kills and a bad network against @svc/backend"
	@echo "make lint      formatting, clippy, licences"
	@echo "make golden    write the golden files anew, and show what changed for review"
	@echo "make carried   what the binary carries of the npm packages, built anew"
	@echo "make bench     the benchmarks, as ratios in one run: bench-builds, bench-money, bench-intake, bench-push, bench-dev, bench-what-if, bench-gateway, bench-edge"
	@echo "make soak-edge  a thousand peers of each kind that do a server ill (PEERS=…)"
	@echo "make chaos-gateway  200 kills of gateways, backends and connections to the database"
	@echo "make chaos-push  a thousand pushes with fifty kills"
	@echo "make simulate  the billing simulator, a million steps (STEPS=…)"
	@echo "make soak-builds  a thousand failing builds of every kind (SOAK=…)"
	@echo "make soak-dev  a thousand saves of every way under svc dev (SOAK=…)"
	@echo "make release   the optimised binary, target/release/svc"
