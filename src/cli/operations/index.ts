import type { z } from 'zod';
import type { Foundation } from '../../compose/index.ts';
import { Fault, fieldPath } from '../../contract/index.ts';
import { clientOperations } from './clients.ts';
import { keyOperations } from './keys.ts';
import { ledgerOperations } from './ledger.ts';
import { migrateOperations } from './migrate.ts';
import type { AdminOperation } from './operation.ts';
import { screenerOperations } from './screener.ts';
import { userOperations } from './users.ts';

const NAMED = {
  ...userOperations,
  ...keyOperations,
  ...clientOperations,
  ...ledgerOperations,
  ...screenerOperations,
  ...migrateOperations,
};
const OPERATIONS: Record<string, AdminOperation> = NAMED;

export type AdminOperationName = keyof typeof NAMED;

/** Runs a named operation. Its input may come from another process, so it is checked here, where it is used. */
export async function runAdminOperation(foundation: Foundation, name: string, input: unknown): Promise<object> {
  const operation = find(name);
  return operation.run(foundation, parse(operation, input));
}

/** Throws the fault of an input that is wrong in itself. Needs no database. */
export function checkAdminInput(name: AdminOperationName, input: unknown): void {
  parse(find(name), input);
}

function find(name: string): AdminOperation {
  const operation = Object.hasOwn(OPERATIONS, name) ? OPERATIONS[name] : undefined;
  if (operation) return operation;
  throw new Fault('NOT_FOUND', `No operation "${name}". The running service may be of another version.`);
}

function parse(operation: AdminOperation, input: unknown): z.output<z.ZodObject> {
  const parsed = operation.input.safeParse(input);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new Fault('INVALID_REQUEST', `${fieldPath(issue?.path ?? []) || 'input'}: ${issue?.message}.`);
}
