import type { Defect } from "../../defect.ts";
import { pathOf, queryOf } from "../../look.ts";
import { letIn } from "../../shape.ts";
import { answerOf, problemsWith, requestOf } from "../../when.ts";
import { asProblem, closed, goodOnes, letInIfPlatform, ofEach, sent } from "./words.ts";

const area = "credentials";
const unknown = ofEach("credentials/platform#");
const whole = ofEach("credentials/whole#platform-");
const ofAnother = ["credentials/scope#of-another-user.list", "credentials/scope#of-another-user.create"];
const scoped = [...ofEach("credentials/scope#"), ...ofAnother];

/** Compares platforms in a way that lets some near misses pass. */
const comparing = (
  name: string,
  description: string,
  accepts: (platform: string, good: string) => boolean,
  catches: readonly string[] = whole,
): Defect => ({
  id: `credentials/platform-${name}`,
  area,
  description,
  requirements: [...new Set(catches.map((id) => id.replace(/#.*/, "")))],
  catches,
  reason: /403/,
  request: letInIfPlatform((platform, good) => platform !== good && accepts(platform, good)),
});

export const credentialPermissionDefects: readonly Defect[] = [
  comparing("case", "Ignores the letter case of a platform.", (one, good) => one.toLowerCase() === good.toLowerCase()),
  comparing("trimmed", "Trims a platform from the query.", (one, good) => one.trim() === good, [
    ...whole,
    ...ofEach("credentials/whole#plus-"),
  ]),
  comparing("prefix", "Looks for the platform in the list as text.", (one, good) => good.includes(one)),
  comparing("longer", "Takes what begins with a platform.", (one, good) => one.startsWith(good)),
  comparing("normalised", "Normalises a platform by NFKC.", (one, good) => one.normalize("NFKC").trim() === good),
  comparing("nul", "Reads a platform to its first NUL.", (one, good) => one.split("\0")[0] === good),
  comparing("list-item", "Looks for the platform in a list.", (one, good) => one.split(/, */).includes(good)),
  comparing("first-word", "Reads a platform to its first blank.", (one, good) => one.split(" ")[0] === good),
  comparing("not-judged", "Asks for a platform and takes any.", () => true, [...unknown, ...whole]),
  comparing("pattern", "Takes a platform as a pattern.", (one) => /^\.?\*$/.test(one), unknown),
  comparing("prototype", "Looks a platform up among the members of an object.", (one) => one in {}, unknown),
  comparing("list", "Takes a list of platforms.", (one) => one.includes(","), unknown),
  comparing("blank", "Takes a blank platform for the usual one.", (one) => one.trim() === "", [
    ...unknown,
    ...ofEach("credentials/empty#"),
  ]),
  comparing("non-ascii", "Lets a platform in that is not ASCII.", (one) => /[^\x20-\x7e]/.test(one), unknown),
  ...closed.map(
    (id): Defect => ({
      id: `credentials/platform-not-judged-${id}`,
      area,
      description: `Takes any platform on ${id}.`,
      requirements: ["credentials/platform", "credentials/whole", "credentials/platform-of-key"],
      catches: [`credentials/platform#${id}`, `credentials/whole#platform-${id}`, `credentials/platform-of-key#${id}`],
      reason: /403/,
      answer: answerOf(
        id,
        problemsWith("platform-not-allowed", (_, request, context) => context.forward(letIn(request, context))),
      ),
    }),
  ),
  {
    id: "credentials/platform-in-query-not-judged",
    area,
    description: "Judges a platform in a header, but none in the query.",
    requirements: ["credentials/platform"],
    catches: unknown,
    reason: /403/,
    answer: problemsWith("platform-not-allowed", (answer, request, context) =>
      /[?&]X-PLATFORM=/.test(request.target) ? context.forward(letIn(request, context)) : answer,
    ),
  },
  {
    id: "credentials/platform-of-key-not-judged",
    area,
    description: "Judges whether there is such a platform, but not whether it is one of the key's.",
    requirements: ["credentials/platform-of-key"],
    catches: ofEach("credentials/platform-of-key#"),
    reason: /403/,
    answer: problemsWith("platform-not-allowed", (answer, request, context) =>
      sent(request, "X-PLATFORM") === goodOnes(context).platform ? context.forward(letIn(request, context)) : answer,
    ),
  },
  {
    id: "credentials/platform-is-401",
    area,
    description: "Refuses a platform with 401.",
    requirements: ["credentials/platform", "credentials/platform-of-key"],
    catches: [...unknown, ...ofEach("credentials/platform-of-key#")],
    reason: /403/,
    answer: problemsWith("platform-not-allowed", (answer) => asProblem(answer, 401, "credentials-invalid")),
  },
  {
    id: "credentials/scope-not-judged",
    area,
    description: "Lets any valid key do anything.",
    requirements: ["credentials/scope"],
    catches: scoped,
    reason: /403/,
    answer: problemsWith("scope-missing", (_, request, context) => context.forward(letIn(request, context))),
  },
  ...closed.map(
    (id): Defect => ({
      id: `credentials/scope-not-judged-${id}`,
      area,
      description: `Lets any valid key call ${id}.`,
      requirements: ["credentials/scope"],
      catches: [`credentials/scope#${id}`],
      reason: /403/,
      answer: answerOf(
        id,
        problemsWith("scope-missing", (_, request, context) => context.forward(letIn(request, context))),
      ),
    }),
  ),
  {
    id: "credentials/any-scope-will-do",
    area,
    description: "Asks only whether the key has a scope at all.",
    requirements: ["credentials/scope"],
    catches: ofAnother,
    reason: /403/,
    answer: problemsWith("scope-missing", async (answer, request, context) => {
      const asked = new URLSearchParams([...queryOf(request)].filter(([name]) => name.startsWith("X-")));
      asked.set("@", "test.health");
      const target = `${pathOf(request)}?${asked}`;
      const { status } = await context.forward({ ...request, method: "GET", target, body: Buffer.alloc(0) });
      return status === 200 ? context.forward(letIn(request, context)) : answer;
    }),
  },
  {
    id: "credentials/scope-is-401",
    area,
    description: "Refuses a key without the scope with 401.",
    requirements: ["credentials/scope"],
    catches: scoped,
    reason: /403/,
    answer: problemsWith("scope-missing", (answer) => asProblem(answer, 401, "credentials-invalid")),
  },
  {
    id: "credentials/scope-called-platform",
    area,
    description: "Has one code for all that is forbidden.",
    requirements: ["credentials/scope"],
    catches: scoped,
    reason: /scope-missing/,
    answer: problemsWith("scope-missing", (answer) => asProblem(answer, 403, "platform-not-allowed")),
  },
  {
    id: "credentials/scope-refused-after-creating",
    area,
    description: "Creates the user, and finds out afterwards that the key may not.",
    requirements: ["credentials/scope"],
    catches: ["credentials/scope#user.create"],
    reason: /creates nothing/,
    answer: problemsWith("scope-missing", async (answer, request, context) => {
      await context.forward(letIn(request, context));
      return answer;
    }),
  },
  {
    id: "credentials/platform-refused-after-creating",
    area,
    description: "Creates the user, and finds out afterwards that the platform is wrong.",
    requirements: ["credentials/platform", "user.create/credentials"],
    catches: ["credentials/platform#user.create", "user.create/credentials#refused"],
    reason: /creates nothing/,
    request: requestOf("user.create", async (request, context) => {
      const { key, platform } = goodOnes(context);
      const right = sent(request, "X-PLATFORM") === platform;
      if (sent(request, "X-API-KEY") === key && !right) await context.forward(letIn(request, context));
      return request;
    }),
  },
];
