import type { Credentials } from "../client/credentials.ts";
import type { Answer, Exchange } from "../client/wire/exchange.ts";
import { jsonIn } from "../client/wire/json.ts";
import { type Contract, membersOf, type Operation, pageItemOf, successOf, successSchema } from "../oracle/contract.ts";
import type { Oracle, Prediction } from "../oracle/predict.ts";
import { dataOf, idempotencyKeyOf } from "../oracle/rules.ts";
import { isObject } from "../oracle/schema.ts";
import {
  type Created,
  fieldsOf,
  idempotencyId,
  type Key,
  type Request,
  tagPlace,
  type World,
} from "../oracle/world.ts";

/** Paths next to the endpoint (D11), by the requirement that they are served. */
const SERVED = {
  "contract/served": ["/openapi.json", "/openapi.yaml", "/openapi.operations.json", "/openapi.operations.yaml"],
  "reference/page": ["/reference"],
  "http/robots": ["/robots.txt"],
  "catalog/linkset": ["/.well-known/api-catalog"],
};
export const FILES: readonly string[] = Object.values(SERVED).flat();

import { loadedBy } from "./loaded.ts";
import { type Difference, idOf, type Page, PagedList } from "./paged-list.ts";
import { wireOf } from "./wire-of.ts";

/** A request of this run, and its response. */
export interface Answered {
  readonly request: Request;
  readonly answer: Answer;
}

type Sets = Map<string, Set<string>>;
const add = (sets: Sets, name: string, value: string) => sets.set(name, (sets.get(name) ?? new Set()).add(value));

/** The prediction for an exchange. */
interface Predicted {
  readonly request: Request;
  readonly prediction: Prediction;
  /** What a success represents: the name used to call the operation, or the path. */
  readonly place: string;
  readonly contract: Contract;
  /** The names that exist, as far as known by now. */
  readonly names: Sets;
  readonly model?: Model;
}

/** The model of a run's deployment. It learns from each response what the deployment holds afterwards. */
export class Model implements World {
  readonly keys: ReadonlyMap<string, Key>;
  readonly platforms: readonly string[];
  /** The files of the contract; other files of the reference page are added when it is read. */
  readonly files: Set<string>;
  readonly names: Sets = new Map();
  readonly cursors: Sets = new Map();
  readonly tags: Sets = new Map();
  readonly created = new Map<string, Created>();
  readonly taken: Sets = new Map();
  /** By operation, the valid input that all lists send in requests rejected for another reason: its values stay free. */
  readonly examples = new Map<string, Readonly<Record<string, unknown>>>();
  /** By operation, the content of its pages. */
  readonly lists: ReadonlyMap<string, PagedList>;
  /** By the code of the conflict, unique values of commands that were rejected. */
  readonly rejected: Sets = new Map();
  /** Ids of responses to requests without one. */
  readonly requestIds = new Set<string>();
  private readonly owners = new Map<string, string>();
  /** Commands that have created something, in the order of their responses. */
  readonly commands: Answered[] = [];
  /** The first request of each kind, by operation, method and prediction: its response must not change with time. */
  readonly firsts = new Map<string, Answered>();

  /** The prediction when an exchange ended: for the laws, which apply to every response. */
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
    this.lists = new Map(
      Object.values(operations).flatMap((operation) => {
        const item = pageItemOf(oracle.contract, operation);
        return item ? [[operation.id, new PagedList("id" in membersOf(oracle.contract, item))] as const] : [];
      }),
    );
    const { full, special } = credentials;
    const scopesOf = (name: string) => (name === "noScopes" ? [] : scopes.includes(name) ? [name] : scopes);
    this.keys = new Map(
      Object.entries({ full, ...special }).map(([name, { key, platform }]) => [
        key,
        {
          scopes: scopesOf(name),
          // The key for another platform is not valid on any platform that this run knows.
          platforms: name === "otherPlatform" ? [] : [platform],
          valid: name !== "expired" && name !== "revoked",
        },
      ]),
    );
    this.platforms = [full.platform];
  }

  /** Records an exchange of the run, whatever sent it; `answer`: without its content coding. */
  see(exchange: Exchange, answer = exchange.answer): void {
    const request = answer && wireOf(exchange, this.prefix);
    if (!answer || !request) return;
    // D11 lets a deployment serve these; where its contract does not state it, what was seen counts.
    const { method, target } = request;
    if (method === "GET" && answer.status === 200 && FILES.includes(target)) this.files.add(target);
    const prediction = this.oracle.predict(request, this);
    const reading = this.oracle.read(request, this);
    const place = prediction.operation ? String(reading.name) : reading.path;
    const { contract } = this.oracle;
    this.predictions.set(exchange, { request, prediction, place, contract, names: this.names, model: this });
    this.learn(request, answer, prediction, place);
    const { by, code, operation, status } = prediction;
    const kind = JSON.stringify([operation?.id, request.method, by, code, status]);
    if (!this.firsts.has(kind)) this.firsts.set(kind, { request, answer });
  }

  /** The request of an exchange, and its prediction; undefined if it was not one readable request. */
  predicted(exchange: Exchange): Predicted | undefined {
    return this.predictions.get(exchange);
  }

  /** Learns from a response. */
  private learn(request: Request, answer: Answer, prediction: Prediction, place: string): void {
    const { operation } = prediction;
    const tag = fieldsOf(answer.headers, "ETag")[0]?.replace(/^W\//, "");
    // For a 304 the request alone does not identify the representation.
    if (tag !== undefined && answer.status === 200) add(this.tags, representationOf(place, prediction, answer), tag);
    if (request.target === "/reference" && answer.status === 200)
      for (const path of loadedBy(request.target, this.prefix, answer)) this.files.add(path);
    const body = jsonIn(answer.body);
    if (answer.status >= 400 && answer.status < 500) this.note(this.rejected, request);
    if (!operation || answer.status >= 300) return;
    if (operation.method === "POST" && successOf(operation) !== 201) this.change(operation, request, body);
    if (!isObject(body)) return;
    if (typeof body.nextCursor === "string" && this.lists.has(operation.id))
      add(this.cursors, operation.id, body.nextCursor);
    const page = this.pageOf(request, operation, body);
    if (page) {
      this.lists.get(operation.id)?.learn(page);
      this.twiceIn(operation, page.items);
    }
    if (operation.method === "POST" && answer.status === 201) {
      this.commands.push({ request, answer });
      this.create(request, operation.id, body);
      for (const list of this.listsOf(operation)) {
        this.lists.get(list.id)?.add(body, true);
        this.twiceIn(list, [body]);
      }
    }
    for (const { names } of this.oracle.own.filter((own) => own.operation === operation.id))
      for (const [id, some] of Object.entries(names?.(body) ?? {})) this.names.set(id, new Set(some));
  }

  /** The page that a body holds, as requested; null for anything else. */
  pageOf(request: Request, operation: Operation, body: unknown): Page | null {
    const list = this.lists.get(operation.id);
    if (!list || !isObject(body) || !Array.isArray(body.items)) return null;
    const own = new Map(this.oracle.read(request, this).own);
    const after = list.placeOf(own.get("cursor"));
    // For a cursor from before this run, its position is unknown.
    if (after === undefined) return null;
    const limit = Number(own.get("limit") ?? operation.schema.properties?.limit?.default);
    const nextCursor = typeof body.nextCursor === "string" ? body.nextCursor : undefined;
    return { after, limit, isLimited: own.has("limit"), items: body.items, nextCursor };
  }

  /** An item with a value that must be unique, which another has; null if there is none. Learns which items have which. */
  twiceIn(list: Operation, items: readonly unknown[]): Difference | null {
    const creator = creatorOf(this.oracle.contract, list)?.id ?? "";
    for (const item of items)
      for (const [code, value] of uniqueOf(this.oracle, creator, item)) {
        const id = idOf(item);
        const owner = this.owners.get(`${code} ${value}`) ?? id;
        this.owners.set(`${code} ${value}`, owner);
        if (owner !== id)
          return { rule: "one-of-many", aspect: "body:/items", expected: `${value} once, as ${owner}`, actual: id };
      }
    return null;
  }

  /** The lists that show what a command creates: their items have the schema of its response. */
  listsOf(command: Operation): readonly Operation[] {
    const { contract } = this.oracle;
    const created = JSON.stringify(successSchema(command));
    return Object.values(contract.operations).filter((one) => JSON.stringify(pageItemOf(contract, one)) === created);
  }

  /** A command that creates nothing changes the record that its response shows, and those that its input is about. */
  private change(operation: Operation, request: Request, body: unknown): void {
    const shown = this.listsOf(operation).map(({ id }) => id);
    const { data } = this.oracle.read(request, this);
    const aims = Object.keys(operation.exampleFrom).map((member) => String(Object(data)[member]).toLowerCase());
    for (const [id, list] of this.lists)
      if (isObject(body) && shown.includes(id)) list.change(idOf(body), body);
      else for (const aim of aims) list.change(aim, null);
  }

  private create(request: Request, operation: string, body: unknown): void {
    const reading = this.oracle.read(request, this);
    const data = reading.json?.data;
    const key = idempotencyKeyOf(reading);
    if (key !== "") this.created.set(idempotencyId(operation, reading.apiKey, key), { data: dataOf(data), body });
    this.note(this.taken, request);
  }

  /** Records the values of a command that must be unique. */
  private note(sets: Sets, request: Request): void {
    const { json, data } = this.oracle.read(request, this);
    // Whatever the method is: a wrong server may carry out a command in a body.
    const operation = Object.values(this.oracle.contract.operations).find(({ name }) => name === json?.["@"]);
    for (const [code, value] of uniqueOf(this.oracle, operation?.id ?? "", data)) add(sets, code, value);
  }
}

/** The command whose records a list shows: the schema of its response is that of their items. Without one, the list itself. */
export function creatorOf(contract: Contract, list: Operation | null): Operation | null {
  const item = list && JSON.stringify(pageItemOf(contract, list) ?? undefined);
  const commands = Object.values(contract.operations).filter(({ method }) => method === "POST");
  return commands.find((one) => JSON.stringify(successSchema(one)) === item) ?? list;
}

/** The representation that a tag identifies. */
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
