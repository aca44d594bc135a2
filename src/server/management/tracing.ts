import type { IncomingHttpHeaders } from "node:http";
import type { Context } from "@opentelemetry/api";
import type { Contract } from "../contract.ts";
import { ExpectedError } from "../expected-error.ts";
import type { Log } from "../log/log.ts";
import type { Request } from "../request/request.ts";
import type { RequestRecord } from "../response/send.ts";
import type { Config } from "../settings/config.ts";
import { withTimeout } from "../with-timeout.ts";

type Protocol = Exclude<Config["tracing"], null>;

/** Optional, and none of it is loaded unless traces are configured. */
async function loadPackages(protocol: Protocol, title: string) {
  try {
    return {
      api: await import("@opentelemetry/api"),
      core: await import("@opentelemetry/core"),
      resources: await import("@opentelemetry/resources"),
      sdk: await import("@opentelemetry/sdk-trace-base"),
      otlp:
        protocol === "http/json"
          ? await import("@opentelemetry/exporter-trace-otlp-http")
          : await import("@opentelemetry/exporter-trace-otlp-proto"),
    };
  } catch (cause) {
    const how =
      `install the optional packages of ${title} (npm install without --omit=optional), or ` +
      "unset it";
    throw new ExpectedError(`OTEL_… enables traces, and OpenTelemetry cannot be loaded: ${how}.`, {
      cause,
    });
  }
}

/**
 * Sends to the address of the OTEL_* variables, which the packages read themselves: endpoint,
 * headers, sampler, batches, resource.
 */
export async function openTracing(
  protocol: Protocol,
  { version, title }: Pick<Contract, "version" | "title">,
  { name: prefix, LOG_FLUSH_TIMEOUT_MS }: Pick<Config, "name" | "LOG_FLUSH_TIMEOUT_MS">,
  log: Pick<Log, "warn">,
) {
  const { api, core, resources, sdk, otlp } = await loadPackages(protocol, title);
  let isReported = false;
  core.setGlobalErrorHandler((error) => {
    if (!isReported) log.warn("traces are not sent (reported once)", {}, error);
    isReported = true;
  });
  const provider = new sdk.BasicTracerProvider({
    resource: resources
      .resourceFromAttributes({ "service.name": prefix, "service.version": version })
      .merge(resources.detectResources({ detectors: [resources.envDetector] })),
    spanProcessors: [new sdk.BatchSpanProcessor(new otlp.OTLPTraceExporter())],
  });
  const tracer = provider.getTracer(prefix, version);
  const w3c = new core.W3CTraceContextPropagator();
  // For the spans and requests of handlers, unless their process has its own.
  const isGlobal = api.trace.setGlobalTracerProvider(provider);
  const propagates = api.propagation.setGlobalPropagator(w3c);

  // Without the caller's `tracestate`: it may hold anything, and the collector must not receive a
  // key or personal data (D20).
  const parentOf = (headers: IncomingHttpHeaders | undefined) =>
    w3c.extract(api.ROOT_CONTEXT, { traceparent: headers?.traceparent }, api.defaultTextMapGetter);
  const begin = (
    method: string | null,
    operation: string | null,
    startTime: number,
    from: Context,
  ) =>
    tracer.startSpan(
      [method ?? "HTTP", operation].filter(Boolean).join(" "),
      { kind: api.SpanKind.SERVER, startTime },
      from,
    );

  return {
    /**
     * Begins the span of a request whose handler wants to add to it; `note` ends it. Returns its
     * context.
     */
    begin(
      { method, headers, startedAt }: Pick<Request, "method" | "headers" | "startedAt">,
      operation: string,
    ) {
      const parent = parentOf(headers);
      const startTime = Date.now() - (performance.now() - startedAt);
      return api.trace.setSpan(parent, begin(method, operation, startTime, parent));
    },
    /**
     * Creates one span for a response, from what the log holds too, so never from the key, the
     * query or the body (D20).
     */
    note(
      record: RequestRecord,
      headers: IncomingHttpHeaders | undefined,
      begun: Context | null = null,
    ) {
      const { requestId, method, operation, status, durationMs, keyId, code } = record;
      const end = Date.now();
      const attributes = {
        "http.request.method": method ?? "_OTHER",
        "http.response.status_code": status,
        [`${prefix}.operation`]: operation ?? undefined,
        [`${prefix}.code`]: code ?? undefined,
        [`${prefix}.request_id`]: requestId,
        [`${prefix}.key_id`]: keyId ?? undefined,
        "error.type": status >= 500 ? (code ?? undefined) : undefined,
      };
      const span =
        (begun && api.trace.getSpan(begun)) ??
        begin(method, operation, end - durationMs, parentOf(headers));
      span.setAttributes(attributes);
      if (status >= 500) span.setStatus({ code: api.SpanStatusCode.ERROR });
      span.end(end);
    },
    /** Waits for a bounded time until the collector has received what is left. */
    async close() {
      if (isGlobal) api.trace.disable();
      if (propagates) api.propagation.disable();
      const deadlineExceeded = () =>
        new ExpectedError(`the collector did not take the rest in ${LOG_FLUSH_TIMEOUT_MS} ms`);
      await withTimeout(LOG_FLUSH_TIMEOUT_MS, provider.shutdown(), deadlineExceeded).catch(
        (error: unknown) => log.warn("traces are lost", {}, error),
      );
    },
  };
}
