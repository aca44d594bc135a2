import { type Mutation, mutation, nameIn, pair } from "./draft.ts";

/** What any request can have besides its variations: other code paths of a server. */
export const BY_HEAD = mutation(
  "method",
  "HEAD",
  (draft) => {
    if (draft.method === "GET") draft.method = "HEAD";
  },
  { only: "GET" },
);
const CREDENTIAL = /^x-(?:api-key|platform)$/i;
export const IN_QUERY = mutation("placement", "credentials in the query", (draft) => {
  const sent = draft.fields.filter(([name]) => CREDENTIAL.test(name));
  const absent = [["X-API-KEY", "x"] as const, ["X-PLATFORM", "x"] as const];
  draft.fields = draft.fields.filter((one) => !sent.includes(one));
  for (const [name, value] of sent.length > 0 || draft.operation.auth ? sent : absent)
    if (!draft.query.some((one) => nameIn(one) === name)) draft.query.push(pair(name, value));
});
/** With it a command is never carried out, and other faults are still reported. */
export const HARMLESS = mutation(
  "harmless",
  "an unknown member",
  (draft) => void draft.data?.push(["unknown", "1"]),
);
export const MODES: ReadonlyMap<string, Mutation> = new Map(
  [BY_HEAD, IN_QUERY, HARMLESS].map((one) => [one.name, one]),
);
