// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Imports point one way (cli, worker → mesh, backup → protocol; solvers → solver API; simulator → protocol, solver API; one
 * command of the cli → simulator).
 */
class LayersTest {
    private static JavaClasses product;

    @BeforeAll
    static void readTheProduct() {
        product = new ClassFileImporter()
                .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                .importPackages("dev.volary");
    }

    @Test
    void allModulesAreSeen() {
        for (String root : new String[] {
            "dev.volary.solver",
            "dev.volary.solvers",
            "dev.volary.protocol",
            "dev.volary.simulator",
            "dev.volary.mesh",
            "dev.volary.backup",
            "dev.volary.zarr",
            "dev.volary.storage",
            "dev.volary.job.spec",
            "dev.volary.job.manifest",
            "dev.volary.job.validation",
            "dev.volary.job.description",
            "dev.volary.job.resource",
            "dev.volary.worker",
            "dev.volary.operator",
            "dev.volary.cli"
        }) {
            classes()
                    .that()
                    .resideInAPackage(root + "..")
                    .should()
                    .haveNameMatching(".+")
                    .check(product);
        }
    }

    @Test
    void theSolverApiKnowsOnlyTheJdk() {
        onlyJdkAnd("dev.volary.solver", "dev.volary.solver");
        onlyJdkAnd("dev.volary.solver.npy", "dev.volary.solver..");
    }

    @Test
    void protocolsKnowOnlyTheJdk() {
        onlyJdkAnd("dev.volary.protocol..", "dev.volary.protocol..");
    }

    @Test
    void protocolsDoNoInputOrOutputAndKeepNoTime() {
        noClasses()
                .that()
                .resideInAPackage("dev.volary.protocol..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "java.io..", "java.net..", "java.nio..", "java.util.concurrent..", "java.time.chrono..")
                .orShould()
                .dependOnClassesThat(describe(
                        "are Thread or Clock",
                        (JavaClass c) -> c.isAssignableTo(Thread.class) || c.isAssignableTo(java.time.Clock.class)))
                .orShould()
                .callMethod(System.class, "nanoTime")
                .orShould()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .callMethod(Math.class, "random")
                .check(product);
    }

    @Test
    void builtInSolversKnowOnlyTheSolverApi() {
        neither("dev.volary.solvers..", "protocol", "simulator", "mesh", "zarr", "job", "worker", "cli");
    }

    @Test
    void theSimulatorKnowsOnlyProtocolAndSolverApi() {
        neither("dev.volary.simulator..", "mesh", "zarr", "job", "worker", "cli", "solvers");
    }

    @Test
    void theMeshKnowsOnlyTheProtocol() {
        neither("dev.volary.mesh..", "solver", "solvers", "simulator", "zarr", "job", "worker", "cli");
    }

    @Test
    void backupsKnowOnlyTheProtocol() {
        neither("dev.volary.backup..", "solver", "solvers", "simulator", "mesh", "zarr", "job", "worker", "cli");
    }

    @Test
    void theStorageKnowsNothingOfTheProject() {
        neither(
                "dev.volary.storage..",
                "solver",
                "solvers",
                "protocol",
                "simulator",
                "mesh",
                "backup",
                "zarr",
                "job",
                "worker",
                "operator",
                "cli");
    }

    @Test
    void onlyTheStorageKnowsTheClientOfObjectStores() {
        noClasses()
                .that()
                .resideInAPackage("dev.volary..")
                .and()
                .resideOutsideOfPackage("dev.volary.storage..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("software.amazon..")
                .check(product);
    }

    @Test
    void onlyBackupsKnowInfinispan() {
        noClasses()
                .that()
                .resideInAPackage("dev.volary..")
                .and()
                .resideOutsideOfPackage("dev.volary.backup.infinispan..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.infinispan..", "org.jgroups..")
                .check(product);
    }

    @Test
    void theWorkerKnowsNeitherManifestsNorSolversNorKubernetes() {
        neither("dev.volary.worker..", "job", "cli", "solvers", "simulator");
        noClasses()
                .that()
                .resideInAPackage("dev.volary.worker..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.fabric8..", "io.quarkus..")
                .check(product);
    }

    @Test
    void theJobModelKnowsNothingOfTheRuntime() {
        for (String part : new String[] {"spec", "manifest", "validation", "resource"}) {
            neither(
                    "dev.volary.job." + part + "..",
                    "solver",
                    "solvers",
                    "protocol",
                    "mesh",
                    "worker",
                    "cli",
                    "simulator",
                    "job.description");
        }
        neither("dev.volary.job.description..", "solver", "solvers", "worker", "cli", "simulator", "job.resource");
    }

    @Test
    void manifestsAreReadWithoutAKubernetesClient() {
        noClasses()
                .that()
                .resideInAnyPackage(
                        "dev.volary.job.spec..",
                        "dev.volary.job.manifest..",
                        "dev.volary.job.validation..",
                        "dev.volary.job.description..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("dev.volary.job.resource..", "io.fabric8.kubernetes.client..")
                .check(product);
    }

    @Test
    void onlyTestsStartAnApiServer() {
        noClasses()
                .that()
                .resideOutsideOfPackage("dev.volary.job.testkit..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("dev.volary.job.testkit..")
                .check(product);
    }

    @Test
    void localRunsKnowNoKubernetesClient() {
        noClasses()
                .that()
                .resideInAPackage("dev.volary.cli..")
                .and()
                .resideOutsideOfPackage("dev.volary.cli.cluster..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("dev.volary.job.resource..", "io.fabric8..")
                .check(product);
    }

    @Test
    void theCommandLineStartsWorkersButDoesNotCallThem() {
        neither("dev.volary.cli..", "worker", "solvers");
    }

    @Test
    void onlyOneCommandKnowsTheSimulator() {
        noClasses()
                .that()
                .resideInAPackage("dev.volary.cli..")
                .and()
                .resideOutsideOfPackage("dev.volary.cli.simulate..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("dev.volary.simulator..")
                .check(product);
    }

    @Test
    void theOperatorKnowsNeitherWorkersNorSolvers() {
        neither("dev.volary.operator..", "solver", "solvers", "simulator", "backup", "zarr", "worker", "cli");
    }

    @Test
    void theDecisionsOfTheOperatorDoNoInputOrOutputAndKeepNoTime() {
        noClasses()
                .that()
                .resideInAnyPackage(
                        "dev.volary.operator.plan..", "dev.volary.operator.pod..", "dev.volary.operator.status..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "java.io..",
                        "java.net..",
                        "java.util.concurrent..",
                        "io.fabric8.kubernetes.client..",
                        "io.javaoperatorsdk..")
                .orShould()
                .callMethod(java.time.Instant.class, "now")
                .check(product);
    }

    @Test
    void packagesOfOneModuleDoNotDependOnEachOtherInCircles() {
        for (String module :
                new String[] {"protocol", "mesh", "backup", "worker", "operator", "cli", "solvers", "job"}) {
            slices().matching("dev.volary." + module + ".(*)..")
                    .should()
                    .beFreeOfCycles()
                    .check(product);
        }
    }

    /** The rule above does not see the package that has a module's own name. */
    @Test
    void packagesFormNoCycleWithTheRootPackageOfTheirModule() {
        for (String module : new String[] {"simulator", "worker", "mesh"}) {
            slices().matching("dev.volary.(**)")
                    .should()
                    .beFreeOfCycles()
                    .check(product.that(resideInAPackage("dev.volary." + module + "..")));
        }
    }

    @Test
    void everyPackageIsNullMarked() {
        classes()
                .that()
                .resideInAPackage("dev.volary..")
                .and()
                .resideOutsideOfPackages("dev.volary.mesh.v1..")
                .should(new NullMarkedPackage())
                .check(product);
    }

    private static void onlyJdkAnd(String from, String own) {
        classes()
                .that()
                .resideInAPackage(from)
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage("java..", "org.jspecify..", own)
                .check(product);
    }

    private static void neither(String from, String... modules) {
        for (String module : modules) {
            String to = module.equals("solver") ? "dev.volary.solver" : "dev.volary." + module + "..";
            noClasses()
                    .that()
                    .resideInAPackage(from)
                    .should()
                    .dependOnClassesThat()
                    .resideInAPackage(to)
                    .check(product);
        }
    }
}
