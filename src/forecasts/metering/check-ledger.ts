import { sql } from 'kysely';
import type { ForecastStatus } from '../../contract/index.ts';
import type { Executor } from '../../platform/index.ts';
import { NAMELESS } from '../owner.ts';

/** The size of the ledger and its errors. The three lists are empty if the ledger is sound. */
export interface LedgerReport {
  readonly entries: number;
  readonly transfers: number;
  /** Transfers whose entries do not add up to zero. */
  readonly unbalanced: readonly string[];
  /** Forecasts whose credits do not match their status, each with a description of its entries. */
  readonly open: readonly string[];
  /**
   * Owners and networks of guests whose count of taken slots differs from their number of queued and running forecasts.
   */
  readonly slots: readonly { readonly owner: string; readonly active: number; readonly expected: number }[];
}

interface Misplaced {
  readonly id: string;
  /** Null if the forecast was removed. */
  readonly status: ForecastStatus | null;
  readonly state: string;
  readonly credits: number;
  readonly reserved: number;
  readonly spent: number;
}

export function isLedgerSound({ unbalanced, open, slots }: LedgerReport): boolean {
  return unbalanced.length + open.length + slots.length === 0;
}

/**
 * Checks the whole ledger. It can run while the service runs, because one statement reads a consistent state of the
 * database.
 */
export async function checkLedger(executor: Executor): Promise<LedgerReport> {
  const { rows } = await sql<Omit<LedgerReport, 'open'> & { misplaced: readonly Misplaced[] }>`
    WITH transfer AS (
      SELECT transfer AS name, sum(amount) AS total FROM ledger_entry GROUP BY transfer
    ), charge AS (
      SELECT
        forecast_id,
        count(DISTINCT (owner, month)) AS ledgers,
        min(owner) AS payer,
        bool_or(transfer = 'reserve:' || forecast_id) AS was_reserved,
        bool_or(transfer = 'capture:' || forecast_id) AS was_captured,
        bool_or(transfer = 'release:' || forecast_id) AS was_released,
        coalesce(sum(amount) FILTER (
          WHERE ledger_account = 'reserved' AND transfer = 'reserve:' || forecast_id
        ), 0) AS credits,
        coalesce(sum(amount) FILTER (WHERE ledger_account = 'reserved'), 0) AS reserved,
        coalesce(sum(amount) FILTER (WHERE ledger_account = 'spent'), 0) AS spent
      FROM ledger_entry
      -- The charges of removed forecasts, of which only the costs of each month are kept.
      WHERE transfer NOT LIKE 'removed:%'
      GROUP BY forecast_id
    ), found AS (
      SELECT
        coalesce(forecast.id, charge.forecast_id) AS id,
        forecast.status,
        coalesce(forecast.credits, charge.credits) AS credits,
        coalesce(charge.reserved, 0) AS reserved,
        coalesce(charge.spent, 0) AS spent,
        CASE
          WHEN charge.was_reserved IS NOT TRUE THEN 'not reserved'
          WHEN charge.ledgers > 1 THEN 'charged to several owners or months'
          WHEN charge.payer <> forecast.payer THEN 'charged to another owner'
          WHEN charge.was_captured AND charge.was_released THEN 'captured and released'
          WHEN charge.was_captured THEN 'captured'
          WHEN charge.was_released THEN 'released'
          ELSE 'reserved'
        END AS state
      -- The charges of nameless forecasts were folded, like those of removed ones.
      FROM (SELECT * FROM forecast WHERE payer <> ${NAMELESS}) AS forecast
      FULL JOIN charge ON charge.forecast_id = forecast.id
    ), misplaced AS (
      SELECT id, status, state, credits, reserved, spent
      FROM found
      WHERE NOT (
        CASE status
          WHEN 'completed' THEN state = 'captured'
          WHEN 'failed' THEN state = 'released'
          WHEN 'queued' THEN state = 'reserved'
          WHEN 'running' THEN state = 'reserved'
          ELSE state IN ('captured', 'released')
        END
        AND reserved = CASE state WHEN 'reserved' THEN credits ELSE 0 END
        AND spent = CASE state WHEN 'captured' THEN credits ELSE 0 END
      )
    ), unfinished AS (
      SELECT payer AS owner, count(*) AS expected FROM forecast WHERE status IN ('queued', 'running') GROUP BY payer
      UNION ALL
      SELECT network, count(*)
      FROM network_slot JOIN forecast ON forecast.id = network_slot.forecast_id
      WHERE status IN ('queued', 'running')
      GROUP BY network
    ), slot AS (
      SELECT owner, coalesce(active, 0) AS active, coalesce(expected, 0) AS expected
      FROM admission FULL JOIN unfinished USING (owner)
    )
    SELECT
      (SELECT count(*) FROM ledger_entry) AS entries,
      (SELECT count(*) FROM transfer) AS transfers,
      (SELECT coalesce(jsonb_agg(name ORDER BY name), '[]') FROM transfer WHERE total <> 0) AS unbalanced,
      (SELECT coalesce(jsonb_agg(to_jsonb(misplaced) ORDER BY id), '[]') FROM misplaced) AS misplaced,
      (SELECT coalesce(jsonb_agg(to_jsonb(slot) ORDER BY owner), '[]') FROM slot WHERE active <> expected) AS slots
  `.execute(executor.query());
  const [found] = rows;
  if (!found) throw new Error('The check of the ledger returned no row.');
  const { entries, transfers, unbalanced, misplaced, slots } = found;
  return { entries, transfers, unbalanced, open: misplaced.map(formatMisplaced), slots };
}

function formatMisplaced({ id, status, state, credits, reserved, spent }: Misplaced): string {
  return `${id}: ${status ?? 'removed'}, ${state}; of ${credits} credits ${reserved} reserved, ${spent} spent`;
}
