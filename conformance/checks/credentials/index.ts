export { operationCredentials as credentials } from "./operations.ts";
