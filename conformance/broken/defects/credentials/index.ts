import { requirements } from "../../../../generated/requirements.ts";
import type { Defect } from "../../defect.ts";
import { namedIn, queryOf } from "../../look.ts";
import { letIn, withQuery } from "../../shape.ts";
import { requestOf } from "../../when.ts";
import { bypassDefects } from "./bypasses.ts";
import { elsewhereDefects } from "./elsewhere.ts";
import { emptyDefects } from "./empty.ts";
import { credentialKeyDefects } from "./keys.ts";
import { missingDefects } from "./missing.ts";
import { credentialPermissionDefects } from "./permissions.ts";
import { credentialPlaceDefects } from "./places.ts";
import { credentialPublicDefects } from "./public.ts";
import { credentialShownDefects } from "./shown.ts";
import { closed, dropQuery, goodOnes, inHeader, inQuery, ofEach, sent, sentBoth } from "./words.ts";

const area = "credentials";

/** What an operation itself says of credentials; one that came later may leave it to the rest. */
const own = (id: string): string[] =>
  requirements.map((requirement): string => requirement.id).filter((one) => one === `${id}/credentials`);

const openToAll: readonly Defect[] = closed.map((id) => ({
  id: `credentials/not-required-${id}`,
  area,
  description: `Asks nobody for credentials on ${id}.`,
  requirements: ["credentials/missing", "credentials/empty", "credentials/missing-says-which", ...own(id)],
  catches: [`credentials/missing#${id}`, `credentials/empty#${id}`, `credentials/missing-says-which#${id}`, ...own(id)],
  reason: /401|refus/,
  request: requestOf(id, letIn),
}));

/** A default in place of what was not sent: with a key, the platform is taken to be the usual one. */
const withPlatform =
  (counts: (platform: string | null) => boolean): NonNullable<Defect["request"]> =>
  (request, context) => {
    const { key, platform } = goodOnes(context);
    if (sent(request, "X-PLATFORM") || sent(request, "X-API-KEY") !== key) return request;
    const given = inHeader(request, "X-PLATFORM") ?? inQuery(request, "X-PLATFORM");
    return counts(given) ? letIn(request, { ...context, credentials: { key, platform } }) : request;
  };

export const credentialDefects: readonly Defect[] = [
  {
    id: "credentials/not-required",
    area,
    description: "Lets everybody in, with or without a key.",
    requirements: [
      "credentials/missing",
      "user.list/credentials",
      "test.health/credentials",
      "user.create/credentials",
    ],
    catches: ["credentials/missing", "user.list/credentials", "test.health/credentials", "user.create/credentials"],
    reason: /401|refus/,
    request: letIn,
  },
  ...openToAll,
  {
    id: "credentials/query-ignored",
    area,
    description: "Takes a key from the header only.",
    requirements: ["user.list/placements", "test.health/placements", "user.create/placements"],
    catches: ["user.list/placements", "test.health/placements", "user.create/placements"],
    reason: /2xx|20[01]/,
    request: (request) =>
      queryOf(request).has("X-API-KEY") ? withQuery(request, (query) => query.delete("X-API-KEY")) : request,
  },
  {
    id: "credentials/platform-in-query-ignored",
    area,
    description: "Takes a platform from the header only.",
    requirements: ["user.list/placements", "test.health/placements", "user.create/placements"],
    catches: ["user.list/placements", "test.health/placements", "user.create/placements"],
    reason: /2xx|20[01]/,
    request: (request) => dropQuery(request, "X-PLATFORM"),
  },
  {
    id: "credentials/one-place-for-both",
    area,
    description: "Wants key and platform in the same place: both headers, or both parameters.",
    requirements: ["user.list/placements", "test.health/placements", "user.create/placements"],
    catches: ["user.list/placements#combinations", "test.health/placements#combinations", "user.create/placements"],
    reason: /2xx|20[01]/,
    request: (request) => (inHeader(request, "X-API-KEY") ? dropQuery(request, "X-PLATFORM") : request),
  },
  {
    id: "credentials/query-read-behind-the-operation",
    area,
    description: "Finds a key in the query only behind `@`.",
    requirements: ["user.list/placements", "test.health/placements"],
    catches: ["user.list/placements#query-order", "test.health/placements#query-order"],
    reason: /2xx/,
    request: (request) => (/\?X-/.test(request.target) ? dropQuery(request, "X-API-KEY") : request),
  },
  {
    id: "credentials/query-ignored-on-post",
    area,
    description: "Reads no query on POST.",
    requirements: ["user.create/placements"],
    catches: ["user.create/placements"],
    reason: /201/,
    request: (request) =>
      request.method === "POST" ? dropQuery(dropQuery(request, "X-API-KEY"), "X-PLATFORM") : request,
  },
  {
    id: "credentials/created-before-judged",
    area,
    description: "Creates the user, and refuses the caller afterwards.",
    requirements: ["user.create/credentials", "credentials/missing"],
    catches: ["user.create/credentials", "credentials/missing#user.create"],
    reason: /refused call that creates nothing/,
    request: requestOf("user.create", async (request, context) => {
      const { key } = goodOnes(context);
      if (sent(request, "X-API-KEY") !== key || !sentBoth(request).platform)
        await context.forward(letIn(request, context));
      return request;
    }),
  },
  {
    id: "credentials/head-not-judged",
    area,
    description: "Asks for credentials on GET only, not on HEAD.",
    requirements: ["credentials/missing"],
    catches: ["credentials/missing#head-user.list", "credentials/missing#head-test.health"],
    reason: /401/,
    request: (request, context) => (request.method === "HEAD" && namedIn(request) ? letIn(request, context) : request),
  },
  {
    id: "credentials/last-caller-remembered",
    area,
    description: "Takes a request without credentials for one of the caller before.",
    requirements: ["credentials/missing"],
    catches: [
      ...ofEach("credentials/missing#"),
      ...ofEach("credentials/missing#same-connection-"),
      ...ofEach("credentials/missing#in-parallel-"),
    ],
    reason: /401/,
    request: (request, context) => {
      const { key, platform } = sentBoth(request);
      if (key === goodOnes(context).key && platform !== "") context.state.set("known", true);
      return !key && !platform && namedIn(request) && context.state.has("known") ? letIn(request, context) : request;
    },
  },
  {
    id: "credentials/key-alone-is-enough",
    area,
    description: "Takes the usual platform when none was sent.",
    requirements: ["credentials/missing", "credentials/missing-says-which", "credentials/empty"],
    catches: [...ofEach("credentials/missing#"), "credentials/missing-says-which", "credentials/empty"],
    reason: /401/,
    request: withPlatform(() => true),
  },
  {
    id: "credentials/empty-platform-is-the-default",
    area,
    description: "Takes the usual platform when an empty one was sent.",
    requirements: ["credentials/missing-says-which", "credentials/empty"],
    catches: ["credentials/missing-says-which", "credentials/empty"],
    reason: /401/,
    request: withPlatform((given) => given === ""),
  },
  {
    id: "credentials/platform-alone-is-enough",
    area,
    description: "Asks for a platform only; without a key the caller is let in.",
    requirements: [
      "credentials/missing",
      "user.list/credentials",
      "test.health/credentials",
      "user.create/credentials",
    ],
    catches: [
      ...ofEach("credentials/missing#"),
      ...ofEach("credentials/missing#head-").filter((id) => !id.endsWith("create")),
      "user.list/credentials",
      "test.health/credentials",
      "user.create/credentials",
    ],
    reason: /401|refus/,
    request: (request, context) => {
      const { key, platform } = sentBoth(request);
      return !key && platform ? letIn(request, context) : request;
    },
  },
  ...bypassDefects,
  ...missingDefects,
  ...credentialKeyDefects,
  ...credentialPermissionDefects,
  ...credentialPlaceDefects,
  ...emptyDefects,
  ...elsewhereDefects,
  ...credentialPublicDefects,
  ...credentialShownDefects,
];
