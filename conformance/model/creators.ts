import {
  type Contract,
  createsRecord,
  type Operation,
  pageItemOf,
  successSchema,
} from "../oracle/contract.ts";

/** The lists that show what a command creates: their items have the schema of its response. */
export function listsOf(contract: Contract, command: Operation): readonly Operation[] {
  const created = JSON.stringify(successSchema(command));
  return Object.values(contract.operations).filter(
    (one) => JSON.stringify(pageItemOf(contract, one)) === created,
  );
}

/**
 * The command whose records a list shows: the schema of its response is that of their items.
 * Without one, the list itself.
 */
export function creatorOf(contract: Contract, list: Operation): Operation {
  const shows = (operation: Operation) => listsOf(contract, operation).includes(list);
  const commands = Object.values(contract.operations).filter(({ method }) => method === "POST");
  const [command = list] = [...commands.filter(createsRecord), ...commands].filter(shows);
  return command;
}
