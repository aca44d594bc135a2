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
}

/** A caller without a key sends none. */
export const NO_CREDENTIALS: Credentials = {
  full: { key: "", platform: DEFAULT_PLATFORM },
  special: {},
};
