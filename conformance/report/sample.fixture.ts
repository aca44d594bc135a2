import type { Answer, Exchange } from "../client/wire/exchange.ts";
import { type CheckResult, coverage, type Failure, type Outcome, type Report } from "./report.ts";

/** A report with one of everything, and with text that has a meaning in XML, HTML, Markdown and terminals. */

const nasty = "a<b>&\"c\" 'd' ]]> `x` ```\n|*_\u0000\u001b[31m\ud800\u202e\ufffe";

export function result(check: string, outcome: Outcome, rest: Partial<CheckResult> = {}): CheckResult {
  const [id = check] = check.split("#");
  const requirement = { id, level: "MUST", origin: "given", clause: "G4", sentence: "It <must> & shall." } as const;
  const told = { reason: null, reportedBy: null, failure: null, evidence: null };
  return { check, requirement, effect: "read", outcome, ...told, durationMs: 12.5, ...rest };
}

/** A response without a body text. */
export const empty: Answer = { status: 200, reason: "OK", httpVersion: "1.1", headers: [], body: Buffer.alloc(0) };
/** A request without a response. */
export const unanswered: Exchange = {
  request: { method: "GET", url: "http://127.0.0.1:1/", headers: [], body: Buffer.alloc(0), raw: null },
  answer: null,
  error: null,
  durationMs: 1,
};

export const failure: Failure = {
  aspect: "status",
  operation: "user.list",
  expected: "status 422",
  actual: nasty,
  exchanges: [
    {
      ...unanswered,
      request: {
        ...unanswered.request,
        method: "POST",
        url: "http://127.0.0.1:1/api/",
        headers: [["X-API-KEY", "$API_KEY"]],
        body: Buffer.from('{"@":"user.list"}'),
      },
      answer: { ...empty, headers: [["X-Odd", "\u001b[2J"]], body: Buffer.from([0xff, 0xfe, 0]) },
    },
    {
      ...unanswered,
      request: { ...unanswered.request, raw: Buffer.from(`GET / HTTP/1.1\r\nX: ${"y".repeat(5000)}\r\n\r\n`) },
      error: "connection reset",
    },
    unanswered,
  ],
  guilty: 1,
  curl: "curl -X 'GET' 'http://127.0.0.1:1/'",
  rerun: "atpoint-conformance --url http://127.0.0.1:1 --only user.list/limit-max",
};

export const sample: Report = {
  suite: { name: "atpoint-conformance", version: "3.0.3" },
  contract: { version: "3.0.3", hash: "c0ffee" },
  target: { url: "http://127.0.0.1:1", version: "3.0.3" },
  run: {
    id: "abc123",
    seed: 42,
    startedAt: "2025-01-01T00:00:00.000Z",
    durationMs: 1234,
    requests: 80,
    command: "atpoint-conformance --url http://127.0.0.1:1",
  },
  verdict: "not conformant",
  exitCode: 1,
  counts: { passed: 1, failed: 1, known: 1, incomplete: 1, "not selected": 5 },
  levels: { MUST: { passed: 1, failed: 1 }, SHOULD: { passed: 0, failed: 0 }, MAY: { passed: 0, failed: 0 } },
  results: [
    result("sysinfo/answers", "passed"),
    result("user.list/limit-max#too-large", "failed", { failure }),
    result("user.list/known", "known", { reason: "issue 7" }),
    result("user.list/late", "incomplete", { reason: "the deadline passed" }),
    ...["one", "two", "three", "four"].map((id) => result(`user.create/${id}`, "not selected", { reason: "writes" })),
    result("lonely", "not selected"),
  ],
  excluded: [{ requirement: "storage/replicas", reason: "needs two processes" }],
  clauses: coverage([]),
  baseline: [
    { id: "user.list/old", problem: "stale" },
    { id: "user.list/past", problem: "expired" },
    { id: "user.list/typo", problem: "unknown" },
  ],
  created: ["conformance+abc123-1@example.com"],
  remarks: [],
  faults: [],
};

/** A run that passed, with nothing omitted. */
export const clean: Report = {
  ...sample,
  verdict: "conformant",
  exitCode: 0,
  counts: { passed: 1, failed: 0, known: 0, incomplete: 0, "not selected": 0 },
  results: [result("sysinfo/answers", "passed")],
  excluded: [],
  baseline: [],
  created: [],
};

/** A run that never reached its checks. */
export const unreachable: Report = {
  ...clean,
  target: { url: "http://127.0.0.1:1", version: null },
  verdict: "unreachable",
  exitCode: 3,
  counts: { ...clean.counts, passed: 0 },
  results: [],
  faults: ["no connection: ECONNREFUSED"],
};
