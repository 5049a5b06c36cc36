# `make paper` reproduces the study, `make test` runs the tests; both set up what they need.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SLURM := $(VENV)-slurm
PROFILE ?= profiles/slurm
PORT ?= 8641
LEDGER ?= data/ledger
ARCHIVE = $(BIN)/python -m scripts.archive
OVER = $(if $(CONFIG),--configfile $(CONFIG))
INSTALL = $(BIN)/pip install --quiet --disable-pip-version-check --require-hashes

.PHONY: paper analysis verify archive restore plan ledger paper-local paper-slurm calibrate calibration power handoff-advice handoff-local annotation-kit browser test test-slurm check format gallery properties bench bench-study schema lock serve-simulated clean

paper: $(VENV)/pipeline  ## the whole study; CONFIG=config/other.yaml for another configuration
	$(BIN)/snakemake $(OVER)

analysis: $(VENV)/pipeline  ## the analysis of a finished study: no call, no key, no network; CONFIG= as above
	$(BIN)/snakemake $(OVER) --config offline=True

verify: $(VENV)/pipeline  ## compare every table with the manifest of the run; CONFIG= as above
	@$(ARCHIVE) verify $(OVER)

archive: analysis  ## the whole study in one file; FILE=study.tar, CONFIG= as above
	@$(ARCHIVE) pack $(OVER) $(if $(FILE),--file "$(FILE)")

restore: $(VENV)/pipeline  ## unpack an archive here; FILE=study.tar, REPLACE=1 to overwrite what differs
	$(if $(FILE),,$(error name the archive: make restore FILE=study.tar))
	@$(ARCHIVE) restore --file "$(FILE)" $(if $(REPLACE),--replace)

plan: $(VENV)/pipeline  ## what a run would cost and why each job would run; nothing is called; CONFIG= as above
	@$(BIN)/snakemake plan plan_handoff $(OVER) --quiet host progress rules

power: $(VENV)/pipeline  ## how many instances the planned comparisons need, from what was graded so far; CONFIG= as above
	@$(BIN)/snakemake estimate_power $(OVER) --quiet host progress rules

ledger: $(VENV)/pipeline  ## what is recorded and what it cost; LEDGER=<folder> for another one
	@$(BIN)/python -m scripts.ledger list --ledger $(LEDGER)

paper-local: $(VENV)/local  ## the study with a real model; MODEL=<GGUF file or URL of an endpoint>
	$(BIN)/python -m scripts.run_local --model "$(MODEL)"

paper-slurm: $(SLURM)/made  ## the study on a SLURM cluster; PROFILE=profiles/mine, SERVER=<batch script of a model server>
	$(SLURM)/bin/python -m scripts.run_on_slurm --workflow-profile $(PROFILE) $(if $(SERVER),--server $(SERVER)) $(OVER)

handoff-local: $(VENV)/local  ## pilot and ledgers of the second study with a real model; MODEL= as above
	$(BIN)/python -m scripts.run_local --config config/handoff_local.yaml --model "$(MODEL)" handoff

handoff-advice: $(VENV)/pipeline  ## one agent or a chain of agents? CURVE= H= GROWTH= START= NOTE= DEPTH= (docs/handoff_advice.md)
	@$(BIN)/python -m scripts.handoff.handoff_advice $(if $(CURVE),--curve "$(CURVE)") $(if $(H),--handoff $(H)) \
	  $(if $(GROWTH),--growth $(GROWTH)) $(if $(START),--start $(START)) $(if $(NOTE),--note $(NOTE)) $(if $(DEPTH),--depth $(DEPTH)) \
	  $(if $(MODEL),--model "$(MODEL)")

calibrate: $(VENV)/pipeline  ## which size of each task suits the models of the configuration
	$(BIN)/snakemake calibrate $(OVER)

calibration: $(VENV)/pipeline  ## are the intervals honest? simulated studies with a known truth; exit code 1 for a miss
	@$(BIN)/snakemake check_intervals $(OVER) --quiet host progress rules

annotation-kit: $(VENV)/pipeline  ## one offline page on which people label conversations; CONFIG= as above
	$(BIN)/snakemake write_annotation_kit $(OVER)

browser: $(VENV)/develop  ## the browser for the tests of the HTML pages; as root on Debian it is installed
	$(BIN)/python -m tests.browser install

test: $(VENV)/develop  ## the test suite
	$(BIN)/pytest -n 2 --dist loadgroup --ignore tests/slurm

test-slurm: $(VENV)/develop $(SLURM)/made  ## the tests on a real SLURM cluster; as root on Debian it installs SLURM
	$(BIN)/python -m tests.slurm.cluster install
	$(BIN)/pytest -n 4 --dist loadfile -rs tests/slurm

check: $(VENV)/develop  ## linters, types, import rule
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/snakefmt --check Snakefile workflow
	$(BIN)/snakemake --lint
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(VENV)/develop
	$(BIN)/ruff check --fix
	$(BIN)/ruff format
	$(BIN)/snakefmt Snakefile workflow

gallery: $(VENV)/pipeline  ## docs/tasks.md
	$(BIN)/python -m scripts.write_gallery

properties: $(VENV)/pipeline  ## docs/task_properties.csv, measured anew (minutes), and docs/tasks.md
	$(BIN)/python -m scripts.write_gallery --measure

bench: $(VENV)/pipeline  ## speed of the tasks, of the calls beside other clients, and of the whole study; QUICK=1 for a tenth
	$(BIN)/python -m benchmarks.bench_tasks
	$(BIN)/python -m benchmarks.bench_calls $(if $(QUICK),--quick)
	$(BIN)/python -m benchmarks.bench_study $(if $(QUICK),--quick)

bench-study: $(VENV)/pipeline  ## the whole study at full size: time, memory, disk (minutes); QUICK=1 for a tenth
	$(BIN)/python -m benchmarks.bench_study $(if $(QUICK),--quick)

schema: $(VENV)/pipeline  ## config/schema.json
	$(BIN)/python -m scripts.config

serve-simulated: $(VENV)/pipeline  ## simulated agents for any OpenAI client; PORT=8641
	$(BIN)/python -m scripts.lib.agents.simulated.server --port $(PORT)

lock: $(VENV)/develop  ## exact versions from the short lists envs/*.in
	$(BIN)/pip install --quiet uv
	cd envs && for name in pipeline develop; do \
	  ../$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header \
	    --no-emit-index-url --upgrade $$name.in --output-file $$name.txt; done
	cd envs && ../$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header \
	    --no-emit-index-url --upgrade --constraint pipeline.txt slurm.in --output-file slurm.txt
	cd envs && ../$(BIN)/uv pip compile --quiet --no-deps --generate-hashes --no-header \
	    --no-emit-index-url --universal --python-version 3.11 --upgrade local.in --output-file local.txt

clean:
	rm -rf $(VENV) $(SLURM) .venv-peers .snakemake

$(VENV)/made:
	@$(PYTHON) -c 'import sys; sys.exit(None if sys.version_info >= (3, 11) else "Python 3.11 or newer is needed, this is " + sys.version.split()[0] + "; name another one: make PYTHON=python3.12 ...")'
	$(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/pipeline: envs/pipeline.txt | $(VENV)/made
	$(INSTALL) -r envs/pipeline.txt
	@touch $@

$(VENV)/develop: envs/develop.txt $(VENV)/pipeline
	$(INSTALL) -r envs/develop.txt
	@touch $@

$(VENV)/local: envs/local.txt $(VENV)/pipeline
	$(INSTALL) --no-deps -r envs/local.txt
	@touch $@

# Snakemake loads every plugin that it finds, and this one costs each call a second or two: hence an environment
# of its own, which sees the packages of the first one.
SITE = -c 'import sysconfig; print(sysconfig.get_path("purelib"))'
$(SLURM)/made: envs/slurm.txt $(VENV)/pipeline
	$(BIN)/python -m venv --clear $(SLURM)
	$(BIN)/python $(SITE) > "$$($(SLURM)/bin/python $(SITE))/pipeline.pth"
	$(SLURM)/bin/pip install --quiet --disable-pip-version-check --require-hashes -r envs/slurm.txt
	@touch $@
