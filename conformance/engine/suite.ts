/** This suite, as reports name it. A test holds the version against package.json. */
export const suite = { name: "atpoint-conformance", version: "3.0.3" } as const;
