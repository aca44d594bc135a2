import { nameOf, type Pair, pair } from "../requests/draft.ts";
import { type Deployment, isEmpty, isSame, NotKept, type Person, type Reply } from "./deployment.ts";

/** The given requirements of the protocol (G1, G2, G3): nothing of what is decided is used. */

type Check = (deployment: Deployment) => Promise<void>;
type Ask = () => Promise<Reply>;

/** Two operations: at least one of them is not the one that a deployment calls where none is named. */
const NAMELESS = ["sysinfo", "docs.list"];
/** Parameters that another interface might use instead of `@`. */
const ALIASES = ["operation", "op", "action", "method", "name", "cmd", "q", ""];
const FIELDS = ["X-Operation", "X-Action", "Operation", "SOAPAction"];
const JSON_TYPE = ["Content-Type", "application/json"] as const;

export const queriesOf = ({ run }: Deployment): readonly string[] =>
  Object.values(run.suite.oracle.contract.operations).flatMap(({ id, method }) => (method === "GET" ? [id] : []));

/** Paths that could name an operation. */
function pathsOf(name: string): readonly string[] {
  const folders = name.replaceAll(".", "/");
  const [resource = ""] = name.split(".");
  const resources = [resource, `${resource}s`].flatMap((each) => [`/${each}`, `/api/${each}`]);
  const below = ["", "@", "@/"].map((mark) => `/api/${mark}${name}`);
  const all = [...below, `/api/${name}/`, `/api/${folders}`, `/${name}`, `/${folders}`, `/@${name}`, ...resources];
  return [...new Set(all)];
}

/**
 * A deployment may serve any page at other paths, or help where `@` is missing, but not the response of this operation. If
 * `control`, the same request without the name, has that response too, the name did not choose it.
 */
async function expectNotAnswered(deployment: Deployment, id: string, asks: readonly Ask[], control?: Ask) {
  const first = await deployment.served(id);
  if (control && isSame(first, await deployment.served(id), await control())) return;
  const replies: Reply[] = [];
  for (const ask of asks) replies.push(await ask());
  const again = await deployment.served(id);
  for (const reply of replies) {
    if ((await deployment.isRejected(reply)) || !isSame(first, again, reply)) continue;
    throw new NotKept(reply, "status", `not the response of ${id}`);
  }
}

async function onePath(deployment: Deployment): Promise<void> {
  const { get } = deployment;
  const seen: (readonly [id: string, first: Reply, again: Reply])[] = [];
  for (const id of queriesOf(deployment)) {
    const [reply, more] = [await deployment.call(id), await deployment.call(id)];
    if ((await deployment.isRejected(reply)) || isEmpty(reply, more)) continue;
    const twin = seen.find(([, first, again]) => isSame(first, again, reply));
    if (twin) throw new NotKept(reply, "body", `another document than that of ${twin[0]}`);
    seen.push([id, reply, more]);
  }
  const fields = FIELDS.map((name) => [name, "sysinfo"] as const);
  const headers = [...fields, ["Cookie", "@=sysinfo; %40=sysinfo; operation=sysinfo"] as const];
  const plain = await deployment.served("docs.list");
  const steered = await get("/api/?@=docs.list", headers);
  if (!isSame(plain, await deployment.served("docs.list"), steered))
    throw new NotKept(steered, "body", "a header not to choose the operation");
  const unnamed = () => get("/api/");
  await expectNotAnswered(deployment, "sysinfo", [() => get("/api/", headers)], unnamed);
  for (const id of NAMELESS) {
    const queries = [...ALIASES.map((name) => `${name}=${id}`), id];
    await expectNotAnswered(
      deployment,
      id,
      queries.map((query) => () => get(`/api/?${query}`)),
      unnamed,
    );
  }
  const paths = ["/", "/index.html", "/openapi.json", "/robots.txt", `/no-such-path-${deployment.run.runId}`];
  const asks = paths.map((path) => () => get(`${path}?@=docs.list`, [["Accept", "application/json"]]));
  await expectNotAnswered(deployment, "docs.list", asks);
}

async function notByPath(deployment: Deployment): Promise<void> {
  const { get, run } = deployment;
  for (const id of queriesOf(deployment)) {
    const reply = await deployment.call(id);
    if (await deployment.isRejected(reply)) continue;
    const { example } = deployment.operation(id);
    const asks = pathsOf(nameOf(deployment.operation(id), example)).map((path) => () => get(path));
    await expectNotAnswered(deployment, id, asks, () => get(`/api/no-such-${run.runId}`));
  }
  const below = pathsOf("sysinfo").filter((path) => path.startsWith("/api/"));
  await expectNotAnswered(
    deployment,
    "sysinfo",
    below.map((path) => () => get(`${path}?@=docs.list`)),
  );
}

async function commandNotByPath(deployment: Deployment): Promise<void> {
  await notByPath(deployment);
  if (!deployment.run.options.mayWrite) return;
  for (const target of pathsOf("user.create")) {
    const person = deployment.person();
    const named = deployment.request("user.create");
    const body = JSON.stringify({ ...person, data: person });
    await deployment.expectNotTaken(await deployment.send({ ...named, target, body }), Object.values(person));
  }
}

async function noVersionInPath(deployment: Deployment): Promise<void> {
  const { version } = deployment.run.suite.oracle.contract;
  const versions = [version.split(".", 1).join(), version, "1"].flatMap((one) => [one, `v${one}`]);
  const paths = [...new Set(versions)].flatMap((one) => [`/api/${one}/`, `/api/${one}`, `/${one}/api/`]);
  const asks = paths.map((path) => () => deployment.get(`${path}?@=sysinfo`));
  await expectNotAnswered(deployment, "sysinfo", asks);
}

async function queryStyle(deployment: Deployment): Promise<void> {
  const { key, platform } = deployment.run.source.caller;
  for (const id of queriesOf(deployment)) {
    await deployment.served(id);
    const credentials = deployment.operation(id).auth ? [pair("X-API-KEY", key), pair("X-PLATFORM", platform)] : [];
    const [one = "", other = ""] = credentials;
    for (const order of [
      ["@", one, other],
      [one, other, "@"],
      [one, "@", other],
    ]) {
      const reply = await deployment.call(id, (draft) => {
        const called = draft.query.join("&");
        draft.query = order.filter((part) => part !== "").map((part) => (part === "@" ? called : part));
        if (credentials.length > 0) draft.fields = draft.fields.filter(([name]) => name === "Host");
      });
      await deployment.expectServed(id, reply);
    }
  }
  for (const id of NAMELESS) {
    const ask = () => deployment.get("/api/", [JSON_TYPE], JSON.stringify({ "@": id }));
    await expectNotAnswered(deployment, id, [ask], () => deployment.get("/api/"));
  }
}

/** Bodies that are no call, each with its media type: the input in the forms of other interfaces, and what is no object. */
function otherBodies(person: Person): readonly (readonly [type: string, body: string])[] {
  const called = { "@": "user.create" };
  const forms = [person, { input: person }, { params: person }, { Data: person }, { data: [person] }];
  const objects = [...forms, { data: JSON.stringify(person) }].map((form) => JSON.stringify({ ...called, ...form }));
  const nested: Pair[] = Object.entries(person).map(([name, value]) => [`data[${name}]`, value]);
  const members = { ...called, ...person, ...Object.fromEntries(nested) };
  const form = new URLSearchParams(members).toString();
  const part = (name: string, value: string) =>
    `--part\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  const parts = Object.entries(members).map(([name, value]) => part(name, value));
  return [
    ...[...objects, JSON.stringify([members]), form].map((body) => ["application/json", body] as const),
    ["application/x-www-form-urlencoded", form],
    ["multipart/form-data; boundary=part", `${parts.join("")}--part--\r\n`],
  ];
}

async function bodyStyle(deployment: Deployment): Promise<void> {
  // `data` first, since members have no order; with blanks and escapes that JSON allows.
  const spelled = (person: Person) =>
    `\n{\t"data" : ${JSON.stringify(person, null, 2)} ,\n  "\\u0040" : "user\\u002ecreate" }\n`;
  await deployment.create();
  const person = deployment.person();
  const reply = await deployment.body(spelled(person));
  if (await deployment.isRejected(reply)) throw new NotKept(reply, "status", "an acceptance (2xx)");
  deployment.run.created.add(person.email);
  for (const at of otherBodies(person).keys()) {
    const other = deployment.person();
    const [type = "", body = ""] = otherBodies(other)[at] ?? [];
    await deployment.expectNotTaken(await deployment.body(body, type), Object.values(other));
  }
}

async function everyOperation(deployment: Deployment): Promise<void> {
  for (const id of queriesOf(deployment)) await deployment.expectServed(id, await deployment.call(id));
  if (deployment.run.options.mayWrite) await deployment.create();
}

export const dispatchChecks: Readonly<Record<string, Check>> = {
  "dispatch/one-path": onePath,
  "dispatch/not-by-path": commandNotByPath,
  "dispatch/no-version-in-path": noVersionInPath,
  "dispatch/query-style": queryStyle,
  "dispatch/body-style": bodyStyle,
  "dispatch/every-operation": everyOperation,
};
