import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { propagation } from "@opentelemetry/api";
import { expect, it, onTestFinished, vi } from "vitest";
import { definition } from "../../service.ts";
import { readConfig } from "../../test/atpoint.ts";
import { portOf } from "../../test/ports.ts";
import { start } from "../../test/running-service.ts";
import type { RequestContext } from "../handler.ts";

interface Span {
  readonly attributes: readonly { readonly key: string; readonly value: object }[];
}

/** A collector of traces, and the variables that lead there. */
async function collector(settings: Record<string, string> = {}) {
  const received: { readonly to: string; readonly body: string }[] = [];
  const server = createServer(async (request, response) => {
    received.push({
      to: `${request.url} ${request.headers["content-type"]}`,
      body: await text(request),
    });
    response.end();
  });
  const OTEL_EXPORTER_OTLP_ENDPOINT = `http://127.0.0.1:${await portOf(server)}`;
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_SERVICE_NAME: "replica-1", ...settings };
  onTestFinished(() => void vi.unstubAllEnvs());
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  return { env, received };
}

const trace = "0af7651916cd43dd8448eb211c80319c";
const parent = "b7ad6b7169203331";

it("sends a span of each request in the caller's trace, without key and query", async () => {
  const { env, received } = await collector({ OTEL_EXPORTER_OTLP_PROTOCOL: "http/json" });
  const { service, key } = await start(env);
  const tracestate = `vendor=${key},mail=ada@example.com`;
  const headers = { traceparent: `00-${trace}-${parent}-01`, tracestate, "X-Request-Id": "r-1" };
  await fetch(`${service.url}/api/?@=user.list&limit=17&X-API-KEY=${key}&X-PLATFORM=web`, {
    headers,
  });
  await fetch(`${service.url}/api/?@=user.list&limit=0&X-API-KEY=${key}&X-PLATFORM=web`);
  await service.close();
  expect([...new Set(received.map(({ to }) => to))]).toEqual(["/v1/traces application/json"]);
  const all = received.map(({ body }) => body).join("\n");
  for (const secret of [key, "X-API-KEY", "limit", "?", "vendor", "ada@example.com"])
    expect(all).not.toContain(secret);
  const [{ resource, scopeSpans }] = JSON.parse(all).resourceSpans;
  expect(resource.attributes).toContainEqual({
    key: "service.name",
    value: { stringValue: "replica-1" },
  });
  const spans: Span[] = scopeSpans[0].spans;
  const valuesOf = (span: Span | undefined) =>
    Object.fromEntries(span?.attributes.map((one) => [one.key, Object.values(one.value)[0]]) ?? []);
  const [childSpan, rootSpan] = spans;
  expect(spans).toHaveLength(2);
  expect(childSpan).toMatchObject({
    name: "GET user.list",
    kind: 2,
    traceId: trace,
    parentSpanId: parent,
  });
  expect(valuesOf(childSpan)).toEqual({
    "http.request.method": "GET",
    "http.response.status_code": 200,
    "atpoint.operation": "user.list",
    "atpoint.request_id": "r-1",
    "atpoint.key_id": expect.stringMatching(/^[0-9a-f-]{36}$/),
  });
  expect(rootSpan).not.toHaveProperty("parentSpanId");
  expect(valuesOf(rootSpan)).toMatchObject({
    "http.response.status_code": 422,
    "atpoint.code": "invalid-input",
  });
});

it("gives a handler the context of the span, for its own spans and requests", async () => {
  const { env, received } = await collector({ OTEL_EXPORTER_OTLP_PROTOCOL: "http/json" });
  const sent: Record<string, string> = {};
  const { service, key } = await start(env, undefined, {
    handlers: {
      ...definition.handlers,
      "user.list": (_: unknown, context: RequestContext) => {
        if (context.trace === null) throw new Error("no trace");
        propagation.inject(context.trace, sent);
        return { items: [] };
      },
    },
  });
  const headers = { traceparent: `00-${trace}-${parent}-01` };
  const path = `/api/?@=user.list&X-API-KEY=${key}&X-PLATFORM=web`;
  await fetch(`${service.url}${path}`, { headers });
  await service.close();
  const [{ scopeSpans }] = JSON.parse(received.map(({ body }) => body).join("\n")).resourceSpans;
  const [span, ...others] = scopeSpans[0].spans;
  expect(others).toEqual([]);
  expect(span).toMatchObject({ name: "GET user.list", traceId: trace, parentSpanId: parent });
  expect(span.attributes).toContainEqual({
    key: "http.response.status_code",
    value: { intValue: 200 },
  });
  expect(sent).toMatchObject({ traceparent: `00-${trace}-${span.spanId}-01` });
});

it("sends as the standard's default says, and nothing that was not sampled", async () => {
  const { env, received } = await collector({ OTEL_TRACES_SAMPLER: "parentbased_always_off" });
  const { service } = await start(env);
  for (const sampled of ["00", "01"])
    await fetch(`${service.url}/api/?@=sysinfo`, {
      headers: {
        traceparent: `00-${trace}-${parent}-${sampled}`,
        "X-Request-Id": `sampled-${sampled}`,
      },
    });
  await service.close();
  const sampled = expect.stringMatching(/^(?!.*sampled-00).*sampled-01/s);
  expect(received).toEqual([{ to: "/v1/traces application/x-protobuf", body: sampled }]);
});

it("says once that the collector is away, and ends in time without it", async () => {
  vi.stubEnv("OTEL_BSP_SCHEDULE_DELAY", "10");
  const { env } = await collector({ OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:1" });
  const { service, logged } = await start({ ...env, LOG_FLUSH_TIMEOUT_MS: "100" });
  await fetch(`${service.url}/api/?@=sysinfo`);
  await service.close();
  const reports = (await logged()).filter(({ msg }) => String(msg).startsWith("traces"));
  expect(reports.length).toBeGreaterThan(0);
  expect(reports.length).toBeLessThanOrEqual(2);
});

const ENDPOINT = "OTEL_EXPORTER_OTLP_ENDPOINT";
it.each([
  [{}, null],
  [{ [ENDPOINT]: "http://c:4318" }, "http/protobuf"],
  [{ OTEL_TRACES_EXPORTER: "otlp", OTEL_EXPORTER_OTLP_PROTOCOL: "http/json" }, "http/json"],
  [{ OTEL_TRACES_EXPORTER: "none", [ENDPOINT]: "http://c:4318" }, null],
  [{ OTEL_SDK_DISABLED: "true", OTEL_TRACES_EXPORTER: "otlp" }, null],
  [{ OTEL_TRACES_EXPORTER: "zipkin" }, "OTEL_TRACES_EXPORTER must be otlp or none"],
  [{ [ENDPOINT]: "collector:4318" }, `${ENDPOINT} must be an http(s) URL`],
  [
    { OTEL_TRACES_EXPORTER: "otlp", OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" },
    "must be http/protobuf or http/json",
  ],
])("reads %j as %s", (env, expected) => {
  if (expected?.includes("must")) expect(() => readConfig(env)).toThrow(expected);
  else expect(readConfig(env).tracing).toBe(expected);
});
