import { queries } from "../../../client/operation.ts";
import type { Defect } from "../../defect.ts";
import { jsonAnswer, pathOf } from "../../look.ts";
import { verbatim, withBody, withHeader, withJson } from "../../shape.ts";
import { answerOf } from "../../when.ts";
import { checksOf, knownOperation } from "../dispatch/words.ts";

const area = "answers";

type Change = NonNullable<Defect["answer"]>;

/** Changes the JSON successes of operations, and nothing else. */
const successes =
  (change: Change): Change =>
  (answer, request, context) =>
    answer.status < 300 && pathOf(request) === "/api/" && knownOperation(request) && jsonAnswer(answer)
      ? change(answer, request, context)
      : answer;

const object = [...checksOf("answers/object", queries), "answers/object#every-success"];
const schema = [...checksOf("answers/schema", queries), "answers/schema#every-success"];

export const successDefects: readonly Defect[] = [
  {
    id: "answers/envelope",
    area,
    description: 'Wraps every answer: `{"data": …}`.',
    requirements: ["answers/object", "answers/schema"],
    catches: [...object, ...schema],
    reason: /envelope|as documented/,
    answer: successes((answer) => withJson(answer, (body) => ({ data: body }))),
  },
  {
    id: "answers/envelope-with-success",
    area,
    description: "Wraps every answer beside a flag of success.",
    requirements: ["answers/object"],
    catches: object,
    reason: /envelope/,
    answer: successes((answer) => withJson(answer, (body) => ({ success: true, result: body }))),
  },
  {
    id: "answers/array",
    area,
    description: "Answers with an array at the top.",
    requirements: ["answers/object"],
    catches: object,
    reason: /JSON object/,
    answer: successes((answer) => withJson(answer, (body) => [body])),
  },
  {
    id: "user.list/array",
    area,
    description: "Answers user.list with the list alone.",
    requirements: ["answers/object", "answers/schema"],
    catches: ["answers/object#user.list", "answers/schema#user.list"],
    reason: /JSON object|as documented/,
    answer: answerOf("user.list", (answer) => withJson(answer, (body) => body.items ?? body)),
  },
  {
    id: "answers/without-charset",
    area,
    description: "Does not name the charset.",
    requirements: ["answers/object"],
    catches: object,
    reason: /charset=utf-8/,
    answer: successes((answer) => withHeader(answer, "Content-Type", "application/json")),
  },
  {
    id: "answers/other-charset",
    area,
    description: "Names a charset that it is not in.",
    requirements: ["answers/object"],
    catches: object,
    reason: /charset=utf-8/,
    answer: successes((answer) => withHeader(answer, "Content-Type", "application/json; charset=iso-8859-1")),
  },
  {
    id: "answers/as-text",
    area,
    description: "Sends JSON as text/html.",
    requirements: ["answers/object", "answers/schema"],
    catches: [...checksOf("answers/object", queries), ...checksOf("answers/schema", queries)],
    reason: /application\/json/,
    answer: successes((answer) => withHeader(answer, "Content-Type", "text/html; charset=utf-8")),
  },
  {
    id: "answers/vendor-type",
    area,
    description: "Sends JSON as application/hal+json.",
    requirements: ["answers/object", "answers/schema"],
    catches: [...object, ...schema],
    reason: /application\/json/,
    answer: successes((answer) => withHeader(answer, "Content-Type", "application/hal+json; charset=utf-8")),
  },
  {
    id: "answers/byte-order-mark",
    area,
    description: "Begins every answer with a byte order mark.",
    requirements: ["answers/object", "answers/schema"],
    catches: [...object, ...schema, "answers/object#nothing-behind"],
    reason: /byte order mark/,
    answer: successes((answer) => withBody(answer, `\uFEFF${answer.body.toString()}`)),
  },
  {
    id: "answers/two-texts",
    area,
    description: "Sends a second JSON text behind the first.",
    requirements: ["answers/object"],
    catches: [...object, "answers/object#nothing-behind"],
    reason: /one JSON text/,
    answer: successes((answer) => withBody(answer, `${answer.body.toString()}\n{}`)),
  },
  {
    id: "answers/bytes-behind",
    area,
    description: "Sends more bytes than Content-Length says.",
    requirements: ["answers/object"],
    catches: ["answers/object#nothing-behind"],
    reason: /nothing behind/,
    answer: successes((answer) => {
      const { raw = Buffer.alloc(0), ...whole } = verbatim(answer);
      return { ...whole, raw: Buffer.concat([raw, Buffer.from("\r\n\r\n")]) };
    }),
  },
  {
    id: "answers/encoded-twice",
    area,
    description: "Encodes JSON twice: a string that holds it.",
    requirements: ["answers/object"],
    catches: object,
    reason: /JSON object/,
    answer: successes((answer) => withBody(answer, JSON.stringify(answer.body.toString()))),
  },
  {
    id: "answers/json-prefix",
    area,
    description: "Begins every answer with the guard `)]}'`.",
    requirements: ["answers/object"],
    catches: object,
    reason: /one JSON text/,
    answer: successes((answer) => withBody(answer, `)]}',\n${answer.body.toString()}`)),
  },
  {
    id: "answers/not-utf-8",
    area,
    description: "Sends a byte that is not UTF-8.",
    requirements: ["answers/object"],
    catches: object,
    reason: /UTF-8/,
    answer: successes((answer) => withBody(answer, Buffer.concat([answer.body, Buffer.from([0xff])]))),
  },
];
