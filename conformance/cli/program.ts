/** The name of this suite in reports. A test compares the version with package.json. */
export const program = { name: "atpoint-conformance", version: "3.2.0-dev.0" } as const;
