import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { MINUTE_MS } from '../../calendar/index.ts';
import type { Database, ProviderFault } from '../../platform/index.ts';
import { formatDay, parseDay } from './session-day.ts';
import type { FillTables, MarketFillTable } from './tables.ts';

/** Another worker has taken over the fill, so this one stops. */
class FillLostError extends Error {
  override readonly name = 'FillLostError';
}

const LEASE_SECONDS = 300;
const RENEW_MS = MINUTE_MS;

/** The end of the lease according to the clock of the database, so that the clocks of the workers need not agree. */
const leaseEnd = sql<Date>`clock_timestamp() + make_interval(secs => ${LEASE_SECONDS}::float8)`;

/** Which dates a provider of days by date has sent for all symbols. */
export interface DatesRead {
  readonly from: number;
  readonly to: number;
  /** Dates up to this one were read when they were settled. */
  readonly settledTo: number;
  /** The session for which adjusted prices were last compared. */
  readonly checkedOn: number;
}

export interface FillProgress {
  readonly total: number;
  readonly done: number;
}

/** The right to fill the bars of one provider. */
export class FillClaim {
  readonly #database: Database;
  readonly #provider: string;
  readonly #id: string;
  /** The dates that were read before, for a provider of days by date. */
  readonly dates: DatesRead | null;
  /** The total of earlier attempts for the same session; 0 if there were none. */
  readonly total: number;

  private constructor(database: Database, row: MarketFillTable, id: string) {
    this.#database = database;
    this.#provider = row.provider;
    this.#id = id;
    this.dates = datesOf(row);
    this.total = row.total;
  }

  /** Claims the fill of a session. Returns null if it is complete or if another worker has claimed it. */
  static async take(
    database: Database,
    fill: { readonly provider: string; readonly unit: MarketFillTable['unit']; readonly session: number },
    now: Date,
  ): Promise<FillClaim | null> {
    const id = randomUUID();
    const { rows } = await sql<MarketFillTable>`
      INSERT INTO market_fill AS f (provider, session, unit, total, done, started_at, updated_at, claim, claimed_until)
      VALUES (${fill.provider}, ${formatDay(fill.session)}::date, ${fill.unit}, 0, 0, ${now}, ${now}, ${id}, ${leaseEnd})
      ON CONFLICT (provider) DO UPDATE SET session = excluded.session, unit = excluded.unit, completed_at = NULL,
        total = CASE WHEN f.session = excluded.session THEN f.total ELSE 0 END,
        done = CASE WHEN f.session = excluded.session THEN f.done ELSE 0 END,
        started_at = CASE WHEN f.session = excluded.session THEN f.started_at ELSE excluded.started_at END,
        updated_at = excluded.updated_at, claim = excluded.claim, claimed_until = excluded.claimed_until
      WHERE (f.claim IS NULL OR f.claimed_until < clock_timestamp())
        AND (f.completed_at IS NULL OR f.session < excluded.session)
      RETURNING *`.execute(database.query<FillTables>());
    const row = rows[0];
    return row === undefined ? null : new FillClaim(database, row, id);
  }

  /** Records progress. Throws if another worker has taken over. */
  async record(progress: FillProgress, now: Date, dates?: DatesRead): Promise<void> {
    await this.#update({
      ...progress,
      updated_at: now,
      ...(dates && {
        read_from: formatDay(dates.from),
        read_to: formatDay(dates.to),
        settled_to: formatDay(dates.settledTo),
        checked_on: formatDay(dates.checkedOn),
      }),
    });
  }

  /**
   * Ends the attempt.
   *
   * @param completedSession the session whose bars have been read; null if the next attempt continues
   */
  async end(completedSession: number | null, fault: ProviderFault | null, now: Date): Promise<void> {
    const completed = completedSession !== null && {
      completed_at: now,
      completed_session: formatDay(completedSession),
    };
    await this.#update({ claim: null, claimed_until: null, updated_at: now, last_fault: fault, ...completed });
  }

  /** Runs `work` and renews the claim meanwhile. Releases it if the work fails. */
  async hold<Result>(signal: AbortSignal | undefined, work: (held: AbortSignal) => Promise<Result>): Promise<Result> {
    const lost = new AbortController();
    const held = signal === undefined ? lost.signal : AbortSignal.any([signal, lost.signal]);
    const timer = setInterval(() => {
      this.#update({ claimed_until: leaseEnd }).catch((error) => lost.abort(error));
    }, RENEW_MS);
    try {
      return await work(held);
    } catch (error) {
      // If the release fails, the claim blocks the fill until it expires, which is acceptable.
      await this.#update({ claim: null, claimed_until: null }).catch(() => {});
      throw error;
    } finally {
      clearInterval(timer);
    }
  }

  async #update(values: object): Promise<void> {
    const { numUpdatedRows } = await this.#database
      .query<FillTables>()
      .updateTable('market_fill')
      .set(values as Partial<MarketFillTable>)
      .where('provider', '=', this.#provider)
      .where('claim', '=', this.#id)
      .executeTakeFirst();
    if (Number(numUpdatedRows) === 0)
      throw new FillLostError(`Another worker took over the fill of ${this.#provider}.`);
  }
}

function datesOf({ read_from, read_to, settled_to, checked_on }: MarketFillTable): DatesRead | null {
  if (read_from === null || read_to === null || settled_to === null || checked_on === null) return null;
  return {
    from: parseDay(read_from),
    to: parseDay(read_to),
    settledTo: parseDay(settled_to),
    checkedOn: parseDay(checked_on),
  };
}
