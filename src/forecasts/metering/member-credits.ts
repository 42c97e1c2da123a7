import { type RawBuilder, sql } from 'kysely';
import type { Clock, Database, Executor, Transaction } from '../../platform/index.ts';
import type { FoundMembership } from '../../workspaces/index.ts';
import { memberLacksCredits } from '../faults.ts';
import type { ForecastTables } from '../tables.ts';
import { creditMonth, transferName } from './charges.ts';

/** A member of the workspace of a forecast. The limit does not apply to the owner, which pays. */
interface Member {
  readonly accountId: string;
  readonly membership: FoundMembership;
}

/**
 * Refuses a member that has used all the credits that the owner allows each member, before rows are read. Nothing is
 * locked, so the request may still be refused later: `chargeMember` checks again.
 */
export async function requireMemberCredits(executor: Executor, member: Member, now: Date): Promise<void> {
  const { role, memberCredits: limit } = member.membership;
  if (role === 'owner' || limit === null) return;
  const left = await countLeft(executor, member, limit, now);
  if (left <= 0) throw memberLacksCredits({ limit, left, needed: null }, now);
}

/**
 * Records the credits of a forecast for the member that creates it. Throws a fault if they exceed what the owner allows
 * each member. Call it with a membership that was read after the workspace was locked: the lock makes concurrent
 * requests run one after the other, so that they cannot exceed the limit together.
 */
export async function chargeMember(
  tx: Transaction,
  member: Member,
  { forecastId, credits, now }: { readonly forecastId: string; readonly credits: number; readonly now: Date },
): Promise<void> {
  const { workspaceId, role, memberCredits: limit } = member.membership;
  if (role === 'owner') return;
  if (limit !== null) {
    const left = await countLeft(tx, member, limit, now);
    if (credits > left) throw memberLacksCredits({ limit, left, needed: credits }, now);
  }
  await tx
    .query<ForecastTables>()
    .insertInto('member_charge')
    .values({
      forecast_id: forecastId,
      workspace_id: workspaceId,
      account_id: member.accountId,
      month: creditMonth(now),
      credits,
    })
    .execute();
}

/** Returns the member's credits that are left this month. Credits that were released do not count. */
async function countLeft(
  executor: Executor,
  { accountId, membership }: Member,
  limit: number,
  now: Date,
): Promise<number> {
  const { rows } = await sql<{ used: number }>`
    SELECT coalesce(sum(credits), 0) AS used FROM member_charge
    WHERE account_id = ${accountId} AND ${countsInMonth(membership.workspaceId, now)}`.execute(executor.query());
  // More can be used than the limit allows, if the owner has lowered it.
  return Math.max(0, limit - (rows[0]?.used ?? 0));
}

/** Returns the condition of the charges that count in a workspace this month: those that were not released. */
function countsInMonth(workspaceId: string, now: Date): RawBuilder<boolean> {
  return sql`workspace_id = ${workspaceId} AND month = ${creditMonth(now)} AND NOT EXISTS (
    SELECT 1 FROM ledger_entry WHERE transfer = ${transferName('release', '')} || member_charge.forecast_id
  )`;
}

/** Returns the credits that each member other than the owner has used in a workspace this month, by account. */
export async function readMemberCredits(
  executor: Executor,
  workspaceId: string,
  now: Date,
): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ account_id: string; used: number }>`
    SELECT account_id, sum(credits)::bigint AS used FROM member_charge
    WHERE ${countsInMonth(workspaceId, now)} GROUP BY account_id`.execute(executor.query());
  return new Map(rows.map(({ account_id, used }) => [account_id, used]));
}

/** Removes the charges of forecasts whose credits were released, when these forecasts are removed. */
export async function removeMemberCharges(tx: Transaction, forecastIds: readonly string[]): Promise<void> {
  if (forecastIds.length === 0) return;
  await tx.query<ForecastTables>().deleteFrom('member_charge').where('forecast_id', 'in', forecastIds).execute();
}

/** Removes the charges of past months, which no longer count. */
export async function removeOldMemberCharges(database: Database, clock: Clock): Promise<void> {
  await database
    .query<ForecastTables>()
    .deleteFrom('member_charge')
    .where('month', '<', creditMonth(clock.now()))
    .execute();
}
