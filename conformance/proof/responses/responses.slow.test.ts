// The responses of a run against the service: nothing is found about any of them; each one that is
// changed is found, or a server may respond so; and each law finds some.
import { afterAll, beforeAll, expect, it } from "vitest";
import { compare } from "../../laws/compare.ts";
import type { Request } from "../../oracle/model-state.ts";
import { packaged } from "../../packaged.ts";
import { ALLOWED, UNSEEN, withoutReason } from "../equivalent.ts";
import type { RunningService } from "../kits/service.test-kit.ts";
import {
  withBody,
  withHeader,
  withJson,
  withoutHeader,
  withStatus,
} from "../proxy/edit-response.ts";
import type { Reply } from "../proxy/message.ts";
import { header } from "../proxy/sniff.ts";
import { seededService } from "../service.ts";
import { findersOf, responseMutantsOf } from "./mutants.ts";
import { changed, type Recording, record } from "./recording.ts";

let service: RunningService;
let recording: Recording;
beforeAll(async () => {
  service = await seededService();
  recording = await record(service);
});
afterAll(() => service.stop());

const edited = (answer: Reply, edit: (text: string) => string): Reply =>
  header(answer, "Content-Encoding") === null
    ? withBody(answer, edit(answer.body.toString()))
    : answer;
const withMember =
  (name: string, change: (value: unknown, request: Request) => unknown): Change =>
  (answer, request) =>
    withJson(answer, (json) =>
      name in json ? { ...json, [name]: change(json[name], request) } : json,
    );

type Change = (answer: Reply, request: Request) => Reply;
/**
 * For laws that compare several responses, or are about few requests: all responses of a run, each
 * changed in one of these ways.
 */
const OF_A_RUN: readonly Change[] = [
  (answer) => withStatus(answer, answer.status === 200 ? 202 : 200),
  ...["Accept", "Accept-Encoding", "Access-Control-Max-Age"].map(
    (name): Change =>
      (answer) =>
        withoutHeader(answer, name),
  ),
  ...["docs.list", "parameter-repeated", "http/parallel"].map(
    (word): Change =>
      (answer) =>
        edited(answer, (text) => text.replaceAll(word, "…")),
  ),
  (answer) => edited(answer, (text) => `${text}<script>alert(1)</script>`),
  (answer) => edited(answer, (text) => text.replace("127.0.0.1", "one.invalid")),
  (answer, request) => withHeader(answer, "X-Request-Id", header(request, "X-Request-Id") ?? "own"),
  withMember("detail", (detail, { target }) => `${detail} ${target.length}`),
  withMember("runtime", (runtime) => `${runtime} on linux`),
  withMember("clientAddress", (own, request) => header(request, "X-Forwarded-For") ?? own),
  withMember("createdAt", () => "2001-01-01T00:00:00.000Z"),
  withMember("id", (id) => String(id).replace("-7", "-4")),
];

/**
 * Laws about what the service of this test does not have, and what shows that they find something.
 */
const ELSEWHERE: Readonly<Record<string, string>> = {
  "docs.get/compresses":
    "no case takes both codings of the document of the example: rows are missing",
  "limits/headers": "it has no limits: sockets.slow.test.ts has deployments that do",
};

it("finds nothing about right responses", () => {
  const wrong = [...recording.kinds].flatMap(([kind, sights]) =>
    sights.flatMap((sight) =>
      [...recording.findings(sight, sight.response, kind)].map((found) => [kind, found]),
    ),
  );
  expect(wrong).toEqual([]);
});

/** Those of the laws that find no run with responses that are changed in one way. */
function withoutFinding(ids: readonly string[]): readonly string[] {
  const left = new Set(ids);
  for (const change of OF_A_RUN) {
    const memory = new Map<string, string>();
    for (const sight of recording.sights) {
      const exchange = changed(sight, change(sight.response, sight.request));
      for (const law of packaged.laws)
        if (left.has(law.id) && law.applies(exchange)) {
          const { contract } = packaged.oracle;
          const difference = law.isTag ? compare(exchange, contract) : law.check(exchange, memory);
          if (difference) left.delete(law.id);
        }
    }
  }
  return [...left];
}

it("finds what is changed, by each law", () => {
  const all = responseMutantsOf(recording);
  expect(all.length).toBeGreaterThan(4_000);
  const finders = new Set<string>();
  const left = all.filter((mutant) => {
    const foundBy = [...findersOf(recording, mutant)];
    for (const by of foundBy) finders.add(by);
    return foundBy.length === 0;
  });
  // A default run draws few cases by HEAD, with which the fields of the response to GET are
  // compared.
  const isAlone = ({ mutation, trials }: (typeof all)[number]) =>
    mutation.breaks.some((aspect) => aspect.startsWith("header:")) &&
    !trials.some(([one]) => recording.hasTwin(one));
  const names = left.filter((one) => !isAlone(one)).map(({ id }) => id);
  expect(withoutReason(names, [...ALLOWED, ...UNSEEN])).toEqual([]);
  const laws = new Set(packaged.laws.map(({ id }) => id));
  const idle = [...laws].filter((id) => !finders.has(id) && !(id in ELSEWHERE));
  expect(withoutFinding(idle)).toEqual([]);
});
