# All commands of the project in one place. `make help` lists them; each is a plain command that also works without make.
.DEFAULT_GOAL := help
MVN := ./mvnw -B -ntp
VERSION := 0.1.0-SNAPSHOT

.PHONY: help
help: ## List all commands
	@grep -hE '^[a-z0-9-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*##/\t/' | expand -t 16

.PHONY: build
build: ## Build everything without tests
	$(MVN) package -DskipTests

.PHONY: test
test: ## Unit and integration tests of all modules (the build's gate)
	$(MVN) verify

.PHONY: run
run: ## Solve the small example with worker processes on this machine
	./volary run examples/heat-small.yaml

.PHONY: simulate
simulate: ## Simulate a job whose daemons die, in virtual time
	./volary simulate examples/survive.yaml --kill 1 --every 2s --runs 20

.PHONY: seeds
seeds: ## Run the simulator's scenarios over more seeds (RUNS=20000)
	bench/run seeds --runs $(or $(RUNS),20000)

.PHONY: format
format: ## Format the Java sources
	$(MVN) -q spotless:apply

.PHONY: crd
crd: ## Generate the definition of IterativeJob and docs/reference/iterativejob.md
	$(MVN) -q test -pl crds/api -am -Dvolary.generate=true -Dsurefire.failIfNoSpecifiedTests=false

.PHONY: docs
docs: ## Check the links of all documents and the names on the architecture page
	docs/check-links

.PHONY: recording
recording: ## Record docs/images/run.svg from a real run; use a machine that does nothing else
	docs/images/record-run

.PHONY: helm-test
helm-test: ## Test the chart with Helm 3 and 4 (needs Go the first time)
	helm/test

.PHONY: testbed
testbed: ## Build the Kubernetes that tests use without Docker (once; needs Go and gcc)
	e2e/testbed/testbed build

.PHONY: e2e
e2e: ## Jobs on a real cluster without Docker (root, Linux; TEST=SmallJobIT for one class)
	e2e/run $(if $(TEST),-Dit.test=$(TEST))

.PHONY: kind
kind: ## The same on kind (needs Docker; TEST=SmallJobIT for one class)
	e2e/kind/run $(if $(TEST),-Dit.test=$(TEST))

.PHONY: images
images: ## Build the archives of both images into target/images, without Docker
	$(MVN) -q package -pl worker-image/image,operator -am -DskipTests
	mkdir -p target/images
	worker-image/image/build volary-worker:$(VERSION) target/images/worker.tar
	operator/image/build volary-operator:$(VERSION) target/images/operator.tar

.PHONY: bench
bench: ## Run a benchmark (NAME=recovery); without NAME list them
	bench/run $(NAME)

.PHONY: gate
gate: ## Everything that a change must pass, on a new machine
	.ci/run

.PHONY: clean
clean: ## Remove what the build made
	$(MVN) -q clean
