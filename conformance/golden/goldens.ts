import { again } from "./exchanges/again.ts";
import { answers } from "./exchanges/answers.ts";
import { body } from "./exchanges/body.ts";
import { credentials } from "./exchanges/credentials.ts";
import { dispatch } from "./exchanges/dispatch.ts";
import { emails } from "./exchanges/emails.ts";
import { head } from "./exchanges/head.ts";
import { names } from "./exchanges/names.ts";
import { pages } from "./exchanges/pages.ts";
import { readGolden } from "./read.ts";

/** All golden exchanges, in the order of checks. */
export const goldens = [head, dispatch, body, credentials, answers, pages, names, emails, again].flatMap(readGolden);
