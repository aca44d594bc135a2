import { queries } from "../../../client/operation.ts";
import type { Defect } from "../../defect.ts";
import { jsonAnswer, pathOf } from "../../look.ts";
import { withBody, withHeader, withJson, withQuery } from "../../shape.ts";
import { answerOf } from "../../when.ts";
import { checksOf, knownOperation } from "../dispatch/words.ts";

type Change = NonNullable<Defect["answer"]>;

/** Changes the JSON successes of operations, and nothing else. */
const successes =
  (change: Change): Change =>
  (answer, request, context) =>
    answer.status < 300 && pathOf(request) === "/api/" && knownOperation(request) && jsonAnswer(answer)
      ? change(answer, request, context)
      : answer;

const schema = [...checksOf("answers/schema", queries), "answers/schema#every-success"];
const times = [...checksOf("answers/times", queries), "answers/times#every-success"];
const noNull = [...checksOf("answers/absent-not-null", queries), "answers/absent-not-null#every-success"];

const withMember = (name: string, value: unknown) =>
  successes((answer) => withJson(answer, (body) => ({ ...body, [name]: value })));

export const schemaDefects: readonly Defect[] = [
  {
    id: "docs.get/answers-list",
    area: "schema",
    description: "Answers a document with the list of documents.",
    requirements: ["answers/schema"],
    catches: ["answers/schema#docs.get"],
    reason: /as documented/,
    answer: answerOf("docs.get.", (answer, request, { forward }) =>
      answer.status === 200 ? forward(withQuery(request, (query) => query.set("@", "docs.list"))) : answer,
    ),
  },
  {
    id: "answers/more-members",
    area: "schema",
    description: "Adds the member `took` to every answer.",
    requirements: ["answers/schema"],
    catches: schema,
    reason: /took|additional/,
    answer: withMember("took", 3),
  },
  {
    id: "answers/links",
    area: "schema",
    description: "Adds links to every answer.",
    requirements: ["answers/schema"],
    catches: schema,
    reason: /additional/,
    answer: withMember("_links", { self: "/api/" }),
  },
  {
    id: "answers/member-missing",
    area: "schema",
    description: "Leaves the first member of every answer away.",
    requirements: ["answers/schema"],
    catches: schema,
    reason: /required/,
    answer: successes((answer) => withJson(answer, (body) => Object.fromEntries(Object.entries(body).slice(1)))),
  },
  {
    id: "answers/snake-case",
    area: "schema",
    description: "Names members in snake_case.",
    requirements: ["answers/schema"],
    catches: ["sysinfo", "docs.get", "every-success"].map((each) => `answers/schema#${each}`),
    reason: /as documented/,
    answer: successes((answer) =>
      withJson(answer, (body) =>
        Object.fromEntries(
          Object.entries(body).map(([name, value]) => [
            name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
            value,
          ]),
        ),
      ),
    ),
  },
  {
    id: "answers/size-as-text",
    area: "schema",
    description: "Writes the size of a document as a string.",
    requirements: ["answers/schema"],
    catches: ["answers/schema#docs.list", "answers/schema#every-success"],
    reason: /size/,
    answer: answerOf("docs.list", (answer) =>
      withBody(answer, answer.body.toString().replace(/"size":(\d+)/g, '"size":"$1"')),
    ),
  },
  {
    id: "test.health/up",
    area: "schema",
    description: "Says `up` where health says `pass`.",
    requirements: ["answers/schema"],
    catches: ["answers/schema#test.health"],
    reason: /status/,
    answer: answerOf("test.health", (answer) => withJson(answer, (body) => ({ ...body, status: "up" }))),
  },
  {
    id: "docs.get/markdown-for-text",
    area: "schema",
    description: "Answers text/markdown where text/plain was asked for.",
    requirements: ["answers/schema"],
    catches: ["answers/schema#docs.get"],
    reason: /text\/plain/,
    answer: answerOf("docs.get.", (answer, request) =>
      request.headers.some(([name, value]) => /^accept$/i.test(name) && value === "text/plain")
        ? withHeader(answer, "Content-Type", "text/markdown; charset=utf-8")
        : answer,
    ),
  },

  {
    id: "answers/local-time",
    area: "times",
    description: "Adds a local time to every answer.",
    requirements: ["answers/times"],
    catches: times,
    reason: /ends in Z/,
    answer: withMember("servedAt", "2026-01-31 12:00:00"),
  },
  {
    id: "answers/no-such-day",
    area: "times",
    description: "Adds the 30th of February to every answer.",
    requirements: ["answers/times"],
    catches: times,
    reason: /ends in Z/,
    answer: withMember("servedAt", "2026-02-30T12:00:00Z"),
  },
  {
    id: "answers/time-with-offset",
    area: "times",
    description: "Writes the time with the offset +00:00.",
    requirements: ["answers/times"],
    catches: ["answers/times#sysinfo", "answers/times#every-success"],
    reason: /ends in Z/,
    answer: answerOf("sysinfo", (answer) =>
      withJson(answer, (body) => ({ ...body, time: String(body.time).replace("Z", "+00:00") })),
    ),
  },
  {
    id: "sysinfo/time-as-number",
    area: "times",
    description: "Writes the time as milliseconds.",
    requirements: ["answers/times"],
    catches: ["answers/times#sysinfo", "answers/times#every-success"],
    reason: /ends in Z/,
    answer: answerOf("sysinfo", (answer) =>
      withJson(answer, (body) => ({ ...body, time: Date.parse(String(body.time)) })),
    ),
  },
  {
    id: "sysinfo/time-of-http",
    area: "times",
    description: "Writes the time as HTTP does.",
    requirements: ["answers/times"],
    catches: ["answers/times#sysinfo"],
    reason: /ends in Z/,
    answer: answerOf("sysinfo", (answer) =>
      withJson(answer, (body) => ({ ...body, time: new Date(String(body.time)).toUTCString() })),
    ),
  },

  {
    id: "answers/null",
    area: "schema",
    description: "Adds `error: null` to every answer.",
    requirements: ["answers/absent-not-null"],
    catches: noNull,
    reason: /null at/,
    answer: withMember("error", null),
  },
  {
    id: "user.list/cursor-null",
    area: "schema",
    description: "Ends the list with `nextCursor: null`.",
    requirements: ["answers/absent-not-null"],
    catches: ["answers/absent-not-null#last-page"],
    reason: /null at #\/nextCursor/,
    answer: answerOf("user.list", (answer) =>
      withJson(answer, (body) => ("items" in body ? { nextCursor: null, ...body } : body)),
    ),
  },
];
