import type { Api } from "../../client/api.ts";
import { expectProblem } from "../../client/expect.ts";
import { guarded, type Known, nameOf } from "../../client/operation.ts";
import { type Check, check } from "../check.ts";
import { effectOf, inCase, nobodys } from "../probe.ts";
import {
  type Case,
  expectAllLetIn,
  expectAllRefused,
  expectLetIn,
  judgeLetIn,
  kinds,
  queryWith,
  sent,
} from "./calls.ts";
import { callRaw } from "./raw-call.ts";

type Headers = Readonly<Record<string, string>>;

const base64 = (text: string) => Buffer.from(text).toString("base64");

/**
 * Headers that are not the credential's own, several in a request: whichever is taken for it, the call is let in. Those of CGI
 * and its heirs can no longer be told from the real one.
 */
const otherHeaders: { readonly [Kind in (typeof kinds)[number]["kind"]]: (value: string) => readonly Headers[] } = {
  key: (key) => [
    { Authorization: `Bearer ${key}`, Cookie: `X-API-KEY=${key}`, X_API_KEY: key },
    { Authorization: `ApiKey ${key}`, Cookie: `x-api-key=${key}; api_key=${key}; apikey=${key}; key=${key}` },
    { Authorization: `X-API-KEY ${key}`, "API-KEY": key, ApiKey: key },
    { Authorization: `Token ${key}`, Cookie: `token=${key}`, "X-Auth-Token": key },
    { Authorization: key, "X-API-TOKEN": key },
    { Authorization: `Basic ${base64(`${key}:`)}`, "X-Access-Token": key },
    { Authorization: `Basic ${base64(`api:${key}`)}`, "Proxy-Authorization": `Bearer ${key}` },
  ],
  platform: (platform) => [
    { Cookie: `X-PLATFORM=${platform}`, Platform: platform, "Sec-CH-UA-Platform": `"${platform}"` },
    { Cookie: `x-platform=${platform}; platform=${platform}`, "X-Client-Platform": platform },
    { X_PLATFORM: platform, "User-Agent": platform },
  ],
};

const inHeaders = (headers: readonly Headers[], good: Case["options"]["credentials"] = "good") =>
  headers.map((each) => sent(`another in ${Object.keys(each).join(", ")}`, good, { headers: each }));

/** A body with the credential wherever one may look for it; on GET a form as well, for a body there is ignored (D5). */
function inBody(api: Api, operation: Known, header: string, value: string): readonly Case["options"][] {
  const input = api.example(operation.id);
  const members = { [header]: value, [header.toLowerCase()]: value, apiKey: value, platform: value };
  const body = { "@": nameOf(operation, input), ...members, data: { ...input, ...members } };
  const within = { ...body, credentials: members, headers: members, auth: members };
  if (operation.method === "POST") return [{ body: within }];
  const form = new URLSearchParams({ "@": body["@"], ...members }).toString();
  return [{ body: within }, { body: form, headers: { "Content-Type": "application/x-www-form-urlencoded" } }];
}

/** Spellings of a header, all of them right. */
const spellings: readonly ((name: string) => string)[] = [
  (name) => name,
  (name) => name.toLowerCase(),
  (name) => name.toLowerCase().replace(/\b[a-z]/g, (letter) => letter.toUpperCase()),
  (name) => name.replace(/[AEIOUX]/g, (letter) => letter.toLowerCase()),
  (name) => name.replace(/.$/, (letter) => letter.toLowerCase()),
];

/** Names in a query that are not the parameter's. */
const misspelled = (name: string, short: readonly string[]) => [
  ...spellings.slice(1).map((spelled) => spelled(name)),
  ...[name.replaceAll("-", "_"), name.replaceAll("-", ""), ...short],
  ...[`${name}[]`, `${name}[0]`, ` ${name}`, `${name} `, `${name}\0`, `${name}.`],
];
const SHORT = { key: ["api_key", "apikey", "key"], platform: ["platform"] };

/** D18: how the names of the credentials are spelled, and where else they do not stand. */
export const elsewhere: readonly Check[] = guarded.flatMap((operation) => [
  ...kinds.flatMap(({ kind, header, as, good }) => [
    check(`credentials/nowhere-else#${kind}-${operation.id}`, { effect: effectOf(operation) }, (api) =>
      expectAllRefused(api, operation, "credentials-missing", [
        ...inHeaders(otherHeaders[kind](good(api)), as(api, {})),
        ...inBody(api, operation, header, good(api)).map((options) =>
          sent(`the ${kind} in the body`, as(api, {}), options),
        ),
      ]),
    ),
    check(`credentials/query-case#${kind}-${operation.id}`, { effect: effectOf(operation) }, async (api) => {
      const pairs = misspelled(header, SHORT[kind]).map((name) => [name, good(api)] as const);
      await expectAllRefused(api, operation, "credentials-missing", [
        sent(`the ${kind} in the query, all names misspelled`, as(api, {}), { query: pairs }),
      ]);
      await expectAllRefused(
        ...([api, operation, "invalid-input"] as const),
        pairs.map((pair) => sent(`good headers, ${JSON.stringify(pair[0])} in the query`, "good", { query: [pair] })),
      );
    }),
  ]),
  check(`credentials/query-case#escaped-${operation.id}`, { effect: effectOf(operation) }, (api) => {
    const names = `X%2DAPI%2dKEY=${encodeURIComponent(api.key)}&%58-PLATFORM=${encodeURIComponent(api.platform)}`;
    return expectLetIn(api, operation, { credentials: "none", rawQuery: queryWith(api, operation, names) });
  }),
  check(`credentials/nowhere-else#beside-${operation.id}`, { effect: effectOf(operation) }, async (api) => {
    // A wrong key there says nothing about the good ones in their own place, and a good one helps no wrong one.
    await expectAllLetIn(api, operation, inHeaders(otherHeaders.key(nobodys(api))));
    const wrong = { key: { header: nobodys(api) }, platform: { header: api.platform } };
    await expectAllRefused(api, operation, "credentials-invalid", inHeaders(otherHeaders.key(api.key), wrong));
  }),
  check(`credentials/header-case#${operation.id}`, { effect: effectOf(operation) }, async (api) => {
    for (const spelled of spellings) {
      const headers = kinds.map(({ header, good }) => [spelled(header), good(api)] as const);
      await inCase(headers.map(([name]) => name).join(" and "), async () =>
        judgeLetIn(await callRaw(api, operation.id, headers), operation),
      );
      await inCase(`${spelled("X-PLATFORM")} alone`, async () => {
        const reply = await callRaw(api, operation.id, headers.slice(1));
        expectProblem(reply, 401, "credentials-missing");
      });
    }
  }),
]);
