// SPDX-License-Identifier: Apache-2.0
package dev.volary.mesh.codec;

import dev.volary.protocol.model.WorkerId;
import java.lang.reflect.Constructor;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;

/** Makes instances of records from their declared components, so that a new record or component is tested unasked. */
public final class AnyRecord {
    private static final double[] DOUBLES = {0, -0.0, 1e-300, -1.5, Double.POSITIVE_INFINITY, Double.NaN};

    private AnyRecord() {}

    /** An instance of this type. */
    public static Object of(Type type, Random random) {
        if (type instanceof ParameterizedType generic) {
            Type element = generic.getActualTypeArguments()[0];
            if (generic.getRawType() == Optional.class) {
                return random.nextBoolean() ? Optional.of(of(element, random)) : Optional.empty();
            }
            if (generic.getRawType() == List.class) {
                List<Object> list = new ArrayList<>();
                for (int n = random.nextInt(4); n > 0; n--) {
                    list.add(of(element, random));
                }
                return List.copyOf(list);
            }
        }
        if (type == WorkerId.class) {
            return new WorkerId(1 + (random.nextLong() & Long.MAX_VALUE) / 2);
        }
        if (type instanceof Class<?> c) {
            return ofClass(c, random);
        }
        throw new IllegalArgumentException("no values of " + type + " are known here; add them");
    }

    /** The records that implement a sealed type. */
    public static Stream<Class<?>> kinds(Class<?> type) {
        return type.isSealed()
                ? Arrays.stream(type.getPermittedSubclasses())
                        .flatMap(AnyRecord::kinds)
                        .distinct()
                : Stream.of(type);
    }

    private static Object ofClass(Class<?> type, Random random) {
        if (type == int.class || type == Integer.class) {
            return random.nextInt();
        } else if (type == long.class || type == Long.class) {
            return random.nextLong();
        } else if (type == double.class) {
            return random.nextBoolean() ? DOUBLES[random.nextInt(DOUBLES.length)] : random.nextGaussian();
        } else if (type == boolean.class) {
            return random.nextBoolean();
        } else if (type == String.class) {
            return random.nextBoolean() ? "" : "Grüße-" + random.nextInt();
        } else if (type.isEnum()) {
            Object[] constants = type.getEnumConstants();
            return constants[random.nextInt(constants.length)];
        } else if (type.isRecord()) {
            return ofRecord(type, random);
        } else if (type.isSealed()) {
            Class<?>[] kinds = type.getPermittedSubclasses();
            return ofClass(kinds[random.nextInt(kinds.length)], random);
        }
        throw new IllegalArgumentException("no values of " + type + " are known here; add them");
    }

    private static Object ofRecord(Class<?> type, Random random) {
        RecordComponent[] components = type.getRecordComponents();
        Class<?>[] types =
                Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
        Object[] values = Arrays.stream(components)
                .map(component -> of(component.getGenericType(), random))
                .toArray();
        try {
            Constructor<?> constructor = type.getDeclaredConstructor(types);
            return constructor.newInstance(values);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(type + " cannot be made", e);
        }
    }
}
