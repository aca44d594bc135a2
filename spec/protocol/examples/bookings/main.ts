import { defineService } from "atpoint-server";
import { openBookings } from "./bookings.ts";
import { contract, type Types } from "./generated/contract.ts";
import { handlers } from "./handlers.ts";
import { migrations } from "./migrations.ts";
import { openRooms } from "./rooms.ts";

await defineService<Types>()({
  name: "bookings",
  contract,
  migrations,
  services: (database, server) => ({
    ...server,
    rooms: openRooms(database),
    bookings: openBookings(database),
  }),
  handlers,
}).run(process.argv.slice(2));
