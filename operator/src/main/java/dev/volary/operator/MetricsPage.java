// SPDX-License-Identifier: Apache-2.0
package dev.volary.operator;

import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.smallrye.common.annotation.Blocking;
import jakarta.inject.Inject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import java.io.ByteArrayOutputStream;
import java.io.IOException;

/** Serves {@code /metrics} in the text format of Prometheus. */
@Path("/metrics")
public class MetricsPage {
    private final StartedOperator operator;

    @Inject
    MetricsPage(StartedOperator operator) {
        this.operator = operator;
    }

    @GET
    @Blocking
    @Produces(PrometheusTextFormatWriter.CONTENT_TYPE)
    public byte[] metrics() throws IOException {
        ByteArrayOutputStream page = new ByteArrayOutputStream();
        PrometheusTextFormatWriter.create()
                .write(page, operator.metrics().registry().scrape());
        return page.toByteArray();
    }
}
