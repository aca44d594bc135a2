import { answerLaws } from "./answers.ts";
import { credentialLaws } from "./credentials.ts";
import { dispatchLaws } from "./dispatch.ts";
import { inputLaws } from "./input.ts";

/** The laws: rules for every response. */
export const laws = [...answerLaws, ...credentialLaws, ...dispatchLaws, ...inputLaws];
