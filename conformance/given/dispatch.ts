import { nameOf, pair } from "../requests/draft.ts";
import type { Deployment, Person } from "./deployment.ts";
import { isEmpty, isSame, NotKept, type Reply } from "./reply.ts";

/** The given requirements of the protocol (G1, G2, G3): nothing of what is decided is used. */

export type Check = (deployment: Deployment) => Promise<void>;
type Ask = () => Promise<Reply>;

/** Two operations: at least one of them is not the one that a deployment calls where none is named. */
const NAMELESS = ["sysinfo", "docs.list"];
/** Parameters that another interface might use instead of `@`. */
const ALIASES = ["operation", "op", "action", "method", "name", "cmd", "q", ""];
const FIELDS = ["X-Operation", "X-Action", "Operation", "SOAPAction"].map((name) => [name, "sysinfo"] as const);
const STEERING = [...FIELDS, ["Cookie", "@=sysinfo; %40=sysinfo; operation=sysinfo"] as const];
const JSON_TYPE = ["Content-Type", "application/json"] as const;

/** Paths that could name an operation. */
function pathsOf(name: string): readonly string[] {
  const folders = name.replaceAll(".", "/");
  const [resource = ""] = name.split(".");
  const resources = [resource, `${resource}s`].flatMap((each) => [`/${each}`, `/api/${each}`]);
  const below = ["", "@", "@/"].map((mark) => `/api/${mark}${name}`);
  return [...below, `/api/${name}/`, `/api/${folders}`, `/${name}`, `/${folders}`, `/@${name}`, ...resources];
}

/**
 * A deployment may serve any page at other paths, or help where `@` is missing, but not the response of this operation. If
 * `control`, the same request without the name, has that response too, the name did not choose it.
 */
async function expectNotAnswered(deployment: Deployment, id: string, asks: readonly Ask[], control?: Ask) {
  const served = await deployment.served(id);
  if (control && isSame(...served, await control())) return;
  for (const ask of asks) {
    const reply = await ask();
    if (!(await deployment.isRejected(reply)) && isSame(...served, reply))
      throw new NotKept(reply, "status", `not the response of ${id}`);
  }
}

const onePath: Check = async (deployment) => {
  const { get, run } = deployment;
  const seen: (readonly [id: string, served: readonly [Reply, Reply]])[] = [];
  for (const id of deployment.queries) {
    const served = [await deployment.call(id), await deployment.call(id)] as const;
    if ((await deployment.isRejected(served[0])) || isEmpty(...served)) continue;
    const twin = seen.find(([, other]) => isSame(...other, served[0]));
    if (twin) throw new NotKept(served[0], "body", `another document than that of ${twin[0]}`);
    seen.push([id, served]);
  }
  const steered = await get("/api/?@=docs.list", STEERING);
  if (!isSame(...(await deployment.served("docs.list")), steered))
    throw new NotKept(steered, "body", "a header not to choose the operation");
  const unnamed = () => get("/api/");
  await expectNotAnswered(deployment, "sysinfo", [() => get("/api/", STEERING)], unnamed);
  for (const id of NAMELESS) {
    const queries = [...ALIASES.map((name) => `${name}=${id}`), id];
    const asks = queries.map((query) => () => get(`/api/?${query}`));
    await expectNotAnswered(deployment, id, asks, unnamed);
  }
  const paths = ["/", "/index.html", "/openapi.json", "/robots.txt", `/no-such-path-${run.runId}`];
  const asks = paths.map((path) => () => get(`${path}?@=docs.list`, [["Accept", "application/json"]]));
  await expectNotAnswered(deployment, "docs.list", asks);
};

const notByPath: Check = async (deployment) => {
  const { get, run } = deployment;
  for (const id of deployment.queries) {
    if (await deployment.isRejected(await deployment.call(id))) continue;
    const operation = deployment.operation(id);
    const asks = pathsOf(nameOf(operation, operation.example)).map((path) => () => get(path));
    await expectNotAnswered(deployment, id, asks, () => get(`/api/no-such-${run.runId}`));
  }
  const below = pathsOf("sysinfo").filter((path) => path.startsWith("/api/"));
  const asks = below.map((path) => () => get(`${path}?@=docs.list`));
  await expectNotAnswered(deployment, "sysinfo", asks);
  for (const target of run.options.mayWrite ? pathsOf("user.create") : []) {
    const person = deployment.person();
    const body = JSON.stringify({ ...person, data: person });
    const reply = await deployment.send({ ...deployment.request("user.create"), target, body });
    await deployment.expectNotTaken(reply, person);
  }
};

const noVersionInPath: Check = async (deployment) => {
  const { version } = deployment.contract;
  const versions = [version.split(".", 1).join(), version, "1"].flatMap((one) => [one, `v${one}`]);
  const paths = versions.flatMap((one) => [`/api/${one}/`, `/api/${one}`, `/${one}/api/`]);
  const asks = paths.map((path) => () => deployment.get(`${path}?@=sysinfo`));
  await expectNotAnswered(deployment, "sysinfo", asks);
};

const queryStyle: Check = async (deployment) => {
  const { key, platform } = deployment.run.source.caller;
  for (const id of deployment.queries) {
    await deployment.served(id);
    const { auth } = deployment.operation(id);
    const [one, other] = auth ? [[pair("X-API-KEY", key)], [pair("X-PLATFORM", platform)]] : [[], []];
    const calls = deployment.request(id).target.split("?").slice(1);
    for (const order of [
      [calls, one, other],
      [one, other, calls],
      [one, calls, other],
    ]) {
      const change: Parameters<typeof deployment.call>[1] = (draft) => {
        draft.query = order.flat();
        if (auth) draft.fields = draft.fields.filter(([name]) => name === "Host");
      };
      await deployment.expectServed(id, await deployment.call(id, change));
    }
  }
  for (const id of NAMELESS) {
    const ask = () => deployment.get("/api/", [JSON_TYPE], JSON.stringify({ "@": id }));
    await expectNotAnswered(deployment, id, [ask], () => deployment.get("/api/"));
  }
};

/** Bodies that are no call: the input in the forms of other interfaces, and what is no object. */
function otherBodies(person: Person): readonly (readonly [body: string, type?: string])[] {
  const { name, email } = person;
  const inputs = [person, { input: person }, { params: person }, { Data: person }, { data: [person] }];
  const objects = [...inputs, { data: JSON.stringify(person) }].map((input) => ({ "@": "user.create", ...input }));
  const members = { ...{ "@": "user.create", name, email }, "data[name]": name, "data[email]": email };
  const form = `${new URLSearchParams(members)}`;
  const part = ([member, value]: readonly string[]) =>
    `--part\r\nContent-Disposition: form-data; name="${member}"\r\n\r\n${value}\r\n`;
  return [
    ...[...objects, [members]].map((body) => [JSON.stringify(body)] as const),
    ...[[form] as const, [form, "application/x-www-form-urlencoded"] as const],
    [`${Object.entries(members).map(part).join("")}--part--\r\n`, "multipart/form-data; boundary=part"],
  ];
}

const bodyStyle: Check = async (deployment) => {
  await deployment.create();
  const person = deployment.person();
  deployment.run.created.add(person.email);
  // `data` first, since members have no order; with blanks and escapes that JSON allows.
  const data = JSON.stringify(person, null, 2);
  const reply = await deployment.body(`\n{\t"data" : ${data} ,\n  "\\u0040" : "user\\u002ecreate" }\n`);
  if (await deployment.isRejected(reply)) throw new NotKept(reply, "status", "an acceptance (2xx)");
  for (const at of otherBodies(person).keys()) {
    const other = deployment.person();
    const [body = "", type] = otherBodies(other)[at] ?? [];
    await deployment.expectNotTaken(await deployment.body(body, type), other);
  }
};

const everyOperation: Check = async (deployment) => {
  for (const id of deployment.queries) await deployment.expectServed(id, await deployment.call(id));
  if (deployment.run.options.mayWrite) await deployment.create();
};

export const dispatchChecks: Readonly<Record<string, Check>> = {
  "dispatch/one-path": onePath,
  "dispatch/not-by-path": notByPath,
  "dispatch/no-version-in-path": noVersionInPath,
  "dispatch/query-style": queryStyle,
  "dispatch/body-style": bodyStyle,
  "dispatch/every-operation": everyOperation,
};
