// The responses of a run against the service: nothing is found about any of them; each one that is changed is found, or a server may
// respond so; and each law finds some.
import { afterAll, beforeAll, expect, it } from "vitest";
import { packaged } from "../../packaged.ts";
import { ALLOWED, UNSEEN, withoutReason } from "../equivalent.ts";
import type { RunningService } from "../kits/service.test-kit.ts";
import { header } from "../proxy/look.ts";
import type { ProxyAnswer } from "../proxy/message.ts";
import { withBody, withHeader, withJson, withoutHeader, withStatus } from "../proxy/shape.ts";
import { seededService } from "../service.ts";
import { findersOf, responseMutantsOf } from "./mutants.ts";
import { changed, type Recording, record, type Sight } from "./recording.ts";

let service: RunningService;
let recording: Recording;
beforeAll(async () => {
  service = await seededService();
  recording = await record(service);
});
afterAll(() => service.stop());

const edited = (answer: ProxyAnswer, edit: (text: string) => string): ProxyAnswer => {
  const isCoded = answer.fields.some(([name]) => name.toLowerCase() === "content-encoding");
  return isCoded ? answer : withBody(answer, edit(answer.body.toString()));
};
const isHtml = ({ fields }: ProxyAnswer) =>
  fields.some(([, value]) => value.startsWith("text/html"));
const withoutWord =
  (word: string) =>
  ({ response: answer }: Sight) =>
    edited(answer, (text) => text.replaceAll(word, "…"));
const withMember =
  (name: string, change: (value: unknown) => unknown) =>
  ({ response: answer }: Sight) =>
    withJson(answer, (json) => (name in json ? { ...json, [name]: change(json[name]) } : json));
const answers = ({ response: answer }: Sight) =>
  withStatus(answer, answer.status === 200 ? 202 : 200);

/** Laws that compare several responses, or are about few requests: all responses of a run, each changed in this way. */
const OF_A_RUN: Readonly<Record<string, (sight: Sight) => ProxyAnswer>> = {
  ...Object.fromEntries(
    [
      "dispatch/no-version-in-path",
      "dispatch/case-sensitive",
      "dispatch/no-method-override",
      "dispatch/body-on-get",
      "dispatch/order-accept-before-input",
      "dispatch/order-credentials-first",
      "credentials/order",
      "user.create/body-only",
      "user.create/created",
      "errors/parameter",
    ].map((id) => [id, answers]),
  ),
  "http/media-type": ({ response: answer }) => withoutHeader(answer, "Accept"),
  "http/content-encoding": ({ response: answer }) => withoutHeader(answer, "Accept-Encoding"),
  "credentials/alike": ({ response: answer, request }) =>
    withJson(answer, (json) => ({ ...json, detail: `${json.detail} ${request.target.length}` })),
  "cors/preflight": ({ response: answer }) => withoutHeader(answer, "Access-Control-Max-Age"),
  "docs.get/reference": withoutWord("docs.list"),
  "docs.get/problems": withoutWord("parameter-repeated"),
  "docs.get/contract": withoutWord("http/parallel"),
  "docs.get/html-safe": ({ response: answer }) =>
    isHtml(answer) ? edited(answer, (text) => `${text}<script>alert(1)</script>`) : answer,
  "contract/no-placeholders": ({ response: answer }) =>
    edited(answer, (text) => text.replace("127.0.0.1", "one.invalid")),
  "sysinfo/nothing-more": withMember("runtime", (runtime) => `${runtime} on linux`),
  "sysinfo/forwarded-for": ({ response: answer, request }) => {
    const [, claimed] =
      request.fields.find(([name]) => name.toLowerCase() === "x-forwarded-for") ?? [];
    return claimed === undefined
      ? answer
      : withMember("clientAddress", () => claimed)({ response: answer } as Sight);
  },
  "landing/safe": ({ response: answer }) =>
    isHtml(answer) ? edited(answer, (text) => `${text}<script>1</script>`) : answer,
  "http/request-id-stored": ({ response: answer, request }) =>
    withHeader(answer, "X-Request-Id", header(request, "X-Request-Id") ?? "own"),
  "user.create/created-at": withMember("createdAt", () => "2001-01-01T00:00:00.000Z"),
  "user.create/id": withMember("id", (id) => String(id).replace("-7", "-4")),
};

/** What laws see in a whole run: at the response to another request. `npm run mutants -- perturbations` shows that they do. */
const BY_RUNS =
  /^(?:docs\.list 200 .* changes \/items\/\*\/size|docs\.get 200 .* changes \/content|docs\.get 200 text\/html puts a byte order mark before|\/openapi\.json 200 .* repeats the last of \/servers)$/;

/** Laws about what the service of this test does not have, and what shows that they find something. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  "docs.get/compresses":
    "no case takes both codings of the document of the example: rows are missing",
  "limits/headers": "it has no limits: sockets.test.ts has deployments that do",
};

it("finds nothing about right responses", () => {
  const wrong = [...recording.kinds].flatMap(([kind, sights]) =>
    sights.flatMap((sight) =>
      [...recording.findings(sight, sight.response, kind)].map((found) => [kind, found]),
    ),
  );
  expect(wrong).toEqual([]);
});

it("finds what is changed, by each law", () => {
  const all = responseMutantsOf(recording);
  expect(all.length).toBeGreaterThan(10_000);
  const finders = new Set<string>();
  const left = all.filter((one) => {
    const found = [...findersOf(recording, one)];
    for (const by of found) finders.add(by);
    return found.length === 0;
  });
  // A default run draws few cases by HEAD, with which the fields of the response to GET are compared.
  const isAlone = ({ operator, trials }: (typeof all)[number]) =>
    operator.breaks.some((aspect) => aspect.startsWith("header:")) &&
    !trials.some(([one]) => recording.hasTwin(one));
  const names = left.filter((one) => !isAlone(one)).map(({ id }) => id);
  expect(withoutReason(names, [...ALLOWED, ...UNSEEN]).filter((id) => !BY_RUNS.test(id))).toEqual(
    [],
  );
  const idle = [...new Set(packaged.laws.map(({ id }) => id))].filter((id) => !finders.has(id));
  expect(idle.filter((id) => !(id in OF_A_RUN || id in ELSEWHERE))).toEqual([]);
});

it.each(Object.keys(OF_A_RUN))("finds a run with such responses, by %s", (id) => {
  const laws = packaged.laws.filter((law) => law.id === id);
  const change = OF_A_RUN[id] ?? expect.unreachable(id);
  const memory = new Map<string, string>();
  const isFound = (sight: Sight) => {
    const exchange = changed(sight, change(sight));
    return laws.some((law) => law.applies(exchange) && law.check(exchange, memory) !== null);
  };
  expect(recording.sights.some(isFound)).toBe(true);
});
