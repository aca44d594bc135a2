// What a spec states of effects: as the contract and the reference have it, and what is rejected.
import { resolve } from "node:path";
import { expect, it } from "vitest";
import { SpecError } from "./emit.ts";
import { generateFrom } from "./write.test-kit.ts";

const protocol = resolve(import.meta.dirname, "..");
const DOCUMENTED = '@summary("x") @doc("x") @useAuth(NoAuth)';
const EXAMPLE = '@opExample(#{ parameters: #{ body: #{ `@`: "room.NAME", data: #{ id: 1 } } } })';

/** A spec of rooms; `changes`: texts of it, each with what replaces it. */
function specOf(...changes: readonly (readonly [text: string, by: string])[]): string {
  const spec = `import "${protocol}";
using Http;
using OpenAPI;
@service(#{ title: "Small" })
@info(#{ version: "1.0.0" }) @keys(#{ realm: "small", prefix: "sml_" })
namespace Atpoint;
enum Status { open, closed }
model Room {
  @key @visibility(Lifecycle.Read) id: int32;
  @unique("name-taken", Compare.ignoreAsciiCase) name: string;
  seats?: int32;
  status: Status;
  @volatile guests: int32;
}
model RoomPage is Page<Room>;
model NewRoom { ...Record<never>; ...Create<Room>; }
model RoomChange {
  ...Record<never>;
  @exampleFrom(#{ operation: "room.create", pointer: "/id" }) id: int32;
  seats?: int32;
}
model NotFound is Problem<404, "room-not-found", "No such room", "No room has this id.">;
model Taken is Problem<409, "name-taken", "The name is taken", "A room has this name.">;
model Closed is Problem<409, "room-closed", "The room is closed", "The room is closed.">;
@@refuses(Step.handle, "room-not-found", "name-taken", "room-closed");

${DOCUMENTED} @createsResource(Room)
@opExample(#{
  parameters: #{
    body: #{ \`@\`: "room.create", data: #{ name: "A", status: Status.open, guests: 0 } },
  },
})
op roomCreate is Command<"room.create", NewRoom, Created<Room> | Taken>;

${DOCUMENTED} ${EXAMPLE.replace("NAME", "close")}
@state(Room.status, #["open"], "closed", "room-closed")
@updatesResource(Room, "room-not-found")
op roomClose is Command<"room.close", RoomChange, Ok<Room> | NotFound | Closed>;

${DOCUMENTED} @listsResource(Room)
@orderedBy(Room.seats, Direction.descending, Room.id)
op roomList is Query<
  "room.list",
  { ...PageParameters; @query @filters(Room.seats, Match.atLeast) seats?: int32; },
  OkPage<RoomPage> | InvalidCursor
>;
`;
  return changes.reduce((text, [part, by]) => {
    expect(text).toContain(part);
    return text.replace(part, by);
  }, spec);
}

it("is in the contract, in OpenAPI and in the reference", async () => {
  const files = await generateFrom(specOf());
  const { resources, operations } = JSON.parse(files.get("contract.json") ?? "");
  expect(resources).toEqual({
    Room: {
      key: "id",
      readOnly: ["id"],
      volatile: ["guests"],
      unique: [{ member: "name", code: "name-taken", ignoresCase: true }],
    },
  });
  expect(operations["room.create"].effect).toEqual({ kind: "creates", resource: "Room" });
  expect(operations["room.close"]).toMatchObject({
    effect: { kind: "updates", resource: "Room", key: "id", absent: "room-not-found" },
    state: { member: "status", from: ["open"], to: "closed", code: "room-closed" },
  });
  const list = {
    effect: { kind: "lists", resource: "Room" },
    filters: { seats: { member: "seats", match: "atLeast" } },
    order: [
      { member: "seats", descending: true },
      { member: "id", descending: false },
    ],
  };
  expect(operations["room.list"]).toMatchObject(list);
  const { paths } = JSON.parse(files.get("openapi.operations.json") ?? "");
  expect(paths["/api/room.list/../"].get["x-effects"]).toEqual(list);
  const reference = files.get("docs/reference.md");
  expect(reference).toContain("- `seats` filters by `seats`, from this value on.");
  expect(reference).toContain("- In the order of `seats` descending, `id`.");
  expect(reference).toContain("- `status` must be `open`, and is then `closed`");
});

it.each<[why: string, text: string, by: string]>([
  ["Room needs one member with @key", "@key @visib", "@visib"],
  ["what lists records is a query", "@createsResource(Room)", "@listsResource(Room)"],
  ["none of its input names the Room", 'pointer: "/id" }) id:', 'pointer: "/id" }) of:'],
  ["its success is not Room", "Created<Room> | Taken", "Created<RoomPage> | Taken"],
  ['the problem "room-closed" is not among', "NotFound | Closed>", "NotFound>"],
  [
    "an absent member of an update stays",
    "seats?: int32;\n}\nmodel NotFound",
    "seats?: int32 = 1;\n}\nmodel NotFound",
  ],
  [
    "the order of a list ends with the key",
    "Direction.descending, Room.id",
    "Direction.descending",
  ],
  ['"limit" is no member of Room', "(Room.seats, Direction", "(PageParameters.limit, Direction"],
  ['a filter selects by "limit"', "@filters(Room.seats", "@filters(PageParameters.limit"],
  ["is Direction.descending", "Direction.descending, Room.id", "Match.equal, Room.id"],
  [
    "it has two effects",
    "@createsResource(Room)",
    "@createsResource(Room) @opaque @createsResource(Room)",
  ],
  ["@state is for a command that updates", "@updatesResource(", "@deletesResource("],
])("is rejected where %s", async (why, text, by) => {
  const spec = specOf(
    [text, by],
    ["data: #{ id: 1 }", by.endsWith(" of:") ? "data: #{ of: 1 }" : "data: #{ id: 1 }"],
  );
  const error = await generateFrom(spec).catch((failed: unknown) => failed);
  expect(error).toBeInstanceOf(SpecError);
  expect(String(error)).toContain("cannot be so");
  expect(String(error)).toContain(why);
});
