package dev.volary.cli.check;

import dev.volary.crd.ConvergenceSpec;
import dev.volary.crd.Fault;
import dev.volary.crd.InputSpec;
import dev.volary.crd.JobSpec;
import dev.volary.crd.ManifestException;
import dev.volary.crd.ManifestFile;
import dev.volary.crd.Spelling;
import dev.volary.protocol.watch.WatchConfig;
import dev.volary.solver.Decomposition;
import dev.volary.solver.InputFolders;
import dev.volary.solver.InvalidProblem;
import dev.volary.solver.Model;
import dev.volary.solver.Parameter;
import dev.volary.solver.Preflight;
import dev.volary.solver.Problem;
import dev.volary.solver.Values;
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
 * Checks a job as far as one process can without starting a worker: the manifest, the problem's parameters, its files, the
 * blocks, the tolerance, and whether the iteration contracts. Independent faults are reported together.
 */
public final class JobCheck {
    private static final String PARAMETERS = "spec.problem.parameters";
    private static final String TOLERANCE = "spec.convergence.tolerance";

    private final ManifestFile manifest;
    private final JobSpec spec;
    private final List<Fault> faults = new ArrayList<>();

    private JobCheck(ManifestFile manifest) {
        this.manifest = manifest;
        this.spec = manifest.job().spec();
    }

    /**
     * Reads and checks a manifest for a local run.
     *
     * @throws ManifestException with everything that keeps the job from being started
     */
    public static CheckedJob check(Path file, ProblemCatalogue catalogue) throws ManifestException {
        return new JobCheck(ManifestFile.read(file)).check(catalogue);
    }

    private CheckedJob check(ProblemCatalogue catalogue) throws ManifestException {
        if (spec.suspend()) {
            fault("spec.suspend", "is true, so there is nothing to run; set it to false");
        }
        checkFailureDetection();
        InputFolders inputs = inputs();
        Problem problem = problem(catalogue);
        Values values = values(problem);
        throwIfAny();
        Model model = open(problem, values, inputs);
        checkSize(model);
        double relative = relativeTolerance(model);
        throwIfAny();
        Decomposition decomposition = decompose(model);
        Optional<Preflight> preflight = model.preflight(decomposition);
        List<String> notices = new ArrayList<>();
        preflight.ifPresent(known -> judge(known, notices));
        throwIfAny();
        notices.addAll(LocalNotices.of(spec));
        return new CheckedJob(
                manifest,
                problem,
                inputs,
                model,
                decomposition,
                preflight,
                relative,
                relative * model.scale(),
                notices);
    }

    private void checkFailureDetection() {
        try {
            WatchConfig unusedHere = FailureDetection.of(spec.failureDetection());
        } catch (IllegalArgumentException refused) {
            String text = String.valueOf(refused.getMessage());
            int end = text.indexOf(' ');
            fault("spec.failureDetection." + text.substring(0, end), text.substring(end + 1));
        }
    }

    private Problem problem(ProblemCatalogue catalogue) throws ManifestException {
        String type = spec.problem().type();
        Optional<Problem> problem = catalogue.find(type);
        if (problem.isEmpty()) {
            String near = Spelling.nearest(type, catalogue.names())
                    .map(name -> "did you mean " + name + "? ")
                    .orElse("");
            fault(
                    "spec.problem.type",
                    "is \"" + type + "\", but there is no such problem; " + near + "use one of "
                            + String.join(", ", catalogue.names()));
            throwIfAny();
        }
        return problem.orElseThrow();
    }

    /** Checks the parameters one by one, so that all faults are found. */
    private Values values(Problem problem) throws ManifestException {
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
                Values.of(List.of(parameter), own);
            } catch (InvalidProblem refused) {
                parameterFault(problem, refused);
            }
        }
        throwIfAny();
        try {
            return Values.of(declared, given);
        } catch (InvalidProblem refused) {
            parameterFault(problem, refused);
            throw new ManifestException(faults);
        }
    }

    private void unknownParameter(String name, List<Parameter<?>> declared) {
        List<String> names = declared.stream().map(Parameter::name).toList();
        String remedy = names.isEmpty()
                ? "remove it"
                : Spelling.nearest(name, names)
                        .map(near -> "did you mean " + near + "?")
                        .orElse("use one of " + String.join(", ", names));
        fault(
                PARAMETERS + "." + name,
                "is unknown to the problem " + spec.problem().type() + "; " + remedy);
    }

    private InputFolders inputs() {
        Path base = manifest.file().toAbsolutePath().getParent();
        Map<String, Path> folders = new HashMap<>();
        for (int i = 0; i < spec.inputs().size(); i++) {
            InputSpec input = spec.inputs().get(i);
            String field = "spec.inputs[" + i + "].path";
            if (input.path().isEmpty()) {
                fault(field, "is missing: a local run cannot read a persistentVolumeClaim; give a folder");
            } else if (base != null) {
                Path folder = base.resolve(input.path().get()).normalize();
                if (!Files.isDirectory(folder)) {
                    fault(
                            field,
                            "is \"" + input.path().get() + "\", but " + folder
                                    + (Files.exists(folder) ? " is not a folder" : " does not exist")
                                    + "; a path is relative to the manifest's folder");
                }
                folders.put(input.name(), folder);
            }
        }
        return new InputFolders(folders);
    }

    private Model open(Problem problem, Values values, InputFolders inputs) throws ManifestException {
        try {
            return problem.open(values, inputs);
        } catch (InvalidProblem refused) {
            parameterFault(problem, refused);
            throw new ManifestException(faults);
        }
    }

    private Decomposition decompose(Model model) throws ManifestException {
        try {
            return model.decompose(spec.blockCount());
        } catch (InvalidProblem refused) {
            String field = blocksField();
            faults.add(manifest.fault(field, "is " + spec.blockCount() + ": " + refused.getMessage()));
            throw new ManifestException(faults);
        }
    }

    private void checkSize(Model model) {
        long unknowns = model.unknowns().size();
        if (spec.blockCount() > unknowns) {
            fault(
                    blocksField(),
                    "is " + spec.blockCount() + ", more than the " + unknowns + " unknowns of this problem; lower it");
        }
    }

    /** The field that decides the number of blocks. */
    private String blocksField() {
        return spec.blocks().isPresent() ? "spec.blocks" : "spec.daemons.replicas";
    }

    private double relativeTolerance(Model model) {
        ConvergenceSpec convergence = spec.convergence();
        boolean isRelative = convergence.norm() == ConvergenceSpec.Norm.Relative;
        double unit = isRelative ? 1 : model.scale();
        double floor = model.attainableFloor();
        double relative = convergence.toleranceValue() / unit;
        if (relative < floor) {
            fault(
                    TOLERANCE,
                    "is " + convergence.tolerance() + ", below the attainable " + twoDigitsUp(floor * unit)
                            + " for this problem; raise it");
        }
        return relative;
    }

    private void judge(Preflight known, List<String> notices) {
        boolean mayRun = spec.convergence().acceptRisk() || spec.scheme() == JobSpec.Scheme.Synchronous;
        if (known.verdict() == Preflight.Verdict.REFUTED && !mayRun) {
            fault("spec.problem", "fails the pre-flight check: " + known.finding() + "; " + known.remedy());
        } else if (known.verdict() != Preflight.Verdict.CERTIFIED) {
            String advice = known.advice().isEmpty() ? "" : " (" + known.advice() + ")";
            notices.add("convergence is not certified: " + known.finding() + advice);
        }
    }

    /** Names a parameter by its full path; a file that a parameter refers to keeps its own name. */
    private void parameterFault(Problem problem, InvalidProblem refused) {
        String subject = refused.subject();
        String message = String.valueOf(refused.getMessage());
        boolean isParameter =
                problem.parameters().stream().anyMatch(p -> p.name().equals(subject));
        if (isParameter) {
            faults.add(manifest.fault(PARAMETERS + "." + subject, message.substring(subject.length() + 1)));
            return;
        }
        String field = spec.problem().parameters().entrySet().stream()
                .filter(entry -> entry.getValue().equals(subject))
                .map(entry -> PARAMETERS + "." + entry.getKey())
                .findFirst()
                .orElse(PARAMETERS);
        faults.add(new Fault(manifest.file(), manifest.position(field), field + ": " + message));
    }

    /** Two significant digits, never below the value: what is printed is accepted. */
    static String twoDigitsUp(double value) {
        return new BigDecimal(value)
                .round(new MathContext(2, RoundingMode.UP))
                .stripTrailingZeros()
                .toString()
                .replace("E-", "e-")
                .replace("E+", "e+");
    }

    private void fault(String path, String message) {
        faults.add(manifest.fault(path, message));
    }

    private void throwIfAny() throws ManifestException {
        if (!faults.isEmpty()) {
            throw new ManifestException(faults);
        }
    }
}
