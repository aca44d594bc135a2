import type { Exchange } from "../exchange.ts";
import { ParsedExchange } from "../laws/parsed-exchange.ts";
import { createsRecord, mayChange, type Operation, successOf } from "../oracle/contract.ts";
import { answersRecord, recordNamedBy } from "../oracle/effects.ts";
import { listOf } from "../oracle/lists.ts";
import { idempotencyId, type Request, tagPlace } from "../oracle/model-state.ts";
import { uniqueOf } from "../oracle/operation-extension.ts";
import { dataOf, idempotencyKeyOf } from "../oracle/rules.ts";
import { isObject } from "../oracle/schema.ts";
import { change, reject } from "./changes.ts";
import { creatorOf, listsOf } from "./creators.ts";
import { idOf } from "./item.ts";
import { type KnownState, listFor, recordsOf } from "./known-state.ts";

type Sets = Map<string, Set<string>>;
const add = (sets: Sets, name: string, value: string) =>
  sets.set(name, (sets.get(name) ?? new Set()).add(value));

/**
 * Learns from an exchange what the deployment holds afterwards. Returns the same state. `since`:
 * when the request was sent, in events of the model.
 */
export function learn(model: KnownState, exchange: Exchange, since = model.clock.now): KnownState {
  const { request, response, prediction } = exchange;
  const { contract } = model.oracle;
  const { operation = null } = prediction ?? {};
  const isOpen = !response || response.status >= 500;
  if (operation && isOpen && createsRecord(operation))
    for (const [, value] of uniqueOf(
      model.oracle.operationExtensions,
      operation.id,
      model.oracle.read(request, model).data,
    ))
      model.doubtful.add(value.toLowerCase());
  if (operation && mayChange(operation)) {
    if (isOpen) change(model, operation, request, since, { isOpen });
    else if (response.status >= 300) reject(model, operation, request);
  }
  if (operation && response) absent(model, operation, exchange, since);
  if (!response || !prediction || response.status >= 300) return model;
  const parsed = new ParsedExchange(contract, exchange, response);
  const [tag] = parsed.values("etag");
  if (tag !== undefined && parsed.status === 200)
    add(model.tags, representationOf(parsed), tag.replace(/^W\//, ""));
  if (!operation) {
    for (const path of loadedBy(model, parsed)) model.files.add(path);
    return model;
  }
  const body = parsed.object;
  carryOut(model, operation, parsed, since);
  if (!body) return model;
  // One that fits into no request is not kept: a target may send a megabyte of it each time.
  const { targetBytes } = contract.limits;
  if (
    typeof body.nextCursor === "string" &&
    body.nextCursor.length < targetBytes &&
    model.lists.has(operation.id)
  )
    add(model.cursors, listOf(parsed.reading), body.nextCursor);
  const page = pageOf(model, request, operation, body);
  if (page) listFor(model, parsed.reading)?.learn(page, since);
  if (page) twiceIn(model, operation, page.items);
  if (answersRecord(operation)) {
    const records = recordsOf(model, operation);
    records?.show(records.idOf(body), body, since);
  }
  for (const { names } of model.oracle.operationExtensions.filter(
    (own) => own.operation === operation.id,
  ))
    for (const [id, some] of Object.entries(names?.(body) ?? {}))
      model.names.set(id, new Set(some));
  return model;
}

/** The representation that a tag identifies. */
function representationOf(parsed: ParsedExchange): string {
  const { mediaType = parsed.mediaType } = parsed.exchange.prediction ?? {};
  return tagPlace(
    parsed.place,
    parsed.operation ? mediaType : "",
    parsed.header("content-encoding") ?? "",
  );
}

const ADDRESS = /\b(?:src|href)=["']?([^"'\s>]+)/g;

/**
 * The paths of this deployment that a served page loads, or links to; none of a page in a content
 * coding.
 */
function loadedBy(
  { files, url }: KnownState,
  { place, mediaType, coding, text }: ParsedExchange,
): readonly string[] {
  if (!files.has(place) || mediaType !== "text/html" || coding !== "identity") return [];
  const root = new URL(url);
  const prefix = root.pathname.replace(/\/$/, "");
  return [...text.matchAll(ADDRESS)].flatMap(([, address = ""]) => {
    if (!URL.canParse(address, url + place)) return [];
    const { origin, pathname } = new URL(address, url + place);
    return origin === root.origin && pathname.startsWith(`${prefix}/`)
      ? [pathname.slice(prefix.length)]
      : [];
  });
}

/** The page that a body holds, as requested; null for anything else. */
export function pageOf(model: KnownState, request: Request, operation: Operation, body: unknown) {
  const reading = model.oracle.read(request, model);
  const list = listFor(model, reading);
  if (!list || !isObject(body) || !Array.isArray(body.items)) return null;
  const parameters = new Map(reading.inputParameters);
  const after = list.placeOf(parameters.get("cursor"));
  // For a cursor from before this run, its position is unknown.
  if (after === undefined) return null;
  const limit = Number(parameters.get("limit") ?? operation.schema.properties?.limit?.default);
  const nextCursor = typeof body.nextCursor === "string" ? body.nextCursor : undefined;
  return { after, limit, isLimited: parameters.has("limit"), items: body.items, nextCursor };
}

/**
 * An item with a value that must be unique, which another has; null if there is none. Learns which
 * items have which.
 */
export function twiceIn(model: KnownState, list: Operation, items: readonly unknown[]) {
  const creator = creatorOf(model.oracle.contract, list)?.id ?? "";
  for (const item of items)
    for (const [code, value] of uniqueOf(model.oracle.operationExtensions, creator, item)) {
      const id = model.lists.get(list.id)?.records.idOf(item) ?? idOf(item);
      const known = model.owners.get(`${code} ${value}`) ?? id;
      const owner = mayHaveChanged(model, list, known, code, value) ? id : known;
      model.owners.set(`${code} ${value}`, owner);
      if (owner !== id)
        return {
          rule: "one-of-many",
          aspect: "body:/items",
          expected: `${JSON.stringify(value)} once, as ${owner}`,
          actual: id,
        };
    }
  return null;
}

/** A command succeeded: by now it was carried out, or it is the replay of one that was. */
export function carryOut(
  model: KnownState,
  operation: Operation,
  parsed: ParsedExchange,
  since: number,
): void {
  const { request, object: body, status } = parsed;
  if (operation.method !== "POST") return;
  const isReplay = parsed.header("idempotent-replayed") !== undefined;
  if (mayChange(operation) && !isReplay)
    change(model, operation, request, since, body ? { shown: body } : {});
  if (!isReplay) keep(model, request, operation, body);
  if (body && createsRecord(operation) && status === successOf(operation))
    create(model, request, operation, body);
}

/** What the first success with an idempotency key was. */
function keep(model: KnownState, request: Request, operation: Operation, body: unknown): void {
  const reading = model.oracle.read(request, model);
  const key = idempotencyKeyOf(reading);
  const id = idempotencyId(operation.id, reading.apiKey, key);
  if (key !== "" && !model.created.has(id))
    model.created.set(id, { data: dataOf(reading.json?.data), body });
}

/** The operation has not found the record that a request names. */
function absent(
  model: KnownState,
  { effect }: Operation,
  { request, response }: Exchange,
  since: number,
): void {
  const id = recordNamedBy(model.oracle.read(request, model));
  if (!effect || id === null || Object(response?.json).code !== effect.absent) return;
  model.records.get(effect.resource)?.show(id, null, since);
}

function create(
  model: KnownState,
  request: Request,
  operation: Operation,
  body: Readonly<Record<string, unknown>>,
): void {
  const { contract } = model.oracle;
  const reading = model.oracle.read(request, model);
  for (const [code, value] of uniqueOf(
    model.oracle.operationExtensions,
    operation.id,
    reading.data,
  ))
    add(model.taken, code, value);
  recordsOf(model, operation)?.add(body, true);
  for (const list of listsOf(contract, operation)) {
    const known = model.lists.get(list.id);
    if (known?.hasIds) known.records.add(body, true);
    twiceIn(model, list, [body]);
  }
}

/** Whether the record that had a value may be gone, or have another. */
function mayHaveChanged(
  model: KnownState,
  list: Operation,
  id: string,
  code: string,
  value: string,
): boolean {
  const states = model.lists.get(list.id)?.records.statesOf(id);
  if (states === undefined) return false;
  const creator = creatorOf(model.oracle.contract, list).id;
  const has = (state: unknown) =>
    uniqueOf(model.oracle.operationExtensions, creator, state).some(
      ([one, of]) => one === code && of === value,
    );
  return !states?.every((state) => state !== null && has(state));
}
