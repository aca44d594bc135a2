import { type Database, instantOf, Problem, type Transaction } from "atpoint-server";
import type { Booking, ProblemCode, Types } from "./generated/contract.ts";

type Input<Operation extends keyof Types> = Types[Operation]["input"];

interface BookingRow {
  id: string;
  room_id: string;
  title: string;
  starts_at: string;
  minutes: number;
  ends_at: string;
  status: Booking["status"];
}

const MINUTE_MS = 60_000;

/** Its times as they are stored. */
function timesOf(startsAt: string, minutes: number) {
  const start = instantOf(startsAt);
  const end = new Date(start.getTime() + minutes * MINUTE_MS);
  return { starts_at: start.toISOString(), minutes, ends_at: end.toISOString() };
}

function reject(code: ProblemCode): never {
  throw new Problem(code);
}

/**
 * Rejects a time at which another booking has the room. It writes to the room first, so that
 * others that want it wait until this transaction ends.
 */
async function expectFree(
  { id, room_id, starts_at, ends_at }: Omit<BookingRow, "title" | "status">,
  { read, write }: Transaction,
): Promise<void> {
  const room = { id: room_id };
  const count = await write((knex) => knex("rooms").where(room).update(room));
  if (count === 0) reject("room-not-found");
  const others = await read((knex) =>
    knex("bookings")
      .where({ room_id, status: "booked" })
      .whereNot({ id })
      .where("starts_at", "<", ends_at)
      .where("ends_at", ">", starts_at)
      .limit(1),
  );
  if (others.length > 0) reject("room-taken");
}

export type Bookings = ReturnType<typeof openBookings>;

export function openBookings({ pageReader, isoTimestampSql }: Database) {
  const bookings = pageReader<Booking, BookingRow>("bookings", {
    id: "id",
    roomId: "room_id",
    title: "title",
    startsAt: isoTimestampSql("starts_at"),
    minutes: "minutes",
    endsAt: isoTimestampSql("ends_at"),
    status: "status",
  });
  const get = async (id: string, tx?: Transaction): Promise<Booking> =>
    (await bookings.find(id, tx)) ?? reject("booking-not-found");
  /** The booking, which no other call changes until the transaction ends. */
  async function lock(id: string, tx: Transaction): Promise<Booking> {
    await tx.write((knex) => knex("bookings").where({ id }).update({ id }));
    return get(id, tx);
  }
  return {
    get,

    list: ({ roomId, status, startsBefore, endsFrom }: Input<"booking.list">) =>
      bookings.with({
        where: {
          room_id: { equal: roomId },
          status: { equal: status },
          starts_at: { before: startsBefore && instantOf(startsBefore) },
          ends_at: { atLeast: endsFrom && instantOf(endsFrom) },
        },
        orderBy: ["starts_at"],
      }),

    create: (id: string, input: Input<"booking.create">, tx: Transaction): Promise<Booking> =>
      tx.transaction(async (tx) => {
        const { roomId, title, startsAt, minutes } = input;
        const row = { id, room_id: roomId, ...timesOf(startsAt, minutes) };
        await expectFree(row, tx);
        await tx.write((knex) => knex("bookings").insert({ ...row, title, status: "booked" }));
        return get(id, tx);
      }),

    update: (changes: Input<"booking.update">, tx: Transaction): Promise<Booking> =>
      tx.transaction(async (tx) => {
        const { id } = changes;
        const booking = await lock(id, tx);
        const { title, startsAt, minutes } = { ...booking, ...changes };
        const row = { id, room_id: booking.roomId, ...timesOf(startsAt, minutes) };
        if (booking.status === "booked") await expectFree(row, tx);
        await tx.write((knex) =>
          knex("bookings")
            .where({ id })
            .update({ ...row, title }),
        );
        return get(id, tx);
      }),

    cancel: (id: string, tx: Transaction): Promise<Booking> =>
      tx.transaction(async (tx) => {
        const { status } = await lock(id, tx);
        if (status === "cancelled") reject("booking-cancelled");
        await tx.write((knex) => knex("bookings").where({ id }).update({ status: "cancelled" }));
        return get(id, tx);
      }),
  };
}
