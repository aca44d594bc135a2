import type { Defect } from "./defect.ts";

/** Eight of them are about records. */
export const defects: readonly Defect[] = [
  {
    what: "a filter by city includes other cities",
    file: "rooms.ts",
    text: "city: { equal: city }",
    by: "city: { startsWith: city }",
    requirement: "effects/filter",
  },
  {
    what: "a room can be renamed to a name that is taken",
    file: "migrations.ts",
    text: "create unique index rooms_name on rooms (lower(name))",
    by: "create unique index rooms_name on rooms (name)",
    requirement: "effects/unique",
  },
  {
    what: "a booking can be cancelled twice",
    file: "bookings.ts",
    text: 'if (status === "cancelled") reject("booking-cancelled");',
    by: "void status;",
    requirement: "effects/state",
  },
  {
    what: "null does not remove the floor of a room",
    file: "rooms.ts",
    text: ".update(changes)",
    by: ".update({ ...changes, floor: changes.floor ?? undefined })",
    requirement: "effects/updated",
  },
  {
    what: "bookings are in the order of their ends",
    file: "bookings.ts",
    text: 'orderBy: ["starts_at"]',
    by: 'orderBy: ["ends_at"]',
    requirement: "effects/order",
  },
  {
    what: "a deleted room can be read",
    file: "rooms.ts",
    text: 'knex("rooms").where({ id }).delete()',
    by: 'knex("rooms").where({ id }).update({ id })',
    requirement: "effects/deleted",
  },
  {
    what: "a room that does not exist can be booked",
    file: "bookings.ts",
    text: 'if (count === 0) reject("room-not-found");',
    by: 'if (count === 0) reject("room-taken");',
    requirement: "effects/requires",
  },
  {
    what: "a cancelled booking is not listed",
    file: "bookings.ts",
    text: "status: { equal: status }",
    by: 'status: { equal: status ?? "booked" }',
    requirement: "effects/listed",
  },
  {
    what: "a title is stored without the blanks around it",
    file: "bookings.ts",
    text: "insert({ ...row, title, status",
    by: "insert({ ...row, title: title.trim(), status",
    requirement: "effects/created",
  },
  {
    what: "a change of a room forgets the responses of earlier ones",
    file: "rooms.ts",
    text: "return get(id, tx);",
    by: "await tx.write(forgetResponses([id]));\n        return get(id, tx);",
    requirement: "idempotency/replayed",
  },
];
