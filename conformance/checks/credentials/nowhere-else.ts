import { type OperationId, operations } from "../../../generated/operations.ts";
import type { Api } from "../../client/api.ts";
import { nameOf } from "../../client/operation.ts";
import { check } from "../check.ts";
import { type Case, closed, effectOf, expectAllLetIn, expectAllRefused, keyAs, platformAs, sent } from "./probe.ts";

type Headers = Readonly<Record<string, string>>;

const keyHeaders = (key: string): readonly Headers[] => [
  { Authorization: `Bearer ${key}` },
  { Authorization: `ApiKey ${key}` },
  { Authorization: `X-API-KEY ${key}` },
  { Authorization: `Token ${key}` },
  { Authorization: key },
  { Authorization: `Basic ${Buffer.from(`${key}:`).toString("base64")}` },
  { Authorization: `Basic ${Buffer.from(`api:${key}`).toString("base64")}` },
  { "Proxy-Authorization": `Bearer ${key}` },
  { Cookie: `X-API-KEY=${key}` },
  { Cookie: `x-api-key=${key}; api_key=${key}; apikey=${key}; key=${key}; token=${key}` },
  { "API-KEY": key },
  { ApiKey: key },
  { "X-API-TOKEN": key },
  { "X-Auth-Token": key },
  { "X-Access-Token": key },
  // As CGI and its heirs spell a header, where it can no longer be told from the real one.
  { X_API_KEY: key },
];

/** Of the places of a key, those that a server may know from elsewhere. */
const FEW = 9;

const platformHeaders = (platform: string): readonly Headers[] => [
  { Cookie: `X-PLATFORM=${platform}` },
  { Cookie: `x-platform=${platform}; platform=${platform}` },
  { Platform: platform },
  { "X-Client-Platform": platform },
  { "Sec-CH-UA-Platform": `"${platform}"` },
  { "User-Agent": platform },
  { X_PLATFORM: platform },
];

const named = (headers: Headers) => Object.keys(headers).join();

/** Bodies with the credentials beside the input and in it; on GET a body of each kind, which is ignored (D5). */
function bodies(api: Api, id: OperationId, members: Headers): readonly Case["options"][] {
  const input = api.example(id);
  const name = nameOf(operations[id]);
  const form = new URLSearchParams({ "@": name, ...members }).toString();
  const json = [
    { "@": name, ...members, data: input },
    { "@": name, data: { ...input, ...members } },
    { "@": name, credentials: members, headers: members, auth: members, data: input },
  ].map((body) => ({ body }));
  if (operations[id].method === "POST") return json;
  return [...json, { body: form, headers: { "Content-Type": "application/x-www-form-urlencoded" } }];
}

const keyElsewhere = (
  api: Api,
  id: OperationId,
  key: string,
  good: Case["options"]["credentials"] = keyAs(api, {}),
) => [
  ...keyHeaders(key).map((headers) => sent(`the key in ${named(headers)}`, good, { headers })),
  ...bodies(api, id, { "X-API-KEY": key, "x-api-key": key, apiKey: key }).map((options) =>
    sent("the key in the body", good, options),
  ),
];

/** D18: no other place is one for credentials. */
export const nowhereElse = closed.flatMap((id) => [
  check(`credentials/nowhere-else#key-${id}`, { effect: effectOf(id) }, (api) =>
    expectAllRefused(api, id, 401, "credentials-missing", keyElsewhere(api, id, api.key)),
  ),
  check(`credentials/nowhere-else#platform-${id}`, { effect: effectOf(id) }, async (api) => {
    const good = platformAs(api, {});
    await expectAllRefused(api, id, 401, "credentials-missing", [
      ...platformHeaders(api.platform).map((headers) => sent(`the platform in ${named(headers)}`, good, { headers })),
      ...bodies(api, id, { "X-PLATFORM": api.platform, "x-platform": api.platform, platform: api.platform }).map(
        (options) => sent("the platform in the body", good, options),
      ),
    ]);
  }),
  check(`credentials/nowhere-else#wrong-key-${id}`, { effect: effectOf(id) }, (api) =>
    // A wrong key there says nothing about the good ones in their own place.
    expectAllLetIn(
      api,
      id,
      keyHeaders("not-one-of-yours")
        .slice(0, FEW)
        .map((headers) => sent(`a wrong key in ${named(headers)} too`, "good", { headers })),
    ),
  ),
  check(`credentials/nowhere-else#good-key-${id}`, { effect: effectOf(id) }, (api) =>
    expectAllRefused(api, id, 401, "credentials-invalid", [
      ...keyHeaders(api.key)
        .slice(0, FEW)
        .map((headers) =>
          sent(`a wrong key, the good one in ${named(headers)}`, keyAs(api, { header: "not-one-of-yours" }), {
            headers,
          }),
        ),
    ]),
  ),
]);
