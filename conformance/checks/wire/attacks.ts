import type { Api } from "../../client/api.ts";
import { describe, fail } from "../../client/expect.ts";
import { chunked, emptyCreate, refusedPost } from "./support.ts";

/** No answer is allowed for some of them, a fault of the server for none. */
export async function send(api: Api, bytes: Buffer | string, closeAfter = false): Promise<void> {
  const { replies } = await api.raw(bytes, closeAfter ? { closeAfter } : { timeoutMs: 5000 });
  for (const reply of replies) if (reply.status >= 500) fail("body", "no fault of the server", describe(reply));
}

const DEPTH = 100_000;
/** Below the size limit, so that it is the depth that is judged. */
const DEEP = 30_000;

/** What is sent, by its kind. */
export const ATTACKS: Readonly<Record<string, (api: Api) => Promise<void>>> = {
  "half-requests": async (api) => {
    const whole = api.rawRequest({ ...refusedPost(api), body: emptyCreate });
    for (const length of [1, 5, 40, whole.length - emptyCreate.length - 2, whole.length - 5])
      for (let time = 0; time < 5; time += 1) await send(api, whole.subarray(0, length), true);
    await send(api, "", true);
  },
  "aborted-answers": async (api) => {
    const target = api.path("/api/?@=docs.get.reference");
    const ahead = Buffer.concat(Array.from({ length: 20 }, () => api.rawRequest({ target, connection: null })));
    for (let time = 0; time < 5; time += 1) await send(api, ahead, true);
  },
  "aborted-chunks": async (api) => {
    const whole = api.rawRequest(chunked(refusedPost(api), emptyCreate.padEnd(5000), 100));
    for (const length of [whole.length - 5, whole.length - 100, whole.length - 4000])
      await send(api, whole.subarray(0, length), true);
  },
  "many-connections": async (api) => {
    await Promise.all(Array.from({ length: 50 }, () => send(api, "GET /api/?@=sys", true)));
  },
  "deep-json": async (api) => {
    for (const depth of [DEEP, DEPTH])
      for (const [open, close] of [
        ["[", "]"],
        ['{"a":', "}"],
        ['{"@":', "}"],
      ] as const) {
        await send(api, api.rawRequest({ ...refusedPost(api), body: open.repeat(depth) + close.repeat(depth) }));
        await send(api, api.rawRequest({ ...refusedPost(api), body: open.repeat(depth) }));
      }
  },
  "hostile-json": async (api) => {
    const bodies = [
      ...[
        "null",
        "true",
        "0",
        '""',
        "[]",
        "{}",
        "",
        " ",
        "[1e999]",
        '{"@":null}',
        '{"@":[]}',
        '{"@":{}}',
        '{"@":1e999}',
      ],
      ...['{"@":"user.create","data":null}', '{"@":"user.create","data":[]}', '{"@":"user.create","data":"x"}'],
      ...['{"@":"user.create","data":{"name":{},"email":[]}}', '{"@":"user.create","data":{"name":1,"email":null}}'],
      ...['{"@":"user.create","data":{"__proto__":{"status":"broken"}}}', '{"__proto__":{"status":"broken"}}'],
      ...['{"constructor":{"prototype":{"status":"broken"}}}', '{"@":"constructor","data":{}}', '{"@":"__proto__"}'],
      ...[
        '{"@":"toString","data":{}}',
        '{"@":"user.create","data":{"toString":1}}',
        '{"@":"\\u0000"}',
        '{"@":"\\ud800"}',
      ],
      ...['{"@":"user.create","data":{"name":"\\ud800","email":"\\ud800"}}', `{"@":"${"x".repeat(60_000)}"}`],
    ];
    for (const body of bodies) await send(api, api.rawRequest({ ...refusedPost(api), body }));
  },
  "bytes-in-bodies": async (api) => {
    for (const body of ["\x00", "\xff\xfe{\x00}\x00", "\xef\xbb\xbf{}", '{"@":"\xc3\x28"}', "\x1f\x8b\x08\x00\x00"])
      await send(api, api.rawRequest({ ...refusedPost(api), body: Buffer.from(body, "latin1") }));
  },
  "hostile-queries": async (api) => {
    const queries = [
      ...[
        "@=constructor",
        "@=__proto__",
        "@=toString",
        "@=hasOwnProperty",
        "@=docs.get.__proto__",
        "@=docs.get.constructor",
      ],
      ...[
        "@=docs.get...%2f..%2fetc%2fpasswd",
        "@=docs.get.%00",
        "@=%00",
        "@=%ff",
        "@=%",
        "@",
        "@=",
        "=",
        "&",
        "@[]=sysinfo",
      ],
      ...[
        "@[a]=b",
        "@=sysinfo&__proto__=1",
        "@=sysinfo&__proto__[a]=1",
        "@=user.list&limit=1e999",
        "@=user.list&cursor=%00",
      ],
      ...[
        "@=user.list&cursor=%27%20OR%201=1--",
        "@=user.list&limit=%ff",
        "@=user.list&cursor=__proto__",
        "X-API-KEY=%00&@=user.list",
      ],
      ...["X-API-KEY=__proto__&X-PLATFORM=constructor&@=user.list", "@=sysinfo&@=sysinfo&@=sysinfo"],
    ];
    const headers = [
      ["X-API-KEY", api.key],
      ["X-PLATFORM", api.platform],
    ] as const;
    for (const query of queries) {
      await send(api, api.rawRequest({ target: api.path(`/api/?${query}`) }));
      if (!query.includes("X-API-KEY"))
        await send(api, api.rawRequest({ target: api.path(`/api/?${query}`), headers }));
    }
  },
  "hostile-headers": async (api) => {
    const target = api.path("/api/?@=docs.get.README");
    const fields = [
      ...[
        ["Accept", "*".repeat(8000)],
        ["Accept", ",".repeat(8000)],
        ["Accept", "a/b;q=".repeat(1000)],
        ["Accept", "\xff"],
      ],
      ...[
        ["Accept-Encoding", ",;q=,".repeat(1000)],
        ["If-None-Match", '",'.repeat(4000)],
        ["If-None-Match", "W/".repeat(4000)],
      ],
      ...[
        ["Range", "bytes=0-,".repeat(1000)],
        ["Range", "bytes=-1"],
        ["X-API-KEY", "\xff\xfe"],
        ["X-API-KEY", "x".repeat(12_000)],
      ],
      ...[
        ["Idempotency-Key", "x".repeat(12_000)],
        ["Origin", "x".repeat(8000)],
        ["Cookie", "a=b;".repeat(2000)],
        ["__proto__", "x"],
      ],
      ...[
        ["constructor", "x"],
        ["Upgrade", "websocket"],
        ["X-Forwarded-For", ",".repeat(8000)],
        ["Content-Type", "a/b;".repeat(2000)],
      ],
      ...[
        ["If-Modified-Since", "never"],
        ["Connection", "upgrade, keep-alive, ".repeat(300)],
        ["TE", "trailers"],
      ],
    ] as const;
    for (const field of fields)
      await send(api, api.rawRequest({ target, headers: [[field[0] ?? "", field[1] ?? ""]] }));
    const upgrade = [
      ["Connection", "Upgrade"],
      ["Upgrade", "h2c"],
      ["HTTP2-Settings", "AAMAAABkAAQAAP__"],
    ] as const;
    await send(api, api.rawRequest({ target, headers: upgrade }), true);
  },
  garbage: async (api) => {
    for (const bytes of [
      "\r\n".repeat(1000),
      "\x00".repeat(1000),
      "\xff".repeat(70_000),
      "GET ".repeat(10_000),
      ":\r\n".repeat(1000),
    ])
      await send(api, bytes, true);
  },
};
