import { contract } from "../../../generated/operations.ts";
import type { Api } from "../../client/api.ts";
import { expectAccepted, expectAcceptedDocument, expectRefused, fail } from "../../client/expect.ts";
import { every, isGiven, type Known, nameOf, queries, queryOf } from "../../client/operation.ts";
import type { Reply } from "../../client/reply.ts";
import { check } from "../check.ts";
import { inCase, shown } from "../probe.ts";

/** What is given of the protocol (G1, G2, G3): accepted or refused, and nothing of what was decided. */

/** An operation whose answer is a JSON document; `docs.get` may answer text as well. */
export function expectServed(reply: Reply, { answers }: Pick<Known, "answers">): void {
  const text = answers.some(({ mediaTypes }) => mediaTypes.some((type) => type.startsWith("text/")));
  if (text) expectAcceptedDocument(reply);
  else expectAccepted(reply);
}

/** A page that is no operation's may be anywhere; the answer of an operation may not. */
function expectNoOperation(reply: Reply): void {
  if (/json|markdown|text\/plain/.test(reply.mediaType)) expectRefused(reply);
}

const credentialHeaders = (api: Api): [string, string][] => [
  ["X-API-KEY", api.key],
  ["X-PLATFORM", api.platform],
];

const get = (api: Api, target: string, headers: readonly (readonly [string, string])[] = []) =>
  api.request({ method: "GET", target, headers });

const json = (value: unknown) => ({
  headers: [["Content-Type", "application/json"]] as const,
  body: JSON.stringify(value),
});

/** Paths that could stand for an operation. */
const pathsOf = (name: string) => [
  `/api/${name}`,
  `/api/${name}/`,
  `/api/@${name}`,
  `/api/@/${name}`,
  `/api/${name.replaceAll(".", "/")}`,
  `/${name}`,
  `/${name.replaceAll(".", "/")}`,
  `/@${name}`,
];

const MAJOR = `v${contract.version.split(".")[0]}`;

const versionPaths = [MAJOR, MAJOR.slice(1), contract.version, `v${contract.version}`, "v1"].flatMap((version) => [
  `/api/${version}/`,
  `/api/${version}`,
  `/${version}/api/`,
]);

export const givenDispatch = [
  check("dispatch/one-path#by-at", {}, async (api) => {
    const seen = new Map<string, string>();
    for (const operation of queries.filter(isGiven)) {
      const reply = await api.call(operation.id);
      await inCase(operation.id, () => expectServed(reply, operation));
      const twin = seen.get(reply.text);
      if (twin !== undefined)
        fail("body", `${twin} and ${operation.id}, at one path, to answer each its own document`, shown(reply.text));
      seen.set(reply.text, operation.id);
    }
  }),
  check("dispatch/one-path#not-by-header", {}, async (api) => {
    const headers = ["X-Operation", "X-Action", "Operation", "SOAPAction", "@"].map(
      (name) => [name, "sysinfo"] as const,
    );
    const cookie = ["Cookie", "@=sysinfo; %40=sysinfo; operation=sysinfo"] as const;
    const sendable = [...headers.filter(([name]) => name !== "@"), cookie];
    const plain = await api.call("docs.list");
    expectAccepted(plain);
    const steered = await api.request({ method: "GET", target: "/api/?@=docs.list", headers: sendable });
    expectAccepted(steered);
    if (steered.text !== plain.text) fail("body", "a header not to choose the operation", shown(steered.text));
    expectRefused(await get(api, "/api/", sendable));
  }),
  check("dispatch/one-path#not-by-other-parameter", {}, async (api) => {
    for (const name of ["operation", "op", "action", "method", "name", "cmd", "q", ""]) {
      await inCase(`?${name}=sysinfo`, async () => expectRefused(await get(api, `/api/?${name}=sysinfo`)));
    }
    await inCase("?sysinfo", async () => expectRefused(await get(api, "/api/?sysinfo")));
  }),

  check("dispatch/one-path#nowhere-else", {}, async (api) => {
    const asked = await api.call("docs.list");
    expectAccepted(asked);
    for (const path of ["/", "/index.html", "/openapi.json", "/robots.txt", "/no-such-path"]) {
      const reply = await get(api, `${path}?@=docs.list`, [["Accept", "application/json"]]);
      if (reply.text === asked.text) fail("body", `no operation at ${path}`, shown(reply.text));
    }
  }),

  ...every.map((operation) =>
    check(
      `dispatch/not-by-path#${operation.id}`,
      { of: operation, effect: operation.method === "GET" ? "read" : "write" },
      async (api) => {
        const data = api.example(operation.id);
        for (const path of pathsOf(nameOf(operation, data))) {
          const content = operation.method === "GET" ? { headers: [] } : json({ ...data, data });
          const headers = [...credentialHeaders(api), ...content.headers];
          await inCase(path, async () =>
            expectNoOperation(await api.request({ ...content, method: operation.method, target: path, headers })),
          );
        }
      },
    ),
  ),
  check("dispatch/not-by-path#at-beside-a-path", {}, async (api) => {
    const asked = await api.call("docs.list");
    expectAccepted(asked);
    for (const path of pathsOf("sysinfo").filter((each) => each.startsWith("/api/"))) {
      const reply = await get(api, `${path}?@=docs.list`);
      if (reply.status >= 200 && reply.status < 300 && reply.text !== asked.text) {
        fail("body", `the path ${path} not to choose the operation`, shown(reply.text));
      }
    }
  }),

  check("dispatch/no-version-in-path", {}, async (api) => {
    for (const path of versionPaths) {
      await inCase(path, async () => expectNoOperation(await get(api, `${path}?@=sysinfo`)));
    }
    expectAccepted(await get(api, "/api/?@=sysinfo"));
  }),

  ...queries.map((operation) =>
    check(`dispatch/query-style#${operation.id}`, { of: operation }, async (api) => {
      const name = queryOf(operation, api.required(operation.id));
      const credentials = operation.auth
        ? [`X-API-KEY=${encodeURIComponent(api.key)}`, `X-PLATFORM=${encodeURIComponent(api.platform)}`]
        : [];
      const orders = [
        [name, ...credentials],
        [...credentials, name],
        [...credentials.slice(0, 1), name, ...credentials.slice(1)],
      ];
      for (const [index, order] of orders.entries()) {
        const reply = await api.call(operation.id, { rawQuery: order.join("&"), credentials: "none" });
        await inCase(`order ${index + 1} of the parameters`, () => expectServed(reply, operation));
      }
    }),
  ),
  check("dispatch/query-style#not-by-body", {}, async (api) => {
    const reply = await api.request({ method: "GET", target: "/api/", ...json({ "@": "sysinfo" }) });
    expectRefused(reply);
    expectAccepted(await get(api, "/api/?@=sysinfo"));
  }),

  check("dispatch/body-style#members", { effect: "write" }, async (api) => {
    // `data` first, since an object has no order; and blanks and escapes as JSON has them.
    const data = JSON.stringify(api.example("user.create"), null, 2);
    const body = `\n{\t"data" : ${data} ,\n  "\\u0040" : "user\\u002ecreate" }\n`;
    expectAccepted(await api.call("user.create", { body }));
  }),
  check("dispatch/body-style#input-in-data", { effect: "write" }, async (api) => {
    const data = api.example("user.create");
    const bodies = [
      { "@": "user.create", ...data },
      { "@": "user.create", input: data },
      { "@": "user.create", params: data },
      { "@": "user.create", Data: data },
      { "@": "user.create", data: [data] },
      { "@": "user.create", data: JSON.stringify(data) },
    ];
    for (const body of bodies) {
      await inCase(shown(JSON.stringify(body)), async () => expectRefused(await api.call("user.create", { body })));
    }
  }),
  check("dispatch/body-style#json-only", { effect: "write" }, async (api) => {
    const { name, email } = api.example("user.create");
    const members = {
      "@": "user.create",
      name: String(name),
      email: String(email),
      "data[name]": String(name),
      "data[email]": String(email),
    };
    const parts = Object.entries(members).map(
      ([field, value]) => `--part\r\nContent-Disposition: form-data; name="${field}"\r\n\r\n${value}\r\n`,
    );
    const bodies = [
      ["application/x-www-form-urlencoded", new URLSearchParams(members).toString()],
      ["multipart/form-data; boundary=part", `${parts.join("")}--part--\r\n`],
      ["application/json", JSON.stringify([members])],
      ["application/json", new URLSearchParams(members).toString()],
    ] as const;
    for (const [type, body] of bodies) {
      const reply = await api.call("user.create", { body, headers: { "Content-Type": type } });
      await inCase(`a body as ${type}`, () => expectRefused(reply));
    }
  }),

  ...every.map((operation) =>
    check(
      `dispatch/every-operation#${operation.id}`,
      { of: operation, effect: operation.method === "GET" ? "read" : "write" },
      async (api) => {
        const input = operation.method === "POST" ? { input: api.example(operation.id) } : {};
        expectServed(await api.call(operation.id, input), operation);
      },
    ),
  ),
];
