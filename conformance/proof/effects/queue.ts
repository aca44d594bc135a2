import { instant, isSame, type Shape } from "./server.ts";

let lastId = 0;

/** Jobs of topics, with texts as ids; how far a job is changes by itself. */
export const queue: Shape = {
  name: "queue",
  owner: "topic",
  record: "job",
  ownerId: "topicId",
  unique: "name",
  text: "payload",
  number: "priority",
  state: { member: "hold", initial: "ready" },
  moves: {
    hold: { from: ["ready"], to: "held" },
    cancel: { from: ["ready", "held"], to: "cancelled" },
  },
  filters: {
    topicId: ["topicId", isSame],
    tag: ["tag", isSame],
    nameStart: ["name", (value: string, wanted: string) => value.startsWith(wanted)],
    payloadPart: ["payload", (value: string, wanted: string) => value.includes(wanted)],
    phase: ["phase", isSame],
    priority: ["priority", (value: number, wanted: number) => value >= wanted],
    runBefore: ["runAt", (value: string, wanted: string) => instant(value) < instant(wanted)],
  },
  order: ["-priority", "runAt", "id"],
  times: ["runAt"],
  ignoresCase: false,
  newId: () => `j${++lastId}`,
  sample: (n) => ({ name: `Other ${n} ${Math.random()}`, priority: n % 100 }),
  otherId: (n) => `Ä ${n % 3 === 0 ? "😀" : "\uFF5A"}/+%&#"'. ${n}`,
  volatile: (age) => ({
    phase: age < 50 ? "queued" : age < 100 ? "running" : "done",
    ...(age > 50 && { progress: Math.min(100, Math.floor(age)) }),
  }),
};
