# Everything starts from nothing but python3 (≥ 3.11) and make. Try: make chat, make test.
PYTHON ?= python3
# Some machines tell Python to keep no bytecode. Every program that a test starts would then compile
# all of its modules again.
export PYTHONDONTWRITEBYTECODE :=
VENV   := .venv
BIN    := $(VENV)/bin
RUN    := $(VENV)/.run-ready
ALL    := $(VENV)/.all-ready
DEV    := $(VENV)/.dev-ready
DATA   ?= ../shared/data

.DEFAULT_GOAL := help
.PHONY: platforms judge real-model help chat test check lint types layers fix lock coverage bench recall nights remember lab hunt lag green kill kill-store power-cuts flips hostile kill-telegram kill-lark kill-reminders kill-move kill-workers server-faults kill-unasked bad-day slow-network erase fuzz tamper attacks association soak upgrades mutation trust trust-long audit fit-law sbom licences trace pages recording browser page-speed page-turns week clean bringing release

help:  ## show this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*##/\t/' | expand -t 14

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or newer is needed; this is $$($(PYTHON) -V). Try: make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { echo "Python's venv module is missing. On Debian or Ubuntu: apt install python3-venv"; exit 1; }
	@$(PYTHON) -m venv $(VENV)

$(RUN): $(VENV)/bin/python requirements.lock pyproject.toml
	@echo "Setting up $(VENV) (once) …"
	@$(BIN)/python -m pip install -q --disable-pip-version-check --no-deps --require-hashes -r requirements.lock
	@$(BIN)/python -m pip install -q --disable-pip-version-check --no-deps -e .
	@touch $@

$(ALL): $(RUN) requirements-all.lock
	@echo "Adding what Telegram, Lark and PostgreSQL need (once) …"
	@$(BIN)/python -m pip install -q --disable-pip-version-check --no-deps --require-hashes -r requirements-all.lock
	@touch $@

$(DEV): $(ALL) requirements-dev.lock
	@echo "Adding what the tests need (once) …"
	@$(BIN)/python -m pip install -q --disable-pip-version-check --no-deps --require-hashes -r requirements-dev.lock
	@touch $@

chat: $(RUN)  ## talk with 小祥 in this terminal; no key, no account needed
	@$(BIN)/xiaoxiang chat

platforms: $(ALL)  ## add what Telegram, Lark and PostgreSQL need; then: .venv/bin/xiaoxiang setup

test: $(DEV)  ## run the whole test suite
	@$(BIN)/pytest -n auto --durations=10

check: lint types layers test  ## what CI runs: format, lint, types, layers, tests

lint: $(DEV)
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .

types: $(DEV)
	@$(BIN)/mypy

layers: $(DEV)
	@$(BIN)/lint-imports

fix: $(DEV)  ## format, and mend what can be mended by machine
	@$(BIN)/ruff check --fix .
	@$(BIN)/ruff format .

lock: $(DEV)  ## write the lock files anew from pyproject.toml
	@$(BIN)/uv pip compile -q --universal --generate-hashes --python-version 3.11 --no-header --extra model pyproject.toml -o requirements.lock
	@$(BIN)/uv pip compile -q --universal --generate-hashes --python-version 3.11 --no-header --extra all -c requirements.lock pyproject.toml -o requirements-all.lock
	@$(BIN)/uv pip compile -q --universal --generate-hashes --python-version 3.11 --no-header --group dev --extra all -c requirements-all.lock pyproject.toml -o requirements-dev.lock

hunt: $(DEV)  ## try every property on thousands of random examples (CONTRIBUTING.md)
	@HYPOTHESIS_PROFILE=hunt $(BIN)/pytest -n auto -m 'hypothesis or hunted'

lag: $(DEV)  ## hold what must be quick to its word, on a machine at rest
	@STRICT_TIMES=1 $(BIN)/pytest -n 0 -q $$(grep -lE 'at_most|lag\(\)|stopped\(\)' -r tests --include='test_*.py')

green: $(DEV)  ## run the suite in 20 fresh clones, 4 of them beside other work: is it ever red?
	@$(BIN)/python -m benchmarks.green_runs

coverage: $(DEV)  ## the test suite with branch coverage
	@$(BIN)/pytest -n auto -q --cov --cov-report=term

bench: $(DEV)  ## how fast the memory is: one table (docs/performance.md)
	@$(BIN)/python -m benchmarks.speed
	@$(BIN)/python -m benchmarks.process
	@$(BIN)/python -m benchmarks.process_run
	@$(BIN)/python -m benchmarks.crowd
	@$(BIN)/python -m benchmarks.nightly
	@$(BIN)/python -m benchmarks.spreading
	@$(BIN)/python -m benchmarks.repeated_talk

recall: $(DEV)  ## how much she finds on real conversations; DATA=folder (docs/recall.md)
	@$(BIN)/python -m benchmarks.recall --data $(DATA)

nights: $(DEV)  ## what is still found after every night was lived; DATA=folder (docs/nights.md)
	@$(BIN)/python -m benchmarks.nights --data $(DATA)
	@$(BIN)/python -m benchmarks.depth --data $(DATA)

remember: $(DEV)  ## tell her one fact and ask for it after each of 200 messages
	@$(BIN)/python -m tests.fakes.long_talk

lab: $(DEV)  ## a simulated life under each law; writes docs/forgetting.md
	@$(BIN)/python -m benchmarks.lab

kill: $(DEV)  ## kill a replay 50 times: nothing reported may be lost, nothing told twice
	@$(BIN)/python -m benchmarks.kill_replay --kills 50

kill-store: $(DEV)  ## kill a writing store 1,000 times
	@$(BIN)/python -m benchmarks.kill_store --kills 1000

power-cuts: $(DEV)  ## cut the power at every call of a store's life, with 400 seeds each
	@$(BIN)/python -m benchmarks.power_cuts --seeds 400

flips: $(DEV)  ## flip 1,000 bits in each file of a folder: what is noticed, what is lost
	@$(BIN)/python -m benchmarks.flips --flips 1000
	@$(BIN)/python -m benchmarks.flips --flips 20 --bits 2

hostile: $(DEV)  ## what a hostile answer of any server costs in memory and in time
	@$(BIN)/python -m benchmarks.hostile_bodies

kill-telegram: $(DEV)  ## kill her 300 times by each way Telegram has, while people write
	@$(BIN)/python -m benchmarks.kill_telegram --kills 300
	@$(BIN)/python -m benchmarks.kill_telegram --kills 300 --mode webhook

kill-lark: $(DEV)  ## kill her 300 times by each way Lark has, while people write
	@$(BIN)/python -m benchmarks.kill_lark --kills 300
	@$(BIN)/python -m benchmarks.kill_lark --kills 300 --mode webhook

server-faults: $(DEV)  ## take PostgreSQL away in seven ways while people write (8 minutes)
	@$(BIN)/python -m benchmarks.server_faults

kill-move: $(DEV)  ## kill moves between files and the database of WORKERS_DATABASE
	@$(BIN)/python -m benchmarks.kill_move "$(WORKERS_DATABASE)" --kills 10

kill-workers: $(DEV)  ## kill one of three workers 300 times, the server 30; needs WORKERS_DATABASE and SERVER_RESTART
	@for of in "telegram polling 1" "telegram webhook 2" "lark websocket 3" "lark webhook 4"; do set -- $$of; \
	  $(BIN)/python -m benchmarks.kill_$$1 --kills 75 --each 10 --workers 3 --mode $$2 --seed $$3 \
	  --database "$(WORKERS_DATABASE)" --restart "$(SERVER_RESTART)" || exit 1; done

kill-reminders: $(DEV)  ## kill her 300 times on each platform while reminders fall due
	@$(BIN)/python -m benchmarks.kill_telegram --kills 300 --reminders
	@$(BIN)/python -m benchmarks.kill_lark --kills 300 --reminders

kill-unasked: $(DEV)  ## kill her 300 times on each platform while she begins by herself
	@$(BIN)/python -m benchmarks.kill_telegram --kills 300 --unasked
	@$(BIN)/python -m benchmarks.kill_lark --kills 300 --unasked

bad-day: $(DEV)  ## try the points of a bad day as people meet them, some 15 minutes
	@$(BIN)/python -m benchmarks.bad_day

slow-network: $(DEV)  ## delay and lose what the platforms answer: is everything shown once?
	@$(BIN)/python -m benchmarks.slow_network

erase: $(DEV)  ## erase people and search every byte for them; kill her 100 times while she erases
	@$(BIN)/python -m benchmarks.erase_proof

fuzz: $(DEV)  ## 100,000 hostile answers at the gate
	@$(BIN)/python -m benchmarks.fuzz_gate --count 100000

judge: $(DEV)  ## 120 turns: what a perfect judge, noise, and none at all leave behind (docs/models.md)
	@$(BIN)/python -m benchmarks.judge perfect
	@$(BIN)/python -m benchmarks.judge noise
	@$(BIN)/python -m benchmarks.judge offline

real-model: $(DEV)  ## fetch a small model (1.1 GB) and talk with her on it (benchmarks/real_model)
	@$(BIN)/python -m benchmarks.real_model

tamper: $(DEV)  ## 20,000 forged sealed memories, all of them refused
	@$(BIN)/python -m benchmarks.tamper

attacks: $(DEV)  ## the whole program against a model that obeys every attacker
	@$(BIN)/python -m benchmarks.attacks

association: $(DEV)  ## what links and neighbours bring to recall; DATA=folder
	@$(BIN)/python -m benchmarks.association --data $(DATA)

soak: $(DEV)  ## a year with her, 10,000 turns: does anything grow that should not?
	@$(BIN)/python -m benchmarks.soak

upgrades: $(DEV)  ## data of older releases, upgraded, killed meanwhile and taken back (10 minutes)
	@$(BIN)/python -m benchmarks.upgrades

bringing: $(DEV)  ## 50 cards and chats of other programs brought along, 79 hostile files refused
	@$(BIN)/python -m benchmarks.bringing

mutation: $(DEV)  ## break the four laws in a thousand small ways: do the tests notice?
	@$(BIN)/python -m pip install -q --disable-pip-version-check mutmut==3.8.1
	@$(BIN)/mutmut run
	@$(BIN)/mutmut results

trust: $(DEV)  ## run the hunts of docs/trust.md at small counts, some 15 minutes
	@$(BIN)/python -m benchmarks.trust

trust-long: $(DEV)  ## the same at full counts; some hours
	@$(BIN)/python -m benchmarks.trust --long

audit: $(DEV)  ## known vulnerabilities of the locked packages (asks PyPI's service)
	@$(BIN)/uv tool run pip-audit==2.10.1 --strict --disable-pip --require-hashes -r requirements-all.lock || { echo "Either a package has a known vulnerability: make lock takes a mended one. Or one could not be asked about, which counts as failure: run it where the advisory service of PyPI can be reached."; exit 1; }

fit-law: $(RUN)  ## fit the law disuse to one partner's own recall history; AGENT=id FOLDER=data
	@$(BIN)/python -m pip install -q --disable-pip-version-check '.[fit]'
	@$(BIN)/xiaoxiang memory law disuse fit --agent $(or $(AGENT),local) $(if $(FOLDER),--data $(FOLDER))

sbom: $(DEV)  ## list what is installed as CycloneDX JSON: build/sbom.json
	@mkdir -p build
	@$(BIN)/uv tool run --from cyclonedx-bom==7.5.0 cyclonedx-py requirements requirements-all.lock -o build/sbom.json
	@echo "build/sbom.json"

licences: $(DEV)  ## the licence of each locked package; writes docs/licences.md
	@$(BIN)/uv tool run pip-licenses==5.5.5 --python $(BIN)/python --with-system --format=json > $(VENV)/.licences.json
	@$(BIN)/python -m benchmarks.licences_page < $(VENV)/.licences.json

release: check  ## make a release: VERSION=1.2.3; commit, wheel, sdist, tag (docs/upgrading.md)
	@PYTHON=$(abspath $(BIN)/python) deploy/release.sh $(VERSION)

trace: $(DEV)  ## count the source files that one message, one search and one memory pass through
	@$(BIN)/python -m benchmarks.trace_files

pages: $(DEV)  ## write the generated pages anew: commands and settings, in both languages
	@$(BIN)/python -m benchmarks.commands_page
	@$(BIN)/python -m benchmarks.settings_page

recording: $(DEV)  ## record a real run of the terminal for the READMEs
	@$(BIN)/uv pip install -q --target $(VENV)/.recording pyte==0.8.2
	@for language in en zh; do PYTHONPATH=$(VENV)/.recording $(BIN)/python -m benchmarks.screen_recording $$language; done

browser: $(DEV)  ## look at the memory page in Chromium: axe, keys only, frames; writes docs/page
	@command -v chromium chromium-browser google-chrome >/dev/null || { echo "No Chromium here. On Debian or Ubuntu: apt install chromium fonts-wqy-microhei"; exit 1; }
	@$(BIN)/python -m pip install -q --disable-pip-version-check playwright==1.65.2 axe-playwright-python==0.1.8 pillow
	@$(BIN)/python -m benchmarks.page_browser --pictures

page-speed: $(DEV)  ## how long each room of the memory page takes (docs/page.md)
	@$(BIN)/python -m benchmarks.page

page-turns: $(DEV)  ## what turns lose while somebody uses the memory page; PACE=4 on a busy machine
	@$(BIN)/python -m benchmarks.page_turns --pace $(or $(PACE),1)

week: $(DEV)  ## a week under a service manager: hangs, kills, a full disk; needs root for a small disk
	@$(BIN)/python -m benchmarks.week

clean:  ## remove the environment and every cache
	@rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
