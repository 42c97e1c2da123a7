import type { Foundation } from '../../compose.ts';
import { Fault } from '../../contract/index.ts';
import { keyOperations } from './keys.ts';
import type { AdminOperation } from './operation.ts';
import { userOperations } from './users.ts';

const OPERATIONS: Record<string, AdminOperation> = { ...userOperations, ...keyOperations };

export type AdminOperationName = keyof typeof userOperations | keyof typeof keyOperations;

/** Runs a named operation. Its input may come from another process, so it is checked here, where it is used. */
export async function runAdminOperation(foundation: Foundation, name: string, input: unknown): Promise<object> {
  const operation = Object.hasOwn(OPERATIONS, name) ? OPERATIONS[name] : undefined;
  if (!operation)
    throw new Fault('NOT_FOUND', `No operation "${name}". The running service may be of another version.`);
  const parsed = operation.input.safeParse(input);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new Fault('INVALID_REQUEST', `${issue?.path.join('.')}: ${issue?.message}.`);
  }
  return operation.run(foundation, parsed.data);
}
