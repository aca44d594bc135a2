import type { Credentials } from "../client/credentials.ts";
import type { Answer, Exchange } from "../client/wire/exchange.ts";
import { type Contract, type Operation, pageItemOf, successOf, successSchema } from "../oracle/contract.ts";
import type { Oracle, Prediction } from "../oracle/predict.ts";
import { dataOf, idempotencyKeyOf } from "../oracle/rules.ts";
import { isObject } from "../oracle/schema.ts";
import { type Created, fieldsOf, idempotencyId, type Key, tagPlace, type Wire, type World } from "../oracle/wire.ts";

/** Paths next to the endpoint (D11), by the requirement that they are served. */
const SERVED = {
  "contract/served": ["/openapi.json", "/openapi.yaml", "/openapi.operations.json", "/openapi.operations.yaml"],
  "reference/page": ["/reference"],
  "http/robots": ["/robots.txt"],
  "catalog/linkset": ["/.well-known/api-catalog"],
};
export const FILES: readonly string[] = Object.values(SERVED).flat();

import { loadedBy } from "./loaded.ts";
import { idOf, type Page, PagedList } from "./paged-list.ts";
import { wireOf } from "./wire-of.ts";

/** A request of this run, and what was answered. */
export interface Answered {
  readonly request: Wire;
  readonly answer: Answer;
}

type Sets = Map<string, Set<string>>;
const add = (sets: Sets, name: string, value: string) => sets.set(name, (sets.get(name) ?? new Set()).add(value));

/** What was right for an exchange. */
interface Predicted {
  readonly request: Wire;
  readonly prediction: Prediction;
  /** Whose representation a success is: the name that the operation was called by, or the path. */
  readonly place: string;
  readonly contract: Contract;
  /** The names that exist, as far as the run knows by now. */
  readonly names: Sets;
}

/** What a run knows of its deployment: the model's state. It learns from each response what the deployment holds from then on. */
export class Model implements World {
  readonly keys: ReadonlyMap<string, Key>;
  readonly platforms: readonly string[];
  /** What the contract serves; what else the reference page loads is learned from it. */
  readonly files: Set<string>;
  readonly names: Sets = new Map();
  readonly cursors: Sets = new Map();
  readonly tags: Sets = new Map();
  readonly created = new Map<string, Created>();
  readonly taken: Sets = new Map();
  /** By operation, the valid input that all lists send where it is rejected for another reason: its values stay free. */
  readonly examples = new Map<string, Readonly<Record<string, unknown>>>();
  /** By operation, what its pages show. */
  readonly lists: ReadonlyMap<string, PagedList>;
  /** Values that must be unique, of commands that were rejected, by the code of the conflict. */
  readonly rejected: Sets = new Map();
  /** Of responses whose caller sent none. */
  readonly requestIds = new Set<string>();
  private readonly owners = new Map<string, string>();
  /** Commands that have created something, in the order of their responses. */
  readonly commands: Answered[] = [];
  /** The first request of each kind, by operation, method and prediction: what it is answered with must not change with time. */
  readonly firsts = new Map<string, Answered>();

  /** What was right when an exchange ended: for the laws, which hold of every response. */
  private readonly predictions = new WeakMap<Exchange, Predicted>();

  constructor(
    readonly oracle: Oracle,
    credentials: Credentials,
    /** The path prefix of the deployment. */
    private readonly prefix = "",
  ) {
    const { scopes, requirements, operations } = oracle.contract;
    const served = new Map<string, readonly string[]>(Object.entries(SERVED));
    this.files = new Set(requirements.flatMap(({ id }) => served.get(id) ?? []));
    const paged = Object.values(operations).filter((operation) => pageItemOf(oracle.contract, operation));
    this.lists = new Map(paged.map(({ id }) => [id, new PagedList()]));
    const { full, special } = credentials;
    const scopesOf = (name: string) => (name === "noScopes" ? [] : scopes.includes(name) ? [name] : scopes);
    this.keys = new Map(
      Object.entries({ full, ...special }).map(([name, { key, platform }]) => [
        key,
        {
          scopes: scopesOf(name),
          // The key for another platform may be used on none that this run knows.
          platforms: name === "otherPlatform" ? [] : [platform],
          valid: name !== "expired" && name !== "revoked",
        },
      ]),
    );
    this.platforms = [full.platform];
  }

  /** Takes note of an exchange of the run, whatever sent it; `answer`: without its content coding. */
  see(exchange: Exchange, answer = exchange.answer): void {
    const request = answer && wireOf(exchange, this.prefix);
    if (!answer || !request) return;
    const prediction = this.oracle.predict(request, this);
    const reading = this.oracle.read(request, this);
    const place = prediction.operation ? String(reading.name) : reading.path;
    const { contract } = this.oracle;
    this.predictions.set(exchange, { request, prediction, place, contract, names: this.names });
    this.learn(request, answer, prediction, place);
    const { by, code, operation, status } = prediction;
    const kind = JSON.stringify([operation?.id, request.method, by, code, status]);
    if (!this.firsts.has(kind)) this.firsts.set(kind, { request, answer });
  }

  /** The request of an exchange, and what was predicted for it; undefined where it was not one readable request. */
  predicted(exchange: Exchange): Predicted | undefined {
    return this.predictions.get(exchange);
  }

  /** Takes over what a response shows. */
  private learn(request: Wire, answer: Answer, prediction: Prediction, place: string): void {
    const { operation } = prediction;
    const tag = fieldsOf(answer.headers, "ETag")[0]?.replace(/^W\//, "");
    // What a 304 is a copy of, the request alone does not say.
    if (tag !== undefined && answer.status === 200) add(this.tags, representationOf(place, prediction, answer), tag);
    if (request.target === "/reference" && answer.status === 200)
      for (const path of loadedBy(request.target, this.prefix, answer)) this.files.add(path);
    const body = jsonOf(answer);
    if (answer.status >= 400 && answer.status < 500) this.note(this.rejected, request);
    if (!operation || answer.status >= 300) return;
    if (operation.method === "POST" && successOf(operation) !== 201) this.change(operation, request, body);
    if (!isObject(body)) return;
    if (typeof body.nextCursor === "string" && this.lists.has(operation.id))
      add(this.cursors, operation.id, body.nextCursor);
    const page = this.pageOf(request, operation, body);
    if (page) this.lists.get(operation.id)?.learn(page);
    if (operation.method === "POST" && answer.status === 201) {
      this.commands.push({ request, answer });
      this.create(request, operation.id, body);
      for (const { id } of this.listsOf(operation)) this.lists.get(id)?.add(body, true);
    }
    for (const { names } of this.oracle.own.filter((own) => own.operation === operation.id))
      for (const [id, some] of Object.entries(names?.(body) ?? {})) this.names.set(id, new Set(some));
  }

  /** The page that a body holds, as it was asked for; null for anything else. */
  pageOf(request: Wire, operation: Operation, body: unknown): Page | null {
    const list = this.lists.get(operation.id);
    if (!list || !isObject(body) || !Array.isArray(body.items)) return null;
    const own = new Map(this.oracle.read(request, this).own);
    const after = list.placeOf(own.get("cursor"));
    // Of a cursor from before this run, nobody knows where it begins.
    if (after === undefined) return null;
    const limit = Number(own.get("limit") ?? operation.schema.properties?.limit?.default);
    const nextCursor = typeof body.nextCursor === "string" ? body.nextCursor : undefined;
    return { after, limit, isLimited: own.has("limit"), items: body.items, nextCursor };
  }

  /** The item that has a value which must be unique: this one, unless another has been seen with it. */
  ownerOf(code: string, value: string, id: string): string {
    const name = JSON.stringify([code, value]);
    const owner = this.owners.get(name) ?? id;
    this.owners.set(name, owner);
    return owner;
  }

  /** The lists that show what a command creates: their items have the schema of its response. */
  listsOf(command: Operation): readonly Operation[] {
    const { contract } = this.oracle;
    const created = JSON.stringify(successSchema(command));
    return Object.values(contract.operations).filter((one) => JSON.stringify(pageItemOf(contract, one)) === created);
  }

  /** A command that creates nothing changes the record that its response shows, and those that its input is about. */
  private change(operation: Operation, request: Wire, body: unknown): void {
    const shown = this.listsOf(operation).map(({ id }) => id);
    const { data } = this.oracle.read(request, this);
    const aims = Object.keys(operation.exampleFrom).map((member) => String(Object(data)[member]).toLowerCase());
    for (const [id, list] of this.lists)
      if (isObject(body) && shown.includes(id)) list.change(idOf(body), body);
      else for (const aim of aims) list.change(aim, null);
  }

  private create(request: Wire, operation: string, body: unknown): void {
    const reading = this.oracle.read(request, this);
    const data = reading.json?.data;
    const key = idempotencyKeyOf(reading);
    if (key !== "") this.created.set(idempotencyId(operation, reading.apiKey, key), { data: dataOf(data), body });
    this.note(this.taken, request);
  }

  /** The values of a command that must be unique. */
  private note(sets: Sets, request: Wire): void {
    const { json, data } = this.oracle.read(request, this);
    // Whatever the method is: a wrong server may carry out what a body holds.
    const operation = Object.values(this.oracle.contract.operations).find(({ name }) => name === json?.["@"]);
    for (const [code, value] of uniqueOf(this.oracle, operation?.id ?? "", data)) add(sets, code, value);
  }
}

/** What a tag belongs to. */
function representationOf(place: string, { operation, mediaType }: Prediction, { headers }: Answer): string {
  const type = mediaType ?? fieldsOf(headers, "Content-Type")[0]?.split(";")[0] ?? "";
  return tagPlace(place, operation ? type : "", fieldsOf(headers, "Content-Encoding")[0] ?? "");
}

/** By the code of the conflict, the values of a record that must be unique. */
export function uniqueOf({ own }: Oracle, operation: string, record: unknown): readonly (readonly [string, string])[] {
  return own
    .filter((one) => one.operation === operation)
    .flatMap(({ unique = {} }) => Object.entries(unique))
    .flatMap(([code, read]) => {
      const value = read(record);
      return value === null ? [] : [[code, value] as const];
    });
}

function jsonOf(answer: Answer): unknown {
  try {
    return JSON.parse(answer.body.toString());
  } catch {
    return null;
  }
}
