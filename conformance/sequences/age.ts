import { endOf } from "../checks/state.ts";
import type { Api } from "../client/api.ts";
import { asText } from "../client/operation.ts";
import { askingOf } from "../lists/list.ts";
import type { Request } from "../oracle/world.ts";
import { madeUp, nearMisses } from "./cursors.ts";
import { ask, type Taken, taking } from "./run.ts";
import { spaceOf } from "./space.ts";
import type { Step } from "./step.ts";

/** Values from the beginning of a run are used again at its end. */

/** Old cursors that are used again, of each list. */
const CURSORS = 12;
/** Pages in a walk from near the end: other clients may add any number of items. */
const MOST_PAGES = 40;
/** Parallel rejected requests, before anything is used again. */
const BURST = 16;

type Aged = Pick<Taken, "sent" | "finding">;

export async function* aging(api: Api): AsyncGenerator<Aged> {
  yield* burst(api);
  yield* repeated(api);
  yield* oldCursors(api);
  yield* fullPages(api);
  yield* wrongCursors(api);
}

/** Many failures. */
async function* burst(api: Api): AsyncGenerator<Aged> {
  const { lists, callers } = spaceOf(api, askingOf(api).operations);
  const [list] = lists;
  if (!list) return;
  const faults = ["no credentials", "no key", "a wrong platform", ...(api.mayHarm ? ["a wrong key"] : [])];
  const steps = Array.from(
    { length: BURST },
    (_, at): Step => ({
      ...{ operation: list.id, caller: callers[0] ?? "full", placed: "headers", kept: false, from: "start" },
      fault: faults[at % faults.length] ?? "no key",
    }),
  );
  yield* taking(api, [steps]);
}

/** The first request of each kind, and every command that has created something: repeated, it creates nothing more. */
async function* repeated(api: Api): AsyncGenerator<Aged> {
  const { model } = api;
  const firsts = [...model.firsts.values()].filter(
    ({ request, answer }) => isPlain(request) && answer.status === model.oracle.predict(request, model).status,
  );
  // Only the creating commands known now: a repeated one must not be sent a third time.
  for (const { request } of [...model.commands.filter(({ request }) => isPlain(request)), ...firsts]) {
    const prediction = model.oracle.predict(request, model);
    const creates = prediction.code === null && request.method === "POST" && !prediction.replayed;
    if (!creates) yield await ask(api, request, undefined);
  }
}

/** A request as clients send it: after others, the connection may end with the response. */
const isPlain = ({ method, fields: headers, body, version }: Request) =>
  /^(GET|HEAD|POST|OPTIONS)$/.test(method) &&
  version !== "1.0" &&
  body.length < 65_536 &&
  !headers.some(([name]) => /^(?:expect|transfer-encoding|upgrade|te)$/i.test(name));

async function* oldCursors(api: Api): AsyncGenerator<Aged> {
  const { model } = api;
  const asking = askingOf(api);
  for (const [id] of model.lists) {
    const operation = model.oracle.contract.operations[id];
    if (!operation) continue;
    const cursors = [...(model.cursors.get(id) ?? [])];
    const some = [...cursors.slice(0, CURSORS / 2), ...cursors.slice(-CURSORS / 2)];
    for (const [at, cursor] of [...new Set(some)].entries())
      yield await ask(
        api,
        asking.call(operation, { input: { ...api.required(id), limit: 1 + (at % 5), cursor } }),
        "walk",
      );
  }
}

/** The end of each list in pages of all lengths, and its first page if there are more items than the default limit. */
async function* fullPages(api: Api): AsyncGenerator<Aged> {
  const { model } = api;
  const asking = askingOf(api);
  const space = spaceOf(api, asking.operations);
  for (const { id, byDefault, most } of space.lists) {
    const operation = model.oracle.contract.operations[id];
    if (!operation) continue;
    const page = (input: Record<string, unknown>) => {
      const sent = Object.entries({ ...api.required(id), ...input }).filter(([, value]) => value !== undefined);
      return asking.call(operation, { input: Object.fromEntries(sent.map(([name, value]) => [name, asText(value)])) });
    };
    const command = space.commands.find(({ lists }) => lists.includes(id));
    const missing = command ? Math.min(byDefault + 1 - (model.lists.get(id)?.size ?? 0), api.usersLeft) : 0;
    if (command && missing > 0) {
      const creating = {
        operation: command.id,
        caller: command.callers[0] ?? "full",
        placed: "headers",
        kept: true,
      } as const;
      yield* taking(
        api,
        Array.from({ length: missing }, (_, record) => ({ ...creating, record })),
      );
    }
    for (const limit of [undefined, byDefault, byDefault + 1, most - 1, most]) yield await ask(api, page({ limit }));
    // A page that ends with the last item, one before it, and one behind it.
    const { near } = await endOf(api, operation);
    const left = model.lists.get(id)?.following(model.lists.get(id)?.placeOf(near) ?? null).length ?? 0;
    const around = [left - 1, left, left + 1].filter((limit) => limit >= 1 && limit <= most);
    for (const limit of [7, undefined, most, ...around]) {
      let cursor = near;
      for (let pages = 0; pages < MOST_PAGES; pages += 1) {
        const { reply, ...aged } = await ask(api, page({ limit, cursor }));
        yield aged;
        const next = reply?.status === 200 ? Object(reply.json()).nextCursor : undefined;
        if (typeof next !== "string") break;
        cursor = next;
      }
    }
  }
}

/** Cursors that were not issued, in values and spellings of all kinds, and those of other lists. */
async function* wrongCursors(api: Api): AsyncGenerator<Aged> {
  const { model } = api;
  const asking = askingOf(api);
  for (const [id, list] of model.lists) {
    const operation = model.oracle.contract.operations[id];
    const issued = [...(model.cursors.get(id) ?? [])];
    const [cursor] = issued.slice(-1);
    if (!operation || cursor === undefined) continue;
    const page = (one: string) => asking.call(operation, { input: { ...api.required(id), limit: 1, cursor: one } });
    const others = [...model.cursors].flatMap(([other, some]) => (other === id ? [] : [...some].slice(0, CURSORS)));
    for (const one of others.filter((one) => !issued.includes(one)))
      yield await ask(api, page(one), "paging/cursor-of-operation");
    for (const one of new Set([...madeUp(api.runId, list.following(null).at(-1) ?? ""), ...nearMisses(cursor)]))
      if (!issued.includes(one)) yield await ask(api, page(one), "invalid-cursor");
    // Another percent-encoding is the same cursor.
    const { target, ...rest } = page(cursor);
    const escaped = Buffer.from(cursor).toString("hex").replace(/../g, "%$&");
    for (const [what, query] of [
      [/cursor=[^&]*/, `cursor=${escaped}`],
      [/cursor=/, "%63urso%72="],
      [/limit=/, "%6Cimit="],
    ] as const)
      yield await ask(api, { ...rest, target: target.replace(what, query) }, "walk");
  }
}
