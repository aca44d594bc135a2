import { addressesIn, IPV4, IPV6, withoutTimes } from "../extensions/atpoint/addresses.ts";
import { visibleText } from "../extensions/documents/html.ts";
import { excerpt } from "../laws/difference.ts";
import { type Draft, pair, setField } from "../requests/draft.ts";
import { MissingPrecondition } from "../run/state.ts";
import type { Check, Deployment } from "./deployment.ts";
import { isSame, type Reply, RequirementFailed } from "./reply.ts";

/**
 * The given requirements of each operation (G3, G4, G5), which accepts or rejects and returns JSON,
 * and of the landing page.
 */

/** A credential in the header and in the query; undefined: not there. */
type Placed = Readonly<Partial<Record<"header" | "query", string>>>;

/** A call with these credentials alone. */
export const withCredentials = (key: Placed, platform: Placed) => (draft: Draft) => {
  for (const [name, { header, query }] of [
    ["X-API-KEY", key] as const,
    ["X-PLATFORM", platform] as const,
  ]) {
    setField(draft, name, header === undefined ? [] : [header]);
    if (query !== undefined) draft.query.push(pair(name, query));
  }
};
const both = (value: string): readonly Placed[] => [{ header: value }, { query: value }];
/** In all four combinations of places. */
export const credentialPlacements = ({ run: { source } }: Deployment) =>
  both(source.caller.key).flatMap((key) =>
    both(source.caller.platform).map((one) => withCredentials(key, one)),
  );

const credentials = async (deployment: Deployment, id: string) => {
  const { client, source, runId } = deployment.run;
  const served = await deployment.served(id);
  const [key, platform] = [{ header: source.caller.key }, { header: source.caller.platform }];
  const empty = [{ header: "" }, { query: "" }, { header: "", query: "" }];
  const wrong: readonly (readonly [what: string, key: Placed, platform: Placed])[] = [
    ["a call without credentials", {}, {}],
    ...both(source.caller.key).map((one) => ["a call without a platform", one, {}] as const),
    ...both(source.caller.platform).map((one) => ["a call without a key", {}, one] as const),
    ...empty.map((one) => ["an empty key", one, platform] as const),
    ...empty.map((one) => ["an empty platform", key, one] as const),
    ...both(`nobodys-${runId}`).map((one) => ["an invented key", one, platform] as const),
  ];
  for (const [what, placedKey, placedPlatform] of wrong)
    await deployment.expectRejected(
      await deployment.call(id, withCredentials(placedKey, placedPlatform)),
      served,
      what,
    );
  const connection = client.connect();
  try {
    await deployment.send(deployment.request(id), connection);
    for (const [what, placedKey, placedPlatform] of wrong.slice(0, 4)) {
      const reply = await deployment.send(
        deployment.request(id, withCredentials(placedKey, placedPlatform)),
        connection,
      );
      await deployment.expectRejected(reply, served, `${what}, behind a good one`);
    }
  } finally {
    connection.destroy();
  }
};

/** Every list has pages of at least this length. */
const PAGE = 10;
/** The length of the longest list or object in a JSON value. */
function most(value: unknown): number {
  const members = typeof value === "object" && value !== null ? Object.values(value) : [];
  return Math.max(members.length, ...members.map(most));
}

/**
 * The list contains a new user, unless it may be one page of a longer list. Neither name nor
 * address need be shown.
 */
const users: Check = async (deployment) => {
  const before = await deployment.served("user.list");
  const values = Object.values((await deployment.create()).person);
  const [after] = await deployment.served("user.list");
  if (values.some((value) => after.text.includes(value)) || most(after.json) >= PAGE) return;
  if (isSame(...before, after))
    throw new RequirementFailed(after, "state", `${values.join(", ")} in the list`);
};

const bodyOnly: Check = async (deployment) => {
  await deployment.create();
  const { body, get, notTaken } = deployment;
  const call = (data?: unknown) => JSON.stringify({ "@": "user.create", data });
  const queryOf = (person: object, name = (member: string) => member) =>
    Object.entries(person).map(([member, value]) => pair(name(member), value));
  const whole = (person: object) => [pair("data", JSON.stringify(person))];
  const both = (person: object) => [...queryOf(person), ...whole(person)];
  const bracketed = (person: object) => queryOf(person, (member) => `data[${member}]`);
  for (const queryFor of [queryOf, whole, both, bracketed]) {
    for (const text of [call(), call({}), call(null)])
      await notTaken((person) => body(text, queryFor(person)));
    await notTaken((person) => get(`/api/?${["@=user.create", ...queryFor(person)].join("&")}`));
  }
  await notTaken(({ name, email }) => body(call({ email }), queryOf({ name })), ["name"]);
  await notTaken(({ name, email }) => body(call({ name }), queryOf({ email })), ["email"]);
  const ownCall = call(deployment.newPerson());
  await notTaken((stranger) => body(ownCall, queryOf(stranger)));
  await notTaken(({ name, email }) => {
    const fields = Object.entries({ name, email, "X-Name": name, "X-Email": email });
    return deployment.call("user.create", (draft) => void draft.fields.push(...fields));
  });
};

const byName: Check = async (deployment) => {
  const served = await deployment.served("docs.get");
  const name = `nosuch${deployment.run.runId}`;
  const otherReply = await deployment.call("docs.get", undefined, { name });
  const names = [name, ...Object.values(deployment.operation("docs.get").example).map(String)];
  if (!(await deployment.isRejected(otherReply)) && isSame(...served, otherReply, names))
    throw new RequirementFailed(otherReply, "status", "not the README");
};

/** A query returns a document, by each of these calls. */
const served =
  (
    id: string,
    calls: (deployment: Deployment) => readonly ((draft: Draft) => void)[] = () => [() => {}],
  ): Check =>
  async (deployment) => {
    for (const change of calls(deployment)) {
      const reply = await deployment.call(id, change);
      await deployment.expectServed(id, reply);
      if (
        /^\s*(?:(?:\{\s*\}|\[\s*\]|""|null)\s*)?$/.test(reply.text) &&
        /^(?:sysinfo|docs\.get)$/.test(id)
      )
        throw new RequirementFailed(reply, "body", "a document that says something");
    }
  };

/** The landing page (G6, G8): at the base URL, and in any format. */

/** Redirects that are followed to the landing page. */
const MAX_HOPS = 5;
const ACCEPT = [
  "Accept",
  "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
] as const;

/** A version of several parts, or the single number of a runtime with such versions. */
const RUNTIME =
  "node(?:\\.js)?|deno|bun|c?python|go|java|jvm|(?:open)?jdk|otp|php|ruby|\\.net|rust";
const RUNTIME_VERSION = new RegExp(
  String.raw`\d+\.\d+|\bv\d+\b|(?<!\w)(?:${RUNTIME})[\s/]*v?\d+`,
  "i",
);

/** The version of the interface, not as a part of another number. */
export const versionPattern = (version: string): RegExp =>
  new RegExp(`(?<![\\d.])${version.replaceAll(".", "\\.")}(?![\\d.]*\\d)`, "g");

/**
 * What is at this path, after redirects within the deployment. Without the key: a page is public.
 */
async function pageAt(deployment: Deployment, path: string): Promise<Reply> {
  const { url, host } = deployment.run.options.target;
  for (let [target, hops] = [path, 0]; ; hops += 1) {
    const reply = await deployment.send({
      method: "GET",
      target,
      fields: [["Host", host], ACCEPT],
      body: "",
    });
    const location =
      reply.status >= 300 && reply.status < 400 ? reply.header("location") : undefined;
    const isAddress = location !== undefined && URL.canParse(location, url + target);
    const href = isAddress ? new URL(location, url + target).href : "";
    if (!href.startsWith(`${url}/`) || hops === MAX_HOPS) return reply;
    target = href.slice(url.length);
  }
}

/** The words of a page, without rows and items that contain an operation and its method. */
function wordsOf({ text }: Reply, ids: readonly string[]): string {
  const isOfOperation = (row: string) => ids.some((id) => visibleText(row).includes(id));
  const rows = /<(tr|li)\b[^>]*>[\s\S]*?<\/\1\s*>/gi;
  return visibleText(text.replace(rows, (row) => (isOfOperation(row) ? " " : row)));
}

/** What a landing page shows by each requirement, and whether this one does. */
function factsOf(text: string, version: string) {
  const timeless = withoutTimes(text);
  const addresses = addressesIn(text);
  const pattern = versionPattern(version);
  const rest = timeless.replace(IPV4, " ").replace(IPV6, " ").replace(pattern, " ");
  return [
    ["landing/status-and-version", "the status Operational", /\bOperational\b/.test(text)],
    ["landing/status-and-version", `the version ${version}`, pattern.test(text)],
    ["landing/shows", "the method GET", /\bGET\b/.test(text)],
    // No caller has these addresses.
    [
      "landing/shows",
      "an IP address",
      addresses.some((address) => !["0.0.0.0", "::"].includes(address)),
    ],
    ["landing/shows", "the version of the runtime", RUNTIME_VERSION.test(rest)],
  ] as const;
}

const expectShown = async (deployment: Deployment, id: string) => {
  const { operations, version } = deployment.contract;
  const reply = await pageAt(deployment, "/");
  if (!reply.isAccepted) throw new MissingPrecondition(`no landing page at /: ${reply.status}`);
  const text = wordsOf(reply, Object.keys(operations));
  const facts = factsOf(text, version);
  // It may be elsewhere, or the work of a script: what shows nothing of it is another page.
  if (!facts.some(([, , isThere]) => isThere))
    throw new MissingPrecondition("what is at / shows nothing of a landing page");
  const [, missing] = facts.find(([of, , isThere]) => of === id && !isThere) ?? [];
  if (missing) throw new RequirementFailed(reply, "body", `${missing} on the page`, excerpt(text));
};

export const operationChecks: Readonly<Record<string, Check>> = {
  "sysinfo/public": served("sysinfo", () => [withCredentials({}, {})]),
  "sysinfo/json": served("sysinfo"),
  "test.health/json": served("test.health"),
  "test.health/credentials": (deployment) => credentials(deployment, "test.health"),
  "test.health/placements": served("test.health", credentialPlacements),
  "user.list/json": served("user.list"),
  "user.list/credentials": (deployment) => credentials(deployment, "user.list"),
  "user.list/placements": served("user.list", credentialPlacements),
  "user.list/users": users,
  "user.create/json": async (deployment) => {
    const { reply } = await deployment.create();
    if (reply.kind !== "json")
      throw new RequirementFailed(reply, "header:content-type", "a JSON document");
  },
  "user.create/body-only": bodyOnly,
  "docs.list/json": served("docs.list"),
  "docs.list/readme": async (deployment) => {
    const [reply] = await deployment.served("docs.list");
    if (!/readme/i.test(reply.text))
      throw new RequirementFailed(reply, "body", "README among the entries", excerpt(reply.text));
  },
  "docs.get/document": served("docs.get"),
  "docs.get/by-name": byName,
  "landing/status-and-version": (deployment) =>
    expectShown(deployment, "landing/status-and-version"),
  "landing/shows": (deployment) => expectShown(deployment, "landing/shows"),
};
