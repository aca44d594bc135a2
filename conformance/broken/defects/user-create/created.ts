import { randomUUID } from "node:crypto";
import type { Defect } from "../../defect.ts";
import { operationOf } from "../../look.ts";
import { withJson, withStatus } from "../../shape.ts";
import { answering, listing, storing, userIn } from "./words.ts";

const area = "user.create";
const answered = "user.create/created#answered";
const sideBySide = "user.create/created#side-by-side";
const created = { area, requirements: ["user.create/created"], catches: [answered, sideBySide] };

const HOUR = 3_600_000;

/** Another time of creation. */
const timed = (change: (time: number) => number) =>
  storing((user) => ({ ...user, createdAt: new Date(change(Date.parse(String(user.createdAt)))).toISOString() }));

const identified = (change: (id: string) => string) => storing((user) => ({ ...user, id: change(String(user.id)) }));

/** Lists only those that were there before this server. */
const olderUsers = listing((users, { state }) => users.filter(({ id }) => !state.has(String(id))));

export const createdDefects: readonly Defect[] = [
  {
    ...created,
    id: "user.create/answers-202",
    description: "Answers 202: the user may come.",
    reason: /201/,
    answer: (answer) => (userIn(answer) ? withStatus(answer, 202) : answer),
  },
  {
    ...created,
    id: "user.create/answers-204",
    description: "Answers 204 and no user.",
    reason: /201/,
    answer: (answer) => (userIn(answer) ? { ...withStatus(answer, 204), body: Buffer.alloc(0) } : answer),
  },
  {
    ...created,
    id: "user.create/answers-more",
    description: "Answers members that are not documented.",
    reason: /documented/,
    ...answering((user) => ({ ...user, updatedAt: user.createdAt })),
  },
  {
    ...created,
    id: "user.create/answers-less",
    description: "Answers no createdAt.",
    reason: /documented/,
    ...answering(({ createdAt: _, ...user }) => user),
  },
  {
    ...created,
    id: "user.create/answers-enveloped",
    description: "Answers the user in an envelope.",
    reason: /documented/,
    ...answering((user) => ({ data: user })),
  },
  {
    ...created,
    id: "user.create/answers-id-only",
    description: "Answers the id alone.",
    reason: /documented/,
    ...answering(({ id }) => ({ id })),
  },
  {
    ...created,
    id: "user.create/answers-crossed",
    description: "Answers the user of another request at the same time.",
    catches: [sideBySide],
    reason: /the answer to/,
    answer: (answer, _request, { state }) => {
      const user = userIn(answer);
      if (!user) return answer;
      const before = state.get("user") ?? user;
      state.set("user", user);
      return withJson(answer, () => before);
    },
  },
  {
    ...created,
    id: "user.create/same-id",
    description: "Gives every user the same id.",
    catches: [sideBySide],
    reason: /an id for each user/,
    ...identified(() => "01a1fda2-cb9b-7486-b404-412e6264e244"),
  },
  {
    ...created,
    id: "user.create/counted-ids",
    description: "Has no random bits in its ids.",
    catches: [sideBySide],
    reason: /an id for each user/,
    ...identified((id) => `${id.slice(0, 19)}8000-000000000001`),
  },
  {
    area,
    id: "user.create/random-id",
    description: "Has UUIDs of version 4 for ids.",
    requirements: ["user.create/id"],
    catches: ["user.create/id"],
    reason: /documented|UUID/,
    ...answering((user) => ({ ...user, id: randomUUID() })),
  },
  {
    area,
    id: "user.create/numbered",
    description: "Has numbers for ids.",
    requirements: ["user.create/id"],
    catches: ["user.create/id"],
    reason: /documented|UUID/,
    ...answering((user) => ({ ...user, id: "42" })),
  },
  {
    area,
    id: "user.create/id-of-another-variant",
    description: "Has ids of another variant than RFC 9562 has.",
    requirements: ["user.create/id"],
    catches: ["user.create/id"],
    reason: /documented|UUID/,
    ...identified((id) => `${id.slice(0, 19)}c${id.slice(20)}`),
  },
  {
    area,
    id: "user.create/id-in-seconds",
    description: "Counts seconds in its ids.",
    requirements: ["user.create/id"],
    catches: ["user.create/id"],
    reason: /the time in the id/,
    ...identified((id) => {
      const seconds = Math.floor(Date.now() / 1000)
        .toString(16)
        .padStart(12, "0");
      return `${seconds.slice(0, 8)}-${seconds.slice(8)}${id.slice(13)}`;
    }),
  },
  {
    area,
    id: "user.create/id-without-time",
    description: "Has random bits where the time belongs.",
    requirements: ["user.create/id"],
    catches: ["user.create/id"],
    reason: /the time in the id/,
    ...identified((id) => `${randomUUID().slice(0, 13)}${id.slice(13)}`),
  },
  ...[
    ["local-time", "Has local time and calls it UTC.", (time: number) => time + 2 * HOUR] as const,
    ["epoch", "Takes milliseconds for seconds.", (time: number) => time / 1000] as const,
    ["day", "Has the day of the creation only.", (time: number) => time - (time % (24 * HOUR)) - HOUR] as const,
    ["start", "Has the time of its own start.", (time: number) => time - 10 * 60_000] as const,
  ].map(([what, description, change]) => ({
    area,
    id: `user.create/created-at-${what}`,
    description,
    requirements: ["user.create/created-at"],
    catches: ["user.create/created-at"],
    reason: /createdAt within a minute/,
    ...timed(change),
  })),
  {
    area,
    id: "user.create/created-at-of-the-list",
    description: "Lists another time than it answered.",
    requirements: ["user.create/created-at", "user.create/listed", "user.create/created"],
    catches: ["user.create/created-at", "user.create/listed", "user.create/created"],
    reason: /createdAt .* in the list too/,
    ...listing((users) =>
      users.map((user) => ({ ...user, createdAt: String(user.createdAt).replace(/\.\d+Z$/, ".000001Z") })),
    ),
  },
  {
    area,
    id: "user.create/listed-late",
    description: "Lists the newest users from a replica that is behind.",
    requirements: ["user.create/listed", "user.create/created"],
    catches: ["user.create/listed", "user.create/created"],
    reason: /listed once/,
    answer: (answer, request, context) => {
      const user = userIn(answer);
      if (user) context.state.set(String(user.id), true);
      return olderUsers.answer?.(answer, request, context) ?? answer;
    },
  },
  {
    area,
    id: "user.create/listed-from-a-cache",
    description: "Lists what it listed first.",
    requirements: ["user.create/listed", "user.create/as-sent"],
    catches: ["user.create/listed", "user.create/as-sent#unicode"],
    reason: /listed once/,
    answer: (answer, request, { state }) => {
      if (operationOf(request) !== "user.list" || answer.status !== 200) return answer;
      if (!state.has("list")) state.set("list", { ...answer, body: Buffer.from('{"items":[]}') });
      return withJson(answer, () => ({ items: [] }));
    },
  },
  {
    area,
    id: "user.create/listed-twice",
    description: "Lists a new user twice.",
    requirements: ["user.create/listed"],
    catches: ["user.create/listed"],
    reason: /listed once/,
    ...listing((users) => [...users, ...users.slice(-1)]),
  },
];
