import {
  agree,
  type Difference,
  differs,
  firstDifference,
  firstOf,
  hasObject,
  isOf,
  type Law,
  law,
  type ParsedExchange,
  stringOf,
  tag,
} from "../../extension.ts";
import { objectsIn } from "../documents/laws.ts";

/** Laws for every user that was created (D23, D24). */

const isCreated = isOf("user.create", (parsed) => hasObject(parsed) && parsed.status === 201);
/** An empty page shows no user. */
const hasUsers = (parsed: ParsedExchange) =>
  hasObject(parsed) && objectsIn(parsed.object?.items).length > 0;
const isNew = (parsed: ParsedExchange) =>
  isCreated(parsed) && parsed.header("idempotent-replayed") === undefined;

/** Its members have the values that were sent. */
function asSent({ reading, object }: ParsedExchange): Difference | null {
  return firstOf(Object.entries(reading.data ?? {}), ([name, sent]) => {
    const [expected, actual] = [JSON.stringify(sent), JSON.stringify(object?.[name])];
    return object && name in object && expected !== actual
      ? firstDifference(`body:/${name}`, expected, actual)
      : null;
  });
}

const SECOND = 1000;
/** The clock of a database or of a proxy may differ from that of the service. */
const EARLIEST_MS = 5 * SECOND;
/** `Date` has whole seconds. */
const LATEST_MS = 2 * SECOND;
const UUID_7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

const timesOf = ({ object }: ParsedExchange) => ({
  createdAt: Date.parse(stringOf(object?.createdAt)),
  ofId: Number.parseInt(stringOf(object?.id).replaceAll("-", "").slice(0, 12), 16),
});
/**
 * Between the request and the response, by the `Date` of the response; of one without a `Date`
 * nothing is known but that it has the other time.
 */
function isNow(parsed: ParsedExchange, time: number, otherTime: number): boolean {
  const { exchange } = parsed;
  const date = Date.parse(parsed.header("date") ?? "");
  const end = Number.isNaN(date) ? otherTime : date;
  const took = exchange.endedAt - exchange.sentAt;
  return time >= end - EARLIEST_MS - took && time <= end + LATEST_MS;
}

export const userLaws: readonly Law[] = [
  tag("user.list/users", isOf("user.list", hasUsers)),
  law("user.create/as-sent", isCreated, asSent),
  law("user.create/created-at", isNew, (parsed) => {
    const { createdAt, ofId } = timesOf(parsed);
    if (isNow(parsed, createdAt, ofId)) return null;
    return differs(
      "body:/createdAt",
      "the time of the response",
      stringOf(parsed.object?.createdAt),
    );
  }),
  law("user.create/id", isNew, (parsed, memory) => {
    const { createdAt, ofId } = timesOf(parsed);
    const id = stringOf(parsed.object?.id);
    if (!UUID_7.test(id)) return differs("body:/id", "a UUID of version 7", id);
    if (!isNow(parsed, ofId, createdAt))
      return differs("body:/id", "an id with the time of the response", `${id}, of ${ofId} ms`);
    // The last bits are random (RFC 9562, 5.7): none can be guessed from another.
    return agree(memory, `the id that ends in ${id.slice(19)}`, id, "body:/id");
  }),
];
