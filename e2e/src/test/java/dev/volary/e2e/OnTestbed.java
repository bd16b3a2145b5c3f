// SPDX-License-Identifier: Apache-2.0
package dev.volary.e2e;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

/** Needs a cluster whose nodes and API server the test may switch off. */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@EnabledIfEnvironmentVariable(
        named = Testbed.PROGRAM,
        matches = ".+",
        disabledReason = "no test bed: run e2e/run, which starts one")
@interface OnTestbed {}
