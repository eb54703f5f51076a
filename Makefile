# Everything runs inside .venv, which is made from the pinned constraints.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed

.PHONY: call test style types imports bench clean

call: $(STAMP)
	$(BIN)/rtc call

test: $(STAMP)
	$(BIN)/python -m pytest

style: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(STAMP)
	$(BIN)/mypy

imports: $(STAMP)
	$(BIN)/lint-imports

bench: $(STAMP)
	$(BIN)/rtc bench speed
	$(BIN)/rtc bench netem

$(STAMP): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "Python 3.11 or newer is needed, this is %s; name one with make PYTHON=python3.11" % sys.version.split()[0])'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt --editable '.[vmaf]' pytest hypothesis mypy types-pyyaml types-cffi ruff import-linter
	@touch $(STAMP)

clean:
	rm -rf $(VENV)
