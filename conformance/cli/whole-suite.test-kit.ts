/** A test that runs the whole suite imports it from here, and is thereby not one of the quick tests. */
export { packaged as wholeSuite } from "../packaged.ts";
