import type { Api } from "../../client/api.ts";
import { describe, fail } from "../../client/expect.ts";
import { every } from "../../client/operation.ts";
import { excerpt, type Reply } from "../../client/reply.ts";
import type { RawRequest } from "../../client/wire/raw-request.ts";
import { type Check, check } from "../check.ts";
import { answered, toJudge } from "../probe.ts";
import { everyAnswer } from "./layers.ts";
import { emptyCreate, pipeline, refusedPost, SYSINFO } from "./support.ts";

const FORM = /^[A-Za-z0-9._-]{1,64}$/;
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** Refused before the headers could be read: then nobody knows the caller's id. */
const UNREAD = new Set([400, 408, 414, 431]);

function expectForm(reply: Reply): string {
  const id = reply.header("x-request-id");
  if (id === undefined || !FORM.test(id))
    fail("header:x-request-id", "one X-Request-Id in [A-Za-z0-9._-]{1,64}", id ?? "none");
  return id;
}

function expectEcho(reply: Reply, sent: string, to = "a request"): void {
  const id = reply.header("x-request-id");
  if (id !== sent)
    fail("header:x-request-id", `the caller's X-Request-Id ${sent}`, `${id ?? "none"} in the answer to ${to}`);
}

/** A key that nobody has, of the same form: behind the words that it begins with, always the same character of its own. */
function madeUp(key: string): string {
  const [words = ""] = /^(?:[a-z]+[._-])*/i.exec(key) ?? [];
  const rest = key.slice(words.length);
  const [first = "0"] = (rest.match(/[A-Za-z0-9]/g) ?? []).sort();
  return words + rest.replace(/[A-Za-z0-9]/g, first);
}

const withId = (id: string) => ({ "X-Request-Id": id });

async function expectReplaced(api: Api, bytes: string): Promise<void> {
  // On a socket: an HTTP client refuses to send some of these, or sends them otherwise.
  const request = api.rawRequest({ target: api.path(SYSINFO), headers: [["X-Request-Id", bytes]] });
  const reply = answered(await api.raw(request), `X-Request-Id: ${excerpt(bytes)}`);
  if (reply.status !== 200)
    fail("status", "200 whatever the X-Request-Id", `${describe(reply)} with ${excerpt(bytes)}`);
  if (expectForm(reply) === bytes.trim())
    fail("header:x-request-id", "a new X-Request-Id", `the caller's ${excerpt(bytes)}`);
  const answer = reply.headers.map(([name, value]) => `${name}: ${value}`);
  if (bytes.length > 3 && answer.some((line) => line.includes(bytes)))
    fail("header:x-request-id", "nothing of a bad X-Request-Id in the answer", excerpt(bytes));
}

/** X-Request-Id (D12). */
export const requestId: readonly Check[] = [
  ...everyAnswer("http/request-id", (reply) => {
    expectForm(reply);
    const { raw, headers } = reply.exchange.request;
    const [sent, ...more] = headers.flatMap(([name, value]) => (name.toLowerCase() === "x-request-id" ? [value] : []));
    if (raw || UNREAD.has(reply.status) || sent === undefined || more.length > 0 || !FORM.test(sent)) return;
    expectEcho(reply, sent);
  }),
  check("http/request-id#echoed", {}, async (api) => {
    const ids = [
      "a",
      "0",
      "-",
      ".",
      "_",
      LETTERS,
      "0123456789._-",
      "x".repeat(63),
      "Z".repeat(64),
      "__proto__",
      "null",
    ];
    for (const id of ids) expectEcho(await api.call("sysinfo", { headers: withId(id) }), id);
  }),
  check("http/request-id#echoed-by-name-in-any-case", {}, async (api) => {
    for (const name of ["x-request-id", "X-REQUEST-ID", "X-Request-ID"])
      expectEcho(await api.call("sysinfo", { headers: { [name]: "caller-1" } }), "caller-1", name);
  }),
  check("http/request-id#echoed-by-every-operation", {}, async (api) => {
    for (const { id, method, auth } of every) {
      const headers = withId(`op.${id}`);
      const call = method === "POST" ? { body: emptyCreate } : { input: api.example(id) };
      expectEcho(await api.call(id, { ...call, headers }), `op.${id}`, id);
      if (auth)
        expectEcho(await api.call(id, { credentials: "none", headers }), `op.${id}`, `${id} without credentials`);
    }
  }),
  check("http/request-id#echoed-everywhere", {}, async (api) => {
    const targets = ["/", "/api?@=sysinfo", "/api/", "/api/?@=no.such.operation", "/openapi.json", "/no-such-path"];
    for (const target of targets)
      for (const method of ["GET", "HEAD", "OPTIONS", "DELETE"])
        expectEcho(
          await api.request({ method, target, headers: [["X-Request-Id", "caller-2"]] }),
          "caller-2",
          `${method} ${target}`,
        );
  }),
  check("http/request-id#echoed-by-refusals", { effect: "hostile" }, async (api) => {
    const id = ["X-Request-Id", "caller-3"] as const;
    const large = refusedPost(api);
    const bodies = api.rawRequest({ ...large, headers: [...(large.headers ?? []), id], body: "x".repeat(66_000) });
    expectEcho(answered(await api.raw(bodies), "a large body"), "caller-3", "a large body");
    const expectation = api.rawRequest({ target: api.path(SYSINFO), headers: [id, ["Expect", "a-miracle"]] });
    expectEcho(answered(await api.raw(expectation), "an unknown Expect"), "caller-3", "an unknown Expect");
  }),
  check("http/request-id#replaced", { effect: "hostile" }, async (api) => {
    const bad = [
      ...["x".repeat(65), "x".repeat(1000), "", "a b", "a,b", "a;b", "a/b", "a:b", "a=b", "a@b", "a+b", "a~b", "a%20b"],
      ...[
        "%0d%0aX-Injected:%201",
        '"quoted"',
        "<script>",
        "{}",
        "$(id)",
        "a\tb",
        "\xc3\xa9t\xc3\xa9",
        "\xff\xfe\xfd\xfc",
      ],
      ...["caller-1\u0080", "'; DROP"],
    ];
    for (const id of bad) await expectReplaced(api, id);
  }),
  check("http/request-id#of-the-form-of-a-key", {}, (api) => expectReplaced(api, madeUp(api.key))),
  check("http/request-id#replaced-everywhere", { effect: "hostile" }, async (api) => {
    const bad = "not/valid";
    const headers = [["X-Request-Id", bad]] as const;
    const large = refusedPost(api);
    const requests: readonly RawRequest[] = [
      ...[
        "/",
        "/api?@=sysinfo",
        "/openapi.json",
        "/robots.txt",
        "/no-such-path",
        "/api/",
        "/api/?@=docs.get.README",
      ].map((target) => ({ target: api.path(target), headers })),
      ...["HEAD", "OPTIONS", "DELETE"].map((method) => ({ method, target: api.path(SYSINFO), headers })),
      { target: api.path(SYSINFO), headers: [...headers, ["Expect", "a-miracle"]] },
      { ...large, headers: [...(large.headers ?? []), ...headers], body: "x".repeat(66_000) },
    ];
    for (const request of requests) {
      const raw = await api.raw(api.rawRequest(request), { heads: [request.method === "HEAD"] });
      const what = `${request.method ?? "GET"} ${request.target}`;
      if (expectForm(answered(raw, what)) === bad)
        fail("header:x-request-id", "a new X-Request-Id", `the caller's in the answer to ${what}`);
    }
  }),
  check("http/request-id#new-on-refusals", { effect: "hostile" }, async (api) => {
    const target = api.path(SYSINFO);
    const refused: readonly (string | Buffer)[] = [
      "this is not HTTP\r\n\r\n",
      api.rawRequest({ method: "FOO", target }),
      api.rawRequest({ target, host: null }),
      api.rawRequest({ target, headers: [["Expect", "a-miracle"]] }),
      api.rawRequest({ target, headers: [["X-Padding", "x".repeat(50_000)]] }),
    ];
    const ids: string[] = [];
    for (const bytes of [...refused, ...refused])
      ids.push(expectForm(answered(await api.raw(bytes), "what is refused at once")));
    if (new Set(ids).size < ids.length)
      fail("header:x-request-id", "a new X-Request-Id for each refusal", `the same again: ${ids.join(", ")}`);
  }),
  check("http/request-id#new-ones-differ", {}, async (api) => {
    const asks = [
      () => api.call("sysinfo"),
      () => api.call("sysinfo", { headers: withId("not valid") }),
      () => api.call("docs.get.README", { headers: { "If-None-Match": "*" } }),
      () => api.request({ method: "GET", target: "/no-such-path" }),
      () => api.request({ method: "GET", target: "/openapi.json", headers: [["If-None-Match", "*"]] }),
      () => api.request({ method: "OPTIONS", target: "/api/" }),
    ];
    const ids = (await Promise.all([...asks, ...asks, ...asks].map((ask) => ask()))).map(expectForm);
    if (new Set(ids).size < ids.length)
      fail("connection", "a new X-Request-Id for each answer", `the same again: ${ids.join(", ")}`);
  }),
  check("http/request-id#new-on-each-request-of-a-connection", { alone: true }, async (api) => {
    const target = api.path(SYSINFO);
    const first = { target, headers: [["X-Request-Id", "caller-4"]] as const };
    const { replies } = await api.raw(pipeline(api, [first, { target }, { target }]), { answers: 3 });
    const ids = replies.map(expectForm);
    // A target may close a connection after any answer.
    if (ids[0] !== "caller-4" || new Set(ids).size < ids.length)
      fail("connection", "caller-4 and two new ids on one connection", ids.join(", "));
    toJudge(ids.slice(1), "second answer on a connection");
  }),
];
