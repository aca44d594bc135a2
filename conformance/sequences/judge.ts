import { Expectation } from "../client/expectation.ts";
import { excerpts, memberIn, type Reply } from "../client/reply.ts";
import { compare } from "../lists/compare.ts";
import { linkIn, linksOf } from "../models/links.ts";
import { creatorOf, type Model, uniqueOf } from "../models/model.ts";
import { type Difference, type Page, textOf } from "../models/paged-list.ts";
import { type Contract, type Operation, requirementOf } from "../oracle/contract.ts";
import type { Prediction } from "../oracle/predict.ts";
import { isObject } from "../oracle/schema.ts";
import { fieldsOf, type Request, tagPlace } from "../oracle/world.ts";

/** Compares one exchange with one prediction. */
export interface Finding {
  /** The requirement that it breaks. */
  readonly by: string;
  readonly expectation: Expectation;
}

/** A request that was sent, and the state known at that time. */
export interface Sent {
  readonly request: Request;
  readonly prediction: Prediction;
  /** By list, the moment in its events. */
  readonly moments: ReadonlyMap<string, number>;
  /** The rule that it tests, if the prediction does not name it. */
  readonly of: string | undefined;
}

/** The current moment of each list. */
export const momentsOf = ({ lists }: Model): ReadonlyMap<string, number> =>
  new Map([...lists].map(([id, { now }]) => [id, now]));

const difference = (rule: string, aspect: Difference["aspect"], expected: string, actual: string): Difference => {
  const [one, other] = excerpts(expected, actual);
  return { rule, aspect, expected: one, actual: other };
};

/** The fault of a response; null if it is right. */
export function judge(model: Model, sent: Sent, reply: Reply): Finding | null {
  const { request, prediction } = sent;
  const { contract } = model.oracle;
  const { operation, by } = prediction;
  const shown = (expectation: Expectation) =>
    expectation.in(`${request.method} ${request.target.slice(0, 80)}`).shownBy(reply.exchange);
  try {
    compare(reply, prediction, contract);
    if (isIdOfAnother(model, request, reply))
      throw new Expectation("header:x-request-id", "a new X-Request-Id", "that of another response", "http/request-id");
    const found = differenceIn(model, sent, reply);
    if (!found) return null;
    const owner = found.rule in OF_COMMAND ? creatorOf(contract, operation) : operation;
    const { rule, aspect, expected, actual } = found;
    return {
      by: requirementOf(contract, owner, rule, by),
      expectation: shown(new Expectation(aspect, expected, actual)),
    };
  } catch (error) {
    if (!(error instanceof Expectation)) throw error;
    if (prediction.code === null && memberIn(reply.body, "code") === "invalid-cursor") {
      const found = new Expectation("body:/nextCursor", "a nextCursor that is taken for a cursor", error.actual);
      return { by: requirementOf(contract, operation, "next", by), expectation: shown(found) };
    }
    const named = sent.of === undefined ? by : triedFor(contract, operation, sent.of, by);
    return { by: error.saidBy && error.saidBy !== "its operation" ? error.saidBy : named, expectation: shown(error) };
  }
}

/** The requirement that a request is sent for: a rule of its operation, or one of all operations. */
export const triedFor = (contract: Contract, operation: Operation | null, of: string, general: string): string =>
  of.includes("/") ? of : requirementOf(contract, operation, of, general);

/** Rules that belong to the command whose records a list shows. */
const OF_COMMAND: Readonly<Record<string, true>> = { listed: true, "refused-not-stored": true, "one-of-many": true };

function differenceIn(model: Model, { request, prediction, moments }: Sent, reply: Reply): Difference | null {
  const { operation, code, status } = prediction;
  if (!operation || code !== null || reply.status !== status) return null;
  const coded = codingIn(model, request, prediction, reply);
  if (coded) return coded;
  if (prediction.replayed) return null;
  if (request.method === "HEAD") return headOf(model, operation, { request, moments }, reply);
  if (operation.method === "POST" && status === 201) return createdIn(model, operation, request, reply.json());
  const list = model.lists.get(operation.id);
  const page = list && status === 200 ? model.pageOf(request, operation, reply.json()) : null;
  if (!page) return null;
  const found = list?.differenceOf(page, moments.get(operation.id) ?? 0) ?? recordsIn(model, operation, page);
  return (
    found ??
    linkIn(page, operation.schema.properties?.limit?.default, reply.exchange.request.url, {
      headers: reply.exchange.answer?.headers ?? [],
    })
  );
}

/** The coding is one that the caller accepts; without one, the representation has the same tag as before. */
function codingIn(model: Model, request: Request, { operation, status }: Prediction, reply: Reply): Difference | null {
  const received = reply.exchange.answer?.headers ?? [];
  const coding = fieldsOf(received, "Content-Encoding").join().toLowerCase() || "identity";
  const accepted = fieldsOf(request.fields, "Accept-Encoding").join().toLowerCase();
  if (coding !== "identity" && !accepted.includes(coding) && !accepted.includes("*"))
    return difference("compressed", "header:content-encoding", `a coding of ${accepted || "none"}`, coding);
  const compresses = `${operation?.id}/compresses`;
  const both = accepted === "gzip, br" && model.oracle.contract.requirements.some(({ id }) => id === compresses);
  if (both && coding === "identity" && status === 200)
    return { rule: "compresses", aspect: "header:content-encoding", expected: "gzip or br", actual: "none" };
  const tag = reply.header("etag");
  if (tag === undefined || coding !== "identity" || status !== 200) return null;
  const name = model.oracle.read(request, model).name;
  const [first = tag] = model.tags.get(tagPlace(String(name ?? operation?.id), reply.mediaType, coding)) ?? [];
  return first === tag ? null : difference("etag", "header:etag", `the ETag ${first}, as before`, tag);
}

/** Whether the id is that of an earlier response, and not sent by the caller; a response with a tag may come from a cache. */
function isIdOfAnother(model: Model, request: Request, reply: Reply): boolean {
  const id = reply.header("x-request-id") ?? "";
  if (id === "" || fieldsOf(request.fields, "X-Request-Id").includes(id) || reply.header("etag")) return false;
  const known = model.requestIds.has(id);
  model.requestIds.add(id);
  return known;
}

/** The record has the values that were sent, and an id that no other has. */
function createdIn(model: Model, operation: Operation, request: Request, body: unknown): Difference | null {
  const { data } = model.oracle.read(request, model);
  if (!isObject(body) || !data) return null;
  for (const [name, value] of Object.entries(data))
    if (name in body && textOf(body[name]) !== textOf(value))
      return difference("as-sent", `body:/${name}`, textOf(value), textOf(body[name]));
  for (const { id } of model.listsOf(operation)) {
    const known = model.lists.get(id)?.textOf(body);
    if (known !== undefined && known !== textOf(body))
      return { rule: "id", aspect: "body:/id", expected: "an id that no other record has", actual: `that of ${known}` };
  }
  return null;
}

/** No record that was rejected, and none twice. */
function recordsIn(model: Model, operation: Operation, { items }: Page): Difference | null {
  const creator = creatorOf(model.oracle.contract, operation);
  if (!creator) return null;
  for (const item of items)
    for (const [code, value] of uniqueOf(model.oracle, creator.id, item)) {
      if (model.rejected.get(code)?.has(value) && !model.taken.get(code)?.has(value))
        return {
          rule: "refused-not-stored",
          aspect: "state",
          expected: "no record of a rejected command",
          actual: value,
        };
    }
  return model.twiceIn(operation, items);
}

/** HEAD has the `Link` of its GET: known items decide whether there is another page. */
function headOf(
  model: Model,
  operation: Operation,
  { request, moments }: Pick<Sent, "request" | "moments">,
  reply: Reply,
): Difference | null {
  const page = model.pageOf(request, operation, { items: [] });
  const list = model.lists.get(operation.id);
  if (!page || !list || reply.status !== 200) return null;
  const more = list.following(page.after, moments.get(operation.id)).length > page.limit;
  if (!more || linksOf({ headers: reply.exchange.answer?.headers ?? [] }).length === 1) return null;
  return {
    rule: "link",
    aspect: "header:link",
    expected: 'one Link with rel="next" to HEAD, as to GET',
    actual: "none",
  };
}
