import type { Exchange, Finding } from "../exchange.ts";
import { noGateway } from "../http/gateway.ts";
import { parseTarget } from "../http/target.ts";
import { exchangeOf } from "../laws/exchange.test-kit.ts";
import type { Request } from "../oracle/model-state.ts";
import { packaged as suite } from "../packaged.ts";
import { KEY } from "../proof/kits/deployment.test-kit.ts";
import { Results } from "../run/results.ts";
import type { Report } from "../run/run.ts";
import { verdictOf } from "../run/verdict.ts";
import type { ReportData } from "./json.ts";
import { type About, createReport } from "./report.ts";

/** Reports of runs that have not been: what a target could send, and what a run could find. */

export const { contract } = suite.oracle;
export const RUN_ID = "0123456789abcdef";
/** Text with a meaning in XML, HTML, Markdown, workflow commands and terminals. */
export const NASTY =
  "a<b>&\"c\" 'd' ]]> `x` ```\n|*_@me ::error::\u0000\u001b[31m\u009b1m\u202e\ud800\ufffe\u2028";

export interface Sent extends Partial<Pick<Request, "method" | "target" | "fields" | "body">> {
  /** 0: there is no response. */
  readonly status?: number;
  readonly headers?: Request["fields"];
  readonly text?: string | Buffer;
  /** What the contract predicts: its status, and the operation. */
  readonly due?: number;
  readonly operation?: string;
}

export function exchange(sent: Sent = {}): Exchange {
  const { status = 200, headers = [], text = "", due = 200, operation = "", ...request } = sent;
  const whole = { method: "GET", target: "/api/", fields: [], body: "", ...request };
  const response = status === 0 ? null : { status, reason: "OK", fields: headers, body: text };
  return exchangeOf(whole, response, {
    error: status === 0 ? "connection reset" : null,
    endedAt: 12,
    prediction: {
      by: "sysinfo/json",
      step: "handled",
      status: due,
      code: null,
      operation: contract.operations[operation] ?? null,
    },
  });
}

export const finding = (requirement: string, overrides: Partial<Finding> = {}): Finding => ({
  source: "prediction",
  requirement,
  aspect: "status",
  expected: "422",
  actual: "200",
  exchanges: [exchange()],
  at: 0,
  case: null,
  script: "a script",
  ...overrides,
});

/** A case with this id. */
export function caseOf(id: string): NonNullable<Finding["case"]> {
  const [operation] = Object.values(contract.operations);
  if (!operation) throw new Error("the contract has operations");
  return { id, operation };
}

export const options = {
  target: parseTarget("http://127.0.0.1:1/base"),
  gateway: noGateway,
  seed: 42,
  allowWrite: true,
  allowHostile: true,
  credentials: { full: { key: KEY, platform: "web" }, special: {} },
};

/** The report of a run with these findings. */
export function reportOf(
  findings: readonly Finding[],
  run: Partial<Report> = {},
  about: Partial<About> = {},
  prepare: (results: Results) => void = () => {},
): ReportData {
  const results = new Results(suite);
  Object.assign(results, { planned: 80, compared: 79 });
  for (const sampleFinding of findings) results.find(sampleFinding);
  prepare(results);
  const outcomes = results.outcomes();
  return createReport(
    {
      runId: RUN_ID,
      version: "3.0.3",
      fault: null,
      requests: { supertest: 70, socket: 10, conversation: 0 },
      outcomes,
      stale: [],
      unneeded: [],
      results,
      created: [],
      ...verdictOf({ outcomes, faults: results.faults, stale: 0, preflight: null }, options),
      ...run,
    },
    {
      suite,
      options,
      program: { name: "atpoint-conformance", version: "9.8.7" },
      contractFile: "contract.json",
      startedAt: new Date(0),
      durationMs: 1234,
      remarks: [],
      command: "atpoint-conformance --url x",
      alone: (words) => `atpoint-conformance ${words.join(" ")}`,
      removal: "It removes them.",
      ...about,
    },
  );
}

function passed(results: Results): void {
  results.plan("user.list/invalid-cursor");
  results.sent("user.list/invalid-cursor");
}

/** One of everything. */
export const sample = reportOf(
  [
    finding("user.list/limit-range", {
      expected: "status 422",
      actual: NASTY,
      exchanges: [
        exchange({ operation: "user.list", due: 422, headers: [["X-Odd", NASTY]], text: NASTY }),
      ],
    }),
    finding("credentials/invalid", {
      aspect: "header:date",
      expected: "a Date",
      at: 1,
      exchanges: [
        exchange({ status: 0 }),
        exchange({ headers: [["Content-Type", NASTY]], text: Buffer.from([255, 0]) }),
      ],
    }),
    finding("no/such", { aspect: "connection", exchanges: [exchange({ status: 0 })] }),
  ],
  { created: [`conformance+${RUN_ID}-1@example.com`] },
  { remarks: [`a clock ${NASTY}`] },
  (results) => {
    passed(results);
    results.plan("user.create/created");
    results.withheld("user.create/key-form", "needs --allow-hostile: it sends something oversized");
    results.faults.push(`a fault ${NASTY}`);
    results.stopped = "the deadline of 60 s has passed";
  },
);

/** A run that found nothing, and one that never reached a case. */
export const clean = reportOf([], {}, {}, passed);
export const unreachable = reportOf([], {
  verdict: "unreachable",
  exitCode: 3,
  version: null,
  fault: "expected that the target is reachable: expected a response; got ECONNREFUSED",
});
