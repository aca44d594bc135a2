import {
  documentHandlers,
  type Handlers,
  newId,
  pageOf,
  type ServerServices,
} from "atpoint-server";
import type { Bookings } from "./bookings.ts";
import type { Types } from "./generated/contract.ts";
import type { Rooms } from "./rooms.ts";

interface Services extends ServerServices {
  readonly rooms: Rooms;
  readonly bookings: Bookings;
}

export const handlers: Handlers<Types, Services> = {
  "room.list": (input, { services, deadline }) =>
    pageOf("room.list", input, services.rooms.list(input), deadline),

  "room.get": ({ id }, { services }) => services.rooms.get(id),

  "room.create": (input, { services, once }) => {
    const room = { id: newId(), ...input };
    return once({ record: room.id }, (tx) => services.rooms.create(room, tx));
  },

  "room.update": (input, { services, once }) =>
    once({ record: input.id }, (tx) => services.rooms.update(input, tx)),

  "room.delete": ({ id }, { services, once }) =>
    once({ record: id }, (tx) => services.rooms.remove(id, tx)),

  "booking.list": (input, { services, deadline }) =>
    pageOf("booking.list", input, services.bookings.list(input), deadline),

  "booking.get": ({ id }, { services }) => services.bookings.get(id),

  "booking.create": (input, { services, once }) => {
    const id = newId();
    return once({ record: id }, (tx) => services.bookings.create(id, input, tx));
  },

  "booking.update": (input, { services, once }) =>
    once({ record: input.id }, (tx) => services.bookings.update(input, tx)),

  "booking.cancel": ({ id }, { services, once }) =>
    once({ record: id }, (tx) => services.bookings.cancel(id, tx)),

  ...documentHandlers,
};
