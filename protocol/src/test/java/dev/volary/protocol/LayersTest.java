// SPDX-License-Identifier: Apache-2.0
package dev.volary.protocol;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.volary.protocol.machine.JobOutcome;
import dev.volary.protocol.snapshot.LeaderSnapshots;
import org.junit.jupiter.api.Test;

class LayersTest {
    private static final JavaClasses PROTOCOL = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("dev.volary.protocol");

    @Test
    void onlyTheSnapshotRootSaysCertified() {
        noClasses()
                .that()
                .doNotHaveFullyQualifiedName(LeaderSnapshots.class.getName())
                .should()
                .callConstructor(JobOutcome.Certified.class, long.class, double.class)
                .check(PROTOCOL);
    }

    @Test
    void protocolsKnowOnlyTheJdkAndThemselves() {
        classes()
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        "dev.volary.protocol..",
                        "java.lang..",
                        "java.util",
                        "java.util.function..",
                        "java.util.stream..",
                        "java.time",
                        "org.jspecify.annotations")
                .check(PROTOCOL);
    }

    @Test
    void protocolsReadNoClock() {
        noClasses().should().callMethod(System.class, "nanoTime").check(PROTOCOL);
        noClasses().should().callMethod(System.class, "currentTimeMillis").check(PROTOCOL);
        noClasses().should().dependOnClassesThat().areAssignableTo(Thread.class).check(PROTOCOL);
    }
}
