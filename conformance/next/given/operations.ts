import { excerpt } from "../laws/difference.ts";
import { type Draft, pair, setField } from "../requests/draft.ts";
import { Lacking } from "../run/script.ts";
import { type Deployment, isSame, NotKept, type Person } from "./deployment.ts";

/** The given requirements of each operation (G3, G4, G5): it accepts or rejects, and returns JSON. */

type Check = (deployment: Deployment) => Promise<void>;

const json =
  (id: string): Check =>
  async (deployment) =>
    deployment.expectServed(id, await deployment.call(id));

const sysinfo: Check = async (deployment) => {
  const reply = await deployment.call("sysinfo");
  await deployment.expectServed("sysinfo", reply);
  if (/^\s*(?:\{\s*\}|\[\s*\]|""|null)\s*$/.test(reply.text))
    throw new NotKept(reply, "body", "a JSON document that says something");
};

/** A credential in the header and in the query; undefined: not there. */
interface Placed {
  readonly header?: string;
  readonly query?: string;
}

/** A call of a query with these credentials alone. */
export const withCredentials = (key: Placed, platform: Placed) => (draft: Draft) => {
  for (const [name, { header, query }] of [["X-API-KEY", key] as const, ["X-PLATFORM", platform] as const]) {
    setField(draft, name, header === undefined ? [] : [header]);
    if (query !== undefined) draft.query.push(pair(name, query));
  }
};

const both = (value: string): readonly Placed[] => [{ header: value }, { query: value }];

const credentials =
  (id: string): Check =>
  async (deployment) => {
    const { client, source, runId } = deployment.run;
    const { key, platform } = source.caller;
    const [first, again] = [await deployment.served(id), await deployment.served(id)];
    const [goodKey, goodPlatform] = [{ header: key }, { header: platform }];
    const empty = [{ header: "" }, { query: "" }, { header: "", query: "" }];
    const wrong: (readonly [what: string, key: Placed, platform: Placed])[] = [
      ["a call without credentials", {}, {}],
      ...both(key).map((one) => ["a call without a platform", one, {}] as const),
      ...both(platform).map((one) => ["a call without a key", {}, one] as const),
      ...empty.map((one) => ["an empty key", one, goodPlatform] as const),
      ...empty.map((one) => ["an empty platform", goodKey, one] as const),
      ...both(`nobodys-${runId}`).map((one) => ["an invented key", one, goodPlatform] as const),
    ];
    for (const [what, one, other] of wrong)
      await deployment.expectRejected(await deployment.call(id, withCredentials(one, other)), first, again, what);
    const connection = client.connect();
    try {
      await deployment.send(deployment.request(id), connection);
      for (const [one, other] of [[goodKey, {}] as const, [{}, goodPlatform] as const, [{}, {}] as const]) {
        const request = deployment.request(id, withCredentials(one, other));
        const reply = await deployment.send(request, connection);
        await deployment.expectRejected(reply, first, again, "one behind a good request on its connection");
      }
    } finally {
      connection.destroy();
    }
  };

const placements =
  (id: string): Check =>
  async (deployment) => {
    const { key, platform } = deployment.run.source.caller;
    for (const one of both(key))
      for (const other of both(platform))
        await deployment.expectServed(id, await deployment.call(id, withCredentials(one, other)));
  };

const isPublic: Check = async (deployment) => {
  const reply = await deployment.call("sysinfo", withCredentials({}, {}));
  await deployment.expectServed("sysinfo", reply);
};

/** Every list has pages of at least this length. */
const PAGE = 10;
/** The length of the longest list or object in a JSON value. */
function most(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  const members = Object.values(value);
  return Math.max(members.length, ...members.map(most));
}

/** The list contains a new user, unless it may be one page of a longer list. Neither name nor address need be shown. */
const users: Check = async (deployment) => {
  const [before, again] = [await deployment.served("user.list"), await deployment.served("user.list")];
  const { person } = await deployment.create();
  const after = await deployment.served("user.list");
  const values = Object.values(person);
  if (values.some((value) => after.text.includes(value)) || most(after.json) >= PAGE) return;
  if (isSame(before, again, after)) throw new NotKept(after, "state", `${values.join(", ")} in the list`);
};

const created: Check = async (deployment) => {
  const { reply } = await deployment.create();
  if (!reply.isJson) throw new NotKept(reply, "header:content-type", "a JSON document");
};

const bodyOnly: Check = async (deployment) => {
  await deployment.create();
  const call = (data: unknown) => JSON.stringify({ "@": "user.create", data });
  const queryOf = (person: object) => Object.entries(person).map(([name, value]) => pair(name, value));
  const queries = (person: Person) => {
    const [own, data] = [queryOf(person), pair("data", JSON.stringify(person))];
    const bracketed = Object.entries(person).map(([name, value]) => pair(`data[${name}]`, value));
    return [own, [data], [...own, data], bracketed];
  };
  for (const at of queries(deployment.person()).keys()) {
    for (const body of ['{"@":"user.create"}', call({}), call(null)]) {
      const person = deployment.person();
      const reply = await deployment.body(body, undefined, queries(person)[at]);
      await deployment.expectNotTaken(reply, Object.values(person));
    }
    const person = deployment.person();
    const query = queries(person)[at] ?? [];
    const reply = await deployment.get(`/api/?${["@=user.create", ...query].join("&")}`);
    await deployment.expectNotTaken(reply, Object.values(person));
  }
  for (const half of ["name", "email"]) {
    const halves = Object.entries(deployment.person());
    const [inQuery, inBody] = [true, false].map((isHalf) => halves.filter(([name]) => (name === half) === isHalf));
    const query = queryOf(Object.fromEntries(inQuery ?? []));
    const reply = await deployment.body(call(Object.fromEntries(inBody ?? [])), undefined, query);
    await deployment.expectNotTaken(
      reply,
      (inQuery ?? []).map(([, value]) => value),
    );
  }
  const [own, stranger] = [deployment.person(), deployment.person()];
  deployment.run.created.add(own.email);
  const reply = await deployment.body(call(own), undefined, queryOf(stranger));
  if (!(await deployment.isVague())) await deployment.expectNotTaken(reply, Object.values(stranger));
  const person = deployment.person();
  const { name, email } = person;
  const named = await deployment.call("user.create", (draft) => {
    draft.fields.push(["name", name], ["email", email], ["X-Name", name], ["X-Email", email]);
  });
  await deployment.expectNotTaken(named, Object.values(person));
};

const readmeListed: Check = async (deployment) => {
  const reply = await deployment.served("docs.list");
  if (!/readme/i.test(reply.text)) throw new NotKept(reply, "body", "README among the entries", excerpt(reply.text));
};

const document: Check = async (deployment) => {
  const reply = await deployment.call("docs.get");
  await deployment.expectServed("docs.get", reply);
  if (reply.text.trim() === "") throw new NotKept(reply, "body", "a document that says something");
};

const byName: Check = async (deployment) => {
  const [first, again] = [await deployment.served("docs.get"), await deployment.served("docs.get")];
  const name = `no-such-${deployment.run.runId}`;
  const other = await deployment.call("docs.get", undefined, { name });
  if (!(await deployment.isRejected(other)) && isSame(first, again, other))
    throw new NotKept(other, "status", "not the README");
};

const lacking =
  (reason: string): Check =>
  async () => {
    throw new Lacking(reason);
  };

export const operationChecks: Readonly<Record<string, Check>> = {
  "sysinfo/public": isPublic,
  "sysinfo/json": sysinfo,
  "test.health/json": json("test.health"),
  "test.health/credentials": credentials("test.health"),
  "test.health/placements": placements("test.health"),
  "user.list/json": json("user.list"),
  "user.list/credentials": credentials("user.list"),
  "user.list/placements": placements("user.list"),
  "user.list/users": users,
  "user.create/json": created,
  "user.create/body-only": bodyOnly,
  "docs.list/json": json("docs.list"),
  "docs.list/readme": readmeListed,
  "docs.get/document": document,
  "docs.get/by-name": byName,
  "deployments/same": lacking("compares two deployments"),
};
