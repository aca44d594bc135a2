import type { Request } from "../oracle/model-state.ts";
import { operationNameFor, pair } from "../requests/draft.ts";
import type { Check, Deployment, Person } from "./deployment.ts";
import { isEmpty, isSame, type Reply, RequirementFailed } from "./reply.ts";

/** The given requirements of the protocol (G1, G2, G3): nothing of what is decided is used. */

/**
 * Two operations: at least one of them is not the one that a deployment calls where none is named.
 */
const NAMELESS = ["sysinfo", "docs.list"];
/** Parameters that another interface might use instead of `@`. */
const ALIASES = ["operation", "op", "action", "method", "name", "cmd", "q", ""];
const FIELDS = ["X-Operation", "X-Action", "Operation", "SOAPAction"].map(
  (name) => [name, "sysinfo"] as const,
);
const STEERING = [...FIELDS, ["Cookie", "@=sysinfo; %40=sysinfo; operation=sysinfo"] as const];
const JSON_TYPE = ["Content-Type", "application/json"] as const;

/** Paths that could name an operation. */
function pathsOf(name: string): readonly string[] {
  const folders = name.replaceAll(".", "/");
  const [resource = ""] = name.split(".");
  const resources = [resource, `${resource}s`].flatMap((each) => [`/${each}`, `/api/${each}`]);
  const below = ["", "@", "@/"].map((mark) => `/api/${mark}${name}`);
  return [
    ...below,
    `/api/${name}/`,
    `/api/${folders}`,
    `/${name}`,
    `/${folders}`,
    `/@${name}`,
    ...resources,
  ];
}

interface GivenCall {
  /** The same request without the name: if it has that response too, the name did not choose it. */
  readonly control?: string | undefined;
  readonly fields?: Request["fields"];
  readonly body?: string;
}

/**
 * A deployment may serve any page at other paths, or help where `@` is missing, but not the
 * response of this operation.
 */
async function expectNotAnswered(
  deployment: Deployment,
  id: string,
  targets: readonly string[],
  asked: GivenCall = {},
) {
  const served = await deployment.served(id);
  if (asked.control && isSame(...served, await deployment.get(asked.control))) return;
  for (const target of targets) {
    const reply = await deployment.get(target, asked.fields, asked.body);
    if (!(await deployment.isRejected(reply)) && isSame(...served, reply))
      throw new RequirementFailed(reply, "status", `not the response of ${id}`);
  }
}

const onePath: Check = async (deployment) => {
  const seen = new Map<string, readonly [Reply, Reply]>();
  for (const id of deployment.queries) {
    const served = [await deployment.call(id), await deployment.call(id)] as const;
    if ((await deployment.isRejected(served[0])) || isEmpty(...served)) continue;
    for (const [otherId, replies] of seen)
      if (isSame(...replies, served[0]))
        throw new RequirementFailed(served[0], "body", `another document than that of ${otherId}`);
    seen.set(id, served);
  }
  const steered = await deployment.get("/api/?@=docs.list", STEERING);
  if (!isSame(...(await deployment.served("docs.list")), steered))
    throw new RequirementFailed(steered, "body", "a header not to choose the operation");
  await expectNotAnswered(deployment, "sysinfo", ["/api/"], { fields: STEERING, control: "/api/" });
  for (const id of NAMELESS) {
    const queries = [...ALIASES.map((name) => `${name}=${id}`), id].map(
      (query) => `/api/?${query}`,
    );
    await expectNotAnswered(deployment, id, queries, { control: "/api/" });
  }
  const paths = [
    "/",
    "/index.html",
    "/openapi.json",
    "/robots.txt",
    `/no-such-path-${deployment.run.runId}`,
  ];
  const targets = paths.map((path) => `${path}?@=docs.list`);
  await expectNotAnswered(deployment, "docs.list", targets, {
    fields: [["Accept", "application/json"]],
  });
};

const notByPath: Check = async (deployment) => {
  const { runId, options } = deployment.run;
  for (const id of deployment.queries) {
    if (await deployment.isRejected(await deployment.call(id))) continue;
    const operation = deployment.operation(id);
    const control = `/api/no-such-${runId}`;
    await expectNotAnswered(
      deployment,
      id,
      pathsOf(operationNameFor(operation, operation.example)),
      {
        control,
      },
    );
  }
  const below = pathsOf("sysinfo").filter((path) => path.startsWith("/api/"));
  const named = below.map((path) => `${path}?@=docs.list`);
  await expectNotAnswered(deployment, "sysinfo", named);
  for (const target of options.allowWrite ? pathsOf("user.create") : [])
    await deployment.notTaken((person) => {
      const body = JSON.stringify({ ...person, data: person });
      return deployment.send({ ...deployment.request("user.create"), target, body });
    });
};

const noVersionInPath: Check = async (deployment) => {
  const { contract, run } = deployment;
  const { version } = contract;
  const versions = [version.split(".", 1).join(), version, "1"].flatMap((one) => [one, `v${one}`]);
  const forms = [
    (one: string) => `/api/${one}/`,
    (one: string) => `/api/${one}`,
    (one: string) => `/${one}/api/`,
  ];
  for (const form of forms) {
    // Where any other word has that response too, the word is not a version.
    const [control, ...targets] = [`no-such-${run.runId}`, ...versions].map(
      (one) => `${form(one)}?@=sysinfo`,
    );
    await expectNotAnswered(deployment, "sysinfo", targets, { control });
  }
};

const queryStyle: Check = async (deployment) => {
  const { key, platform } = deployment.run.source.caller;
  for (const id of deployment.queries) {
    await deployment.served(id);
    const { auth } = deployment.operation(id);
    const [keyPairs, platformPairs] = auth
      ? [[pair("X-API-KEY", key)], [pair("X-PLATFORM", platform)]]
      : [[], []];
    const calls = deployment.request(id).target.split("?").slice(1);
    for (const query of [
      calls.concat(keyPairs, platformPairs),
      keyPairs.concat(platformPairs, calls),
      keyPairs.concat(calls, platformPairs),
    ]) {
      const reply = await deployment.call(id, (draft) => {
        draft.query = query;
        if (auth) draft.fields = draft.fields.filter(([name]) => name === "Host");
      });
      await deployment.expectServed(id, reply);
    }
  }
  for (const id of NAMELESS) {
    const body = JSON.stringify({ "@": id });
    await expectNotAnswered(deployment, id, ["/api/"], {
      fields: [JSON_TYPE],
      body,
      control: "/api/",
    });
  }
};

const bodyStyle: Check = async (deployment) => {
  await deployment.create();
  const { body } = deployment;
  // `data` first, since members have no order; with blanks and escapes that JSON allows.
  const data = JSON.stringify(deployment.newPerson(), null, 2);
  const reply = await body(`\n{\t"data" : ${data} ,\n  "\\u0040" : "user\\u002ecreate" }\n`);
  await deployment.expectAccepted(reply);
  const call = (input: object) => body(JSON.stringify({ "@": "user.create", ...input }));
  const members = ({ name, email }: Person) => ({
    "@": "user.create",
    name,
    email,
    "data[name]": name,
    "data[email]": email,
  });
  const form = (person: Person) => `${new URLSearchParams(members(person))}`;
  const part = ([member, value]: readonly string[]) =>
    `--part\r\nContent-Disposition: form-data; name="${member}"\r\n\r\n${value}\r\n`;
  const parts = (person: Person) =>
    `${Object.entries(members(person)).map(part).join("")}--part--\r\n`;
  // Bodies that are no call: the input in the forms of other interfaces, and what is no object.
  const wrongCalls: readonly ((person: Person) => Promise<Reply>)[] = [
    call,
    (input: Person) => call({ input }),
    (params: Person) => call({ params }),
    (Data: Person) => call({ Data }),
    (person: Person) => call({ data: [person] }),
    (person) => call({ data: JSON.stringify(person) }),
    (person) => body(JSON.stringify([members(person)])),
    (person) => body(form(person)),
    (person) => body(form(person), [], "application/x-www-form-urlencoded"),
    (person) => body(parts(person), [], "multipart/form-data; boundary=part"),
  ];
  for (const send of wrongCalls) await deployment.notTaken(send);
};

const everyOperation: Check = async (deployment) => {
  for (const id of deployment.queries) await deployment.expectServed(id, await deployment.call(id));
  if (deployment.run.options.allowWrite) await deployment.create();
};

export const dispatchChecks: Readonly<Record<string, Check>> = {
  "dispatch/one-path": onePath,
  "dispatch/not-by-path": notByPath,
  "dispatch/no-version-in-path": noVersionInPath,
  "dispatch/query-style": queryStyle,
  "dispatch/body-style": bodyStyle,
  "dispatch/every-operation": everyOperation,
};
