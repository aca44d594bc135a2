// Values of the kinds of forms: those that each takes, and those that it rejects.

const { MAX_VALUE, MIN_VALUE } = Number;

export interface Values {
  readonly right: readonly unknown[];
  readonly wrong: readonly unknown[];
  /** The same as texts of a query or a header. */
  readonly rightTexts?: readonly string[];
  readonly wrongTexts?: readonly string[];
}

const NO_NUMBERS = ["1", true, null, [], {}];
export const NO_NUMBER_TEXTS = "01 -01 +1 --1 1. .5 1e 0x1 1_0 NaN true".split(" ");
export const integer = (least: number, most: number): Values => {
  const beyond = [least - 1, most + 1];
  const wrongTexts = [
    ...beyond.map(String),
    "-0",
    "1.0",
    "1e0",
    "9007199254740993",
    ...NO_NUMBER_TEXTS,
  ];
  const right = least > 0 ? [least, most] : [least, 0, most];
  return {
    right,
    wrong: [...beyond, 1.5, 1e300, ...NO_NUMBERS],
    rightTexts: right.map(String),
    wrongTexts,
  };
};
export const float: Values = {
  right: [-MAX_VALUE, -1.5, 0, MIN_VALUE, MAX_VALUE],
  wrong: [JSON.parse("1e400"), ...NO_NUMBERS],
  rightTexts: [
    "-1.5",
    "1e-7",
    "1e+21",
    "-1.5E3",
    "0",
    "0.1",
    "-0.5",
    `${BigInt(MAX_VALUE)}`,
    `-${BigInt(MAX_VALUE)}`,
  ],
  wrongTexts: ["9".repeat(400), "1e400", "1e1.5", ...NO_NUMBER_TEXTS],
};
export const texts = (right: string, wrong: string): Values => {
  const [rightTexts, wrongTexts] = [right.split(" "), wrong.split(" ")];
  return {
    right: rightTexts,
    wrong: [...wrongTexts, "", 20260131, true, null, []],
    rightTexts,
    wrongTexts,
  };
};
export const dateTime = texts(
  "2026-01-31T12:00:00Z 2026-01-31t12:00:00z 2016-12-31t23:59:60.5z " +
    "2024-02-29T23:59:59.123456789-23:59 0000-01-01T00:00:00+23:59 9999-12-31T23:59:59-23:59 " +
    "2016-12-31T23:59:60Z 2015-06-30T23:59:60.5+00:00 1990-12-31T15:59:60-08:00 " +
    "2017-01-01T00:59:60+01:00 2015-07-01T05:29:60+05:30",
  "2026-02-30T12:00:00Z 2025-02-29T12:00:00Z 2026-01-31T24:00:00Z 2026-01-31T12:60:00Z " +
    "2026-01-31T12:00:61Z 2016-12-31T23:58:60Z 2016-12-30T23:59:60Z 2016-03-31T23:59:60Z " +
    "2016-12-31T23:59:60+01:00 2017-01-01T00:59:60Z 2016-12-31T00:59:60+01:00 " +
    "2026-01-31T12:00:00 2026-01-31T12:00:00+24:00 2026-01-31_12:00:00Z 2026-01-31",
);
export const of = (
  right: readonly unknown[],
  wrong: readonly unknown[],
  rightText = "",
  wrongText = "",
): Values => ({
  right,
  wrong,
  ...(rightText && { rightTexts: rightText.split(" "), wrongTexts: wrongText.split(" ") }),
});
