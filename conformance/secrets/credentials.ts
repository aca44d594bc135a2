/** What a caller sends with its requests (D16: API key and platform). */
export interface Credential {
  readonly key: string;
  readonly platform: string;
}

/** G4 names `web` as a valid platform. */
export const DEFAULT_PLATFORM = "web";

/** The keys of a run against one target. */
export interface Credentials {
  readonly full: Credential;
  /** Others, by their kind: `expired`, or the scope that a key has alone. */
  readonly special: Readonly<Record<string, Credential>>;
  /** Kinds of keys that the service cannot issue: what they would show is not applicable. */
  readonly unissued?: readonly string[];
}

/** A caller without a key sends none. */
export const NO_CREDENTIALS: Credentials = {
  full: { key: "", platform: DEFAULT_PLATFORM },
  special: {},
};
