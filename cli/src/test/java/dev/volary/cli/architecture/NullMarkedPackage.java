// SPDX-License-Identifier: Apache-2.0
package dev.volary.cli.architecture;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import org.jspecify.annotations.NullMarked;

/** The class is in a package that says {@code @NullMarked}. */
final class NullMarkedPackage extends ArchCondition<JavaClass> {

    NullMarkedPackage() {
        super("be in a @NullMarked package");
    }

    @Override
    public void check(JavaClass item, ConditionEvents events) {
        boolean marked = item.getPackage()
                .tryGetPackageInfo()
                .map(info -> info.isAnnotatedWith(NullMarked.class))
                .orElse(false);
        events.add(new SimpleConditionEvent(
                item, marked, item.getPackageName() + " of " + item.getName() + " is not @NullMarked"));
    }
}
