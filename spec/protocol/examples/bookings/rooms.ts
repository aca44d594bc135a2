import {
  type Database,
  ForeignKeyViolation,
  forgetResponses,
  Problem,
  type Transaction,
  UniqueViolation,
} from "atpoint-server";
import type { ProblemCode, Room, Types } from "./generated/contract.ts";

type Input<Operation extends keyof Types> = Types[Operation]["input"];

/** The indexes of the database decide, so that no two calls can disagree. */
function toProblem(error: unknown): never {
  if (error instanceof UniqueViolation) throw new Problem<ProblemCode>("room-name-taken");
  if (error instanceof ForeignKeyViolation) throw new Problem<ProblemCode>("room-in-use");
  throw error;
}

const notFound = () => new Problem<ProblemCode>("room-not-found");

export type Rooms = ReturnType<typeof openRooms>;

export function openRooms({ pageReader }: Database) {
  const rooms = pageReader<Room>("rooms", {
    id: "id",
    name: "name",
    city: "city",
    capacity: "capacity",
    floor: "floor",
  });
  async function get(id: string, tx?: Transaction): Promise<Room> {
    const room = await rooms.find(id, tx);
    if (!room) throw notFound();
    return room;
  }
  return {
    get,

    list: ({ city, name, minCapacity }: Input<"room.list">) =>
      rooms.with({
        where: {
          city: { equal: city },
          name: { contains: name },
          capacity: { atLeast: minCapacity },
        },
        orderBy: [{ column: "capacity", order: "desc" }],
      }),

    async create(room: Room, tx: Transaction): Promise<Room> {
      await tx.write((knex) => knex("rooms").insert(room)).catch(toProblem);
      return room;
    },

    /** Undefined changes nothing. */
    update: (changes: Input<"room.update">, tx: Transaction): Promise<Room> =>
      tx.transaction(async (tx) => {
        const { id } = changes;
        await tx.write((knex) => knex("rooms").where({ id }).update(changes)).catch(toProblem);
        return get(id, tx);
      }),

    remove: (id: string, tx: Transaction) =>
      tx.transaction(async (tx) => {
        const count = await tx
          .write((knex) => knex("rooms").where({ id }).delete())
          .catch(toProblem);
        if (count === 0) throw notFound();
        await tx.write(forgetResponses([id]));
        return { id };
      }),
  };
}
