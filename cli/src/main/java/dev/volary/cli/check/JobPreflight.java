// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.check;

import dev.volary.job.manifest.Manifest;
import dev.volary.job.manifest.ManifestError;
import dev.volary.job.manifest.ManifestException;
import dev.volary.job.manifest.NearestName;
import dev.volary.job.spec.ConvergenceSpec;
import dev.volary.job.spec.InputSpec;
import dev.volary.job.spec.JobSpec;
import dev.volary.job.spec.ObjectStoreSpec;
import dev.volary.mesh.job.BlockStateBound;
import dev.volary.protocol.model.Tolerance;
import dev.volary.solver.Decomposition;
import dev.volary.solver.InputFolders;
import dev.volary.solver.InvalidProblemException;
import dev.volary.solver.Model;
import dev.volary.solver.Parameter;
import dev.volary.solver.ParameterValues;
import dev.volary.solver.Preflight;
import dev.volary.solver.Problem;
import dev.volary.solver.RedundantCoarseModel;
import dev.volary.storage.BlobStore;
import dev.volary.storage.InputDownload;
import dev.volary.storage.InputFile;
import dev.volary.storage.InputRefusedException;
import dev.volary.storage.ObjectStore;
import dev.volary.zarr.guess.InitialGuess;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Checks a job without starting a worker: the manifest, the parameters of the problem, its files, the blocks, the tolerance,
 * and whether the iteration converges. Reports independent errors together.
 */
public final class JobPreflight {
    private static final String PARAMETERS = "spec.problem.parameters";
    private static final String TOLERANCE = "spec.convergence.tolerance";

    private final Manifest manifest;
    private final JobSpec spec;
    private final List<ManifestError> errors = new ArrayList<>();

    private JobPreflight(Manifest manifest) {
        this.manifest = manifest;
        this.spec = manifest.spec();
    }

    /**
     * Reads and checks a manifest for a local run.
     *
     * @throws ManifestException with every error that prevents the job from starting
     */
    public static ValidatedJob check(Path file, ProblemCatalogue catalogue) throws ManifestException {
        return new JobPreflight(Manifest.read(file)).check(catalogue);
    }

    private ValidatedJob check(ProblemCatalogue catalogue) throws ManifestException {
        if (spec.suspend()) {
            error("spec.suspend", "is true, so the job would not run; set it to false");
        }
        InputFolders inputs = inputs();
        Problem problem = problem(catalogue);
        ParameterValues values = values(problem);
        throwIfAny();
        Model model = open(problem, values, inputs);
        checkSize(model);
        checkInitialGuess(model, inputs);
        checkOutputSteps(model);
        Tolerance tolerance = tolerance(model);
        throwIfAny();
        Decomposition decomposition = decompose(model);
        checkStates(decomposition);
        throwIfAny();
        Optional<Preflight> preflight = model.preflight(decomposition);
        List<String> notices = new ArrayList<>();
        preflight.ifPresent(found -> checkConvergence(found, notices));
        throwIfAny();
        notices.addAll(LocalRunWarnings.of(manifest));
        return new ValidatedJob(manifest, problem, inputs, model, decomposition, preflight, tolerance, notices);
    }

    private Problem problem(ProblemCatalogue catalogue) throws ManifestException {
        String type = spec.problem().type();
        Optional<Problem> problem = catalogue.find(type);
        if (problem.isEmpty()) {
            error(
                    "spec.problem.type",
                    "is \"" + type + "\", which is not a known problem; "
                            + NearestName.remedy(type, catalogue.names()));
            throwIfAny();
        }
        return problem.orElseThrow();
    }

    /** Checks the parameters one by one, to find all errors. */
    private ParameterValues values(Problem problem) throws ManifestException {
        List<Parameter<?>> declared = problem.parameters();
        Map<String, Object> given = spec.problem().parameters();
        for (String name : given.keySet()) {
            if (declared.stream().noneMatch(p -> p.name().equals(name))) {
                unknownParameter(name, declared);
            }
        }
        Map<String, Object> known = new HashMap<>(given);
        known.keySet().retainAll(declared.stream().map(Parameter::name).toList());
        for (Parameter<?> parameter : declared) {
            Map<String, Object> own = new HashMap<>(known);
            own.keySet().retainAll(List.of(parameter.name()));
            try {
                ParameterValues.of(List.of(parameter), own);
            } catch (InvalidProblemException refused) {
                parameterError(problem, refused);
            }
        }
        throwIfAny();
        try {
            return ParameterValues.of(declared, given);
        } catch (InvalidProblemException refused) {
            parameterError(problem, refused);
            throw new ManifestException(errors);
        }
    }

    private void unknownParameter(String name, List<Parameter<?>> declared) {
        List<String> names = declared.stream().map(Parameter::name).toList();
        String remedy = names.isEmpty()
                ? "remove it"
                : NearestName.of(name, names)
                        .map(near -> "did you mean " + near + "?")
                        .orElse("use one of " + String.join(", ", names));
        error(
                PARAMETERS + "." + name,
                "is unknown to the problem " + spec.problem().type() + "; " + remedy);
    }

    private InputFolders inputs() {
        Path base = manifest.file().toAbsolutePath().getParent();
        Map<String, Path> folders = new HashMap<>();
        for (int i = 0; i < spec.inputs().size(); i++) {
            InputSpec input = spec.inputs().get(i);
            String field = "spec.inputs[" + i + "].path";
            String path = input.path();
            ObjectStoreSpec store = input.objectStore();
            if (store != null) {
                stored("spec.inputs[" + i + "]", input, store).ifPresent(folder -> folders.put(input.name(), folder));
            } else if (path == null) {
                error(
                        field,
                        "is missing: a local run cannot read a persistentVolumeClaim; set path to a folder, or use"
                                + " objectStore");
            } else if (base != null) {
                Path folder = base.resolve(path).normalize();
                if (!Files.isDirectory(folder)) {
                    error(
                            field,
                            "is \"" + path + "\", but " + folder
                                    + (Files.exists(folder) ? " is not a folder" : " does not exist")
                                    + "; a path is relative to the folder of the manifest");
                }
                folders.put(input.name(), folder);
            }
        }
        return new InputFolders(folders);
    }

    /** Fetches an input from its store; none if that fails, which is reported. */
    private Optional<Path> stored(String field, InputSpec input, ObjectStoreSpec spec) {
        try (BlobStore store = ObjectStore.open(LocalStores.settings(spec))) {
            List<InputFile> files = input.files().stream()
                    .map(file -> new InputFile(file.name(), file.sha256()))
                    .toList();
            Path folder = LocalStores.inputCache(files);
            new InputDownload(field, store, folder).fetch(files);
            return Optional.of(folder);
        } catch (InputRefusedException e) {
            error(e.field(), e.finding() + "; " + e.remedy());
        } catch (IOException e) {
            error(field + ".objectStore", "cannot be read: " + e.getMessage());
        }
        return Optional.empty();
    }

    private Model open(Problem problem, ParameterValues values, InputFolders inputs) throws ManifestException {
        try {
            Model model = RedundantCoarseModel.of(problem.open(values, inputs));
            model.selfCheck();
            return model;
        } catch (InvalidProblemException refused) {
            parameterError(problem, refused);
            throw new ManifestException(errors);
        }
    }

    private Decomposition decompose(Model model) throws ManifestException {
        try {
            return model.decompose(spec.blockCount());
        } catch (InvalidProblemException refused) {
            String field = blocksField();
            errors.add(manifest.error(field, "is " + spec.blockCount() + ": " + refused.getMessage()));
            throw new ManifestException(errors);
        }
    }

    private void checkInitialGuess(Model model, InputFolders inputs) {
        String reference = spec.initialGuess();
        if (reference == null) {
            return;
        }
        try {
            InitialGuess ignored = InitialGuess.open(reference, inputs, model);
        } catch (InvalidProblemException refused) {
            error(refused.subject(), withoutSubject(refused));
        }
    }

    private void checkOutputSteps(Model model) {
        Integer every = spec.result().everySteps();
        if (every != null && model.timeStepping().isEmpty()) {
            error(
                    "spec.result.everySteps",
                    "is " + every + ", but the problem " + spec.problem().type() + " has no time steps; remove it");
        }
    }

    private void checkSize(Model model) {
        long unknowns = model.unknowns().size();
        if (spec.blockCount() > unknowns) {
            error(
                    blocksField(),
                    "is " + spec.blockCount() + ", more than the " + unknowns + " unknowns of this problem; lower it");
        }
    }

    private void checkStates(Decomposition decomposition) {
        BlockStateBound largest = BlockStateBound.largest(decomposition.stateSizes());
        if (spec.checkpoint().copies() > 0 && !largest.isKept()) {
            error(blocksField(), largest.refusal() + "; " + largest.remedy());
        }
    }

    /** The field that determines the number of blocks. */
    private String blocksField() {
        return spec.blocks() != null ? "spec.blocks" : "spec.daemons.replicas";
    }

    private Tolerance tolerance(Model model) {
        ConvergenceSpec convergence = spec.convergence();
        boolean isRelative = convergence.norm() == ConvergenceSpec.Norm.Relative;
        Tolerance tolerance = Tolerance.of(convergence.toleranceValue(), isRelative, model.scale());
        double floor = model.attainableFloor();
        if (tolerance.relative() < floor) {
            error(
                    TOLERANCE,
                    "is " + convergence.tolerance() + ", below the attainable "
                            + twoDigitsUp(isRelative ? floor : floor * model.scale()) + " for this problem; raise it");
        }
        return tolerance;
    }

    private void checkConvergence(Preflight preflight, List<String> notices) {
        boolean mayDiverge = spec.convergence().acceptRisk() || spec.scheme() == JobSpec.Scheme.Synchronous;
        if (preflight.verdict() == Preflight.Verdict.REFUTED && !mayDiverge) {
            error("spec.problem", "fails the pre-flight check: " + preflight.finding() + "; " + preflight.remedy());
        } else if (preflight.verdict() != Preflight.Verdict.CERTIFIED) {
            String advice = preflight.advice().isEmpty() ? "" : " (" + preflight.advice() + ")";
            notices.add("convergence is not certified: " + preflight.finding() + advice);
        }
    }

    /** Reports an error of a parameter with its full path; an error in a file also names the file. */
    private void parameterError(Problem problem, InvalidProblemException refused) {
        String subject = refused.subject();
        boolean isParameter =
                problem.parameters().stream().anyMatch(p -> p.name().equals(subject));
        if (isParameter) {
            error(PARAMETERS + "." + subject, withoutSubject(refused));
            return;
        }
        String field = spec.problem().parameters().entrySet().stream()
                .filter(entry -> entry.getValue().equals(subject))
                .map(entry -> PARAMETERS + "." + entry.getKey())
                .findFirst()
                .orElse(PARAMETERS);
        errors.add(new ManifestError(manifest.file(), manifest.position(field), field + ": " + refused.getMessage()));
    }

    private static String withoutSubject(InvalidProblemException refused) {
        return String.valueOf(refused.getMessage()).substring(refused.subject().length() + 1);
    }

    /** Rounds up to two significant digits, so that the printed value is accepted as a tolerance. */
    static String twoDigitsUp(double value) {
        return new BigDecimal(value)
                .round(new MathContext(2, RoundingMode.UP))
                .stripTrailingZeros()
                .toString()
                .replace("E-", "e-")
                .replace("E+", "e+");
    }

    private void error(String path, String message) {
        errors.add(manifest.error(path, message));
    }

    private void throwIfAny() throws ManifestException {
        if (!errors.isEmpty()) {
            throw new ManifestException(errors);
        }
    }
}
