import type { Account, Guest } from '../../access/index.ts';
import { Fault } from '../../contract/index.ts';
import { count, type Executor, type Transaction } from '../../platform/index.ts';
import { findMembership, workspaceDenied } from '../../workspaces/index.ts';
import type { JobContext } from '../context.ts';
import type { JobTables } from '../tables.ts';
import { findRepeated, type RepeatableRequest, rememberRequest } from './idempotency.ts';
import { requireStarting } from './require-starting.ts';

/** Another request with the same key was first; its forecast is the answer. */
class RepeatedRequest extends Error {}

/**
 * Starts the forecast that a request asks for, or finds the one that the same request has started: however often it
 * comes, and however many at once, there is one.
 *
 * @param request null: it cannot be repeated
 * @param prepare does what comes before the transaction, which holds SQL only; gives what to do in it
 * @returns the id of the forecast
 */
export async function startOnce(
  { database, clock }: Pick<JobContext, 'database' | 'clock'>,
  principal: Account | Guest,
  request: RepeatableRequest | null,
  prepare: () => Promise<(tx: Transaction) => Promise<string>>,
): Promise<string> {
  const before = request && (await findRepeated(database, clock, request));
  if (before) return stillTheirs(database, principal, before);
  try {
    const start = await prepare();
    const started = await database.transaction(async (tx) => {
      const id = await start(tx);
      if (request && !(await rememberRequest(tx, clock, request, id))) throw new RepeatedRequest();
      return id;
    });
    count('forecasts_created_total', {});
    return started;
  } catch (error) {
    // A slot or credits may be missing because the first of several such requests has just taken them.
    const mayHaveBeenSecond = error instanceof RepeatedRequest || error instanceof Fault;
    const first = request && mayHaveBeenSecond && (await findRepeated(database, clock, request));
    if (first) return stillTheirs(database, principal, first);
    throw error;
  }
}

/** A repeat is a request like any other: in a workspace it takes a place that allows it now. */
async function stillTheirs(executor: Executor, principal: Account | Guest, id: string): Promise<string> {
  const made = await executor
    .query<JobTables>()
    .selectFrom('forecast')
    .select(['workspace_id', 'visibility', 'reproduces'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (made === undefined || made.workspace_id === null) return id;
  if (principal.kind === 'guest') throw workspaceDenied();
  requireStarting(principal, await findMembership(executor, principal.accountId, made.workspace_id), made);
  return id;
}
