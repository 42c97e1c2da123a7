import { sql } from 'kysely';
import type { Executor } from '../../platform/index.ts';
import type { ProofTable } from './tables.ts';

/** The proofs of an installation that were handed over to be stamped. */
export interface ProofCounts {
  readonly pending: number;
  readonly stamping: number;
  readonly stamped: number;
  /** The pending proofs by the reason why they wait; without those that have none. */
  readonly waiting: Readonly<Record<string, number>>;
  /** When the oldest proof that is not stamped was handed over. */
  readonly oldest_unstamped_at: string | null;
  /** The time of the latest stamp. */
  readonly last_stamped_at: string | null;
}

type Row = Pick<ProofTable, 'error_code'> & {
  readonly status: 'pending' | 'stamping' | 'stamped';
  readonly proofs: number;
  readonly oldest: Date;
  readonly latest: Date | null;
};

/** Counts the proofs by status. */
export async function countProofs(executor: Executor): Promise<ProofCounts> {
  const { rows } = await sql<Row>`
    SELECT status, error_code, count(*) AS proofs, min(created_at) AS oldest, max(stamped_at) AS latest
    FROM proof GROUP BY status, error_code`.execute(executor.query());
  const countOf = (status: Row['status']) =>
    rows.filter((row) => row.status === status).reduce((sum, { proofs }) => sum + proofs, 0);
  const unstamped = rows.filter(({ status }) => status !== 'stamped').map(({ oldest }) => oldest.getTime());
  const latest = rows.flatMap(({ latest }) => (latest === null ? [] : [latest.getTime()]));
  return {
    pending: countOf('pending'),
    stamping: countOf('stamping'),
    stamped: countOf('stamped'),
    waiting: Object.fromEntries(
      rows.flatMap(({ error_code, proofs }) => (error_code === null ? [] : [[error_code, proofs]])),
    ),
    oldest_unstamped_at: unstamped.length === 0 ? null : new Date(Math.min(...unstamped)).toISOString(),
    last_stamped_at: latest.length === 0 ? null : new Date(Math.max(...latest)).toISOString(),
  };
}

/** Counts the proofs that are not stamped yet, by status. Reads an index of these alone, because metrics are read often. */
export async function countUnstamped(executor: Executor): Promise<{ pending: number; stamping: number }> {
  const { rows } = await sql<{ pending: number; stamping: number }>`
    SELECT count(*) FILTER (WHERE status = 'pending') AS pending, count(*) FILTER (WHERE status = 'stamping') AS stamping
    FROM proof WHERE status <> 'stamped'`.execute(executor.query());
  return rows[0] ?? { pending: 0, stamping: 0 };
}
