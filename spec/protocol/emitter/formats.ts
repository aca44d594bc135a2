/**
 * The meaning of the formats and the bounds of the types of integers. A format with its own `pattern`, or one about how a number is
 * stored, needs nothing here. The validators bundle this module.
 */

const LEAP_YEAR = String.raw`(?:\d\d(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)`;
const MONTH_AND_DAY = String.raw`(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|02-(?:0[1-9]|1\d|2[0-8])`;
const DATE = String.raw`(?:\d{4}-(?:${MONTH_AND_DAY})|${LEAP_YEAR}-02-29)`;
const DATE_TIME = new RegExp(
  String.raw`^${DATE}T([01]\d|2[0-3]):([0-5]\d):([0-5]\d|60)(?:\.\d+)?(?:Z|([+-])([01]\d|2[0-3]):([0-5]\d))$`,
);

/** A time of RFC 3339 with its offset. Second 60 is the last of a day in UTC, of June or December (5.7). */
function isDateTime(text: string): boolean {
  const [, hour, minute, second, sign = "+", offsetHours = 0, offsetMinutes = 0] = DATE_TIME.exec(text) ?? [];
  if (second !== "60") return second !== undefined;
  const offset = Number(`${sign}1`) * (Number(offsetHours) * 60 + Number(offsetMinutes));
  const minuteInUtc = Number(hour) * 60 + Number(minute) - offset;
  // East of Greenwich the next day may have begun.
  return minuteInUtc === 1439 ? /^....-(06-30|12-31)/.test(text) : minuteInUtc === -1 && /^....-0[17]-01/.test(text);
}

/** AJV's standalone code inlines regular expressions, and its strict mode rejects an unknown format. */
export const FORMATS = {
  "date-time": isDateTime,
  date: new RegExp(`^${DATE}$`),
  email: /^[^\s@]+@[^\s@]+$/,
  uri: /^[A-Za-z][A-Za-z0-9+.-]*:[^\s]+$/,
  uuid: /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i,
  double: true,
  float: true,
  int8: true,
  int16: true,
  int32: true,
  int64: true,
  uint8: true,
  uint16: true,
  uint32: true,
  uint64: true,
} as const;

/** `plainTime`, which no format of JSON Schema describes: `time` has an offset. Without its day, second 60 cannot be proven. */
export const PLAIN_TIME = "^([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\\.[0-9]+)?$";

const signed = (bits: number) => [-(2 ** (bits - 1)), 2 ** (bits - 1) - 1] as const;
const unsigned = (bits: number) => [0, 2 ** bits - 1] as const;
const SAFE = [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER] as const;
const RANGES: Readonly<Record<string, readonly [least: number, most: number]>> = {
  int8: signed(8),
  int16: signed(16),
  int32: signed(32),
  uint8: unsigned(8),
  uint16: unsigned(16),
  uint32: unsigned(32),
  uint64: unsigned(53),
};

/** The bounds of an integer by its format: without one, or beyond them, those that JSON holds exactly. */
export const rangeOf = (format: unknown): readonly [least: number, most: number] => RANGES[String(format)] ?? SAFE;
