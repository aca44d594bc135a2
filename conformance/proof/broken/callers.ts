import { broken, type Mutant } from "../mutant.ts";
import { values } from "../proxy/head.ts";
import { header, jsonAnswer } from "../proxy/look.ts";
import type { Context, ProxyAnswer, ProxyRequest } from "../proxy/message.ts";
import { withHeader, withJson, withoutHeader } from "../proxy/shape.ts";

/** What a caller reports about itself: the id of its request, and its address; ids that several requests share. */

const ID = "X-Request-Id";
const FORM = /^[A-Za-z0-9._-]{1,64}$/;
const idOf = (request: ProxyRequest) => header(request, ID);

const ids = (
  how: string,
  change: (id: string | null, answer: ProxyAnswer, request: ProxyRequest, state: Context["state"]) => string | null,
): Mutant =>
  broken(`request ids ${how}`, {
    answer: (answer, request, { state }) => {
      const id = change(idOf(request), answer, request, state);
      return id === null ? answer : withHeader(answer, ID, id);
    },
  });
const takes = (how: string, form: RegExp) =>
  ids(`are taken ${how}`, (id) => (id && form.test(id) && !FORM.test(id) ? id : null));
const ignores = (how: string, holds: (id: string) => boolean): Mutant =>
  broken(`request ids are not taken ${how}`, {
    request: (request) => {
      const id = idOf(request) ?? "";
      return FORM.test(id) && holds(id) ? withoutHeader(request, ID) : request;
    },
  });
const ofOthers = (name: string) => ids(`are those of ${name}`, (id, _, request) => (id ? null : header(request, name)));

const shown = (how: string, address: (known: string, request: ProxyRequest) => string | null | undefined): Mutant =>
  broken(`the caller's address ${how}`, {
    answer: (answer, request) =>
      typeof jsonAnswer(answer)?.clientAddress === "string"
        ? withJson(answer, (json) => ({
            ...json,
            clientAddress: address(String(json.clientAddress), request) ?? json.clientAddress,
          }))
        : answer,
  });

export const mutants: readonly Mutant[] = [
  takes("of 65 characters", /^.{65}$/),
  takes("with a blank", /^[\w.-]+ [\w.-]+$/),
  takes("with bytes beyond ASCII", /^[\w\x80-\xff-]+$/),
  ignores("at all", () => true),
  ignores("of more than 63 characters", (id) => id.length > 63),
  ignores("of one character", (id) => id.length < 2),
  ignores("with a dot", (id) => id.includes(".")),
  ids("of two fields are the first", (_, _answer, { headers }) =>
    values(headers, ID).length > 1 ? (values(headers, ID)[0] ?? null) : null,
  ),
  ids("are in lower case", (id, answer) => (id ? (header(answer, ID)?.toLowerCase() ?? null) : null)),
  ids("count to 256", (id, _answer, _request, state) => {
    state.set("ids", (Number(state.get("ids") ?? 0) + 1) % 256);
    return id === null ? String(state.get("ids")) : null;
  }),
  ids("of rejections are one", (id, { status }) => (id === null && status >= 400 ? "rejected" : null)),
  ofOthers("X-Correlation-Id"),
  ofOthers("Idempotency-Key"),
  shown("is mapped to IPv6", (known) => `::ffff:${known}`),
  shown("is one for all", () => "192.0.2.77"),
  shown("is that of X-Forwarded-For", (_, request) => header(request, "X-Forwarded-For")?.split(",")[0]?.trim()),
  shown("is that of Forwarded", (_, request) => /for=([\d.]+)/.exec(header(request, "Forwarded") ?? "")?.[1]),
  shown("is that of X-Real-IP", (_, request) => header(request, "X-Real-IP")),
];
