import { randomUUID } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import type { Executor } from '../database/index.ts';
import { budgetCapacity, millisecondsToRefill, tokensAt } from './budget.ts';
import type { ProviderFault } from './provider-error.ts';

/** The number of failed calls in a row after which the breaker opens. */
const MAX_FAILURES = 5;
const FIRST_OPEN_SECONDS = 30;
const MAX_OPEN_SECONDS = 600;
/** Added to the time limit of a trial, so that its outcome is recorded before another trial may begin. */
const TRIAL_MARGIN_SECONDS = 5;
/** The exactness of `last_success_at`: a success is recorded only if the last one is older. */
const SUCCESS_SECONDS = 60;

/** The right to send one request. */
export interface Permit {
  /** The id of the trial that this request is; null if the breaker is closed. */
  readonly trial: string | null;
  /** Whether a success would change what is stored. */
  readonly isSuccessNews: boolean;
}

export type Admission =
  | { readonly kind: 'granted'; readonly permit: Permit }
  /** The budget is used up for this time, or the provider named a time before which it wants no request. */
  | { readonly kind: 'wait'; readonly ms: number; readonly pausedUntil?: Date }
  /** The breaker is open; `until` is null while a trial is being made. */
  | { readonly kind: 'open'; readonly since: Date; readonly until: Date | null };

/**
 * How a call ended, with all its retries: `replied` if the provider refused a request that was wrong, `abandoned` if
 * nothing is known about the provider, otherwise the fault of the provider.
 */
export type CallOutcome = 'succeeded' | 'replied' | 'abandoned' | FailedCall;

export interface FailedCall {
  readonly fault: ProviderFault;
  /** The milliseconds during which the provider wants no request, if it named them. */
  readonly pauseMs?: number;
}

/** Decides when requests are sent to one provider: within its budget and while its breaker is closed. */
export interface ProviderGate {
  /**
   * Returns whether one request may be sent now. `timeoutMs` is its time limit; if it is a trial, no other request is
   * sent during that time.
   */
  enter(timeoutMs: number): Promise<Admission>;
  /** Records how a call ended. `permit` is the permit of its last request. */
  leave(permit: Permit, outcome: CallOutcome): Promise<void>;
}

export interface GateOptions {
  readonly id: string;
  readonly requestsPerMinute: number;
  /**
   * The current time in milliseconds since 1970. Default: the clock of the database, so that the clocks of the
   * processes need not agree.
   */
  readonly now?: (() => number) | undefined;
}

interface AdmissionRow {
  readonly is_granted: boolean;
  readonly is_trial: boolean;
  readonly is_success_news: boolean;
  readonly missing_tokens: number;
  readonly opened_at: Date | null;
  readonly opened_until: Date | null;
  /** Null unless the provider wants no request now. */
  readonly paused_until: Date | null;
  readonly paused_ms: number | null;
}

/**
 * Returns the gate of a provider. All processes share one bucket of tokens and one breaker per provider through the
 * database.
 *
 * Five failed calls in a row open the breaker for 30 seconds. One request is then sent as a trial: its success closes
 * the breaker, and its failure opens it for twice the time, at most ten minutes. A trial that is abandoned lets another
 * one begin; that of a process that died does so when its time limit is over. A reply that refuses the request itself
 * neither counts as a failure nor ends a row of failures, but it ends a trial, because the provider works.
 * A provider that named a time for its next request gets none before, but at most ten minutes long.
 * A success ends the row of failures that was known when its request was sent, so that a provider without failures costs
 * no further statement.
 */
export function createProviderGate(executor: Executor, { id, requestsPerMinute, now }: GateOptions): ProviderGate {
  const at = (): RawBuilder<Date> => sqlInstant(now);

  const recordSuccess = (trial: string | null, successAt: RawBuilder<Date>) => sql`
    UPDATE provider_state SET failures = 0, opened_at = NULL, opened_until = NULL, trial = NULL, trial_until = NULL,
      last_success_at = ${successAt}
    WHERE provider = ${id} AND (opened_until IS NULL OR trial = ${trial}::text)
  `;

  const recordFailure = (trial: string | null, { fault, pauseMs = 0 }: FailedCall) => sql`
    UPDATE provider_state AS s SET (
      failures, opened_at, opened_until, trial, trial_until, last_failure_at, last_fault, paused_until
    ) = (
      SELECT
        CASE WHEN counts THEN s.failures + 1 ELSE s.failures END,
        CASE WHEN opens THEN coalesce(s.opened_at, at) ELSE s.opened_at END,
        CASE WHEN opens THEN at + make_interval(secs => ${openSeconds(sql`s.failures + 1`)}) ELSE s.opened_until END,
        CASE WHEN is_trial THEN NULL ELSE s.trial END,
        CASE WHEN is_trial THEN NULL ELSE s.trial_until END,
        at,
        ${fault},
        greatest(CASE WHEN ${isAhead(sql`s.paused_until`, sql`at`)} THEN s.paused_until END, pause_end)
      FROM (SELECT ${at()} AS at) AS instant, LATERAL (
          SELECT s.opened_until IS NULL AS is_closed, coalesce(s.trial = ${trial}::text, false) AS is_trial,
            CASE WHEN ${pauseMs}::float8 > 0 THEN at + make_interval(secs => ${pauseSeconds(pauseMs)}) END AS pause_end
        ) AS a, LATERAL (
          SELECT is_closed OR is_trial AS counts,
            is_trial OR (is_closed AND s.failures + 1 >= ${MAX_FAILURES}::int) AS opens
        ) AS b
    )
    WHERE provider = ${id}
  `;

  const releaseTrial = (trial: string) => sql`
    UPDATE provider_state SET trial = NULL, trial_until = NULL WHERE provider = ${id} AND trial = ${trial}
  `;

  return {
    async enter(timeoutMs) {
      const trial = randomUUID();
      const rate = sql<number>`${requestsPerMinute}::float8`;
      const tokens = tokensAt(at(), rate);
      const lease = Math.min(MAX_OPEN_SECONDS, timeoutMs / 1_000 + TRIAL_MARGIN_SECONDS);
      const { rows } = await sql<AdmissionRow>`
        WITH granted AS (
          INSERT INTO provider_state AS s (provider, requests_per_minute, tokens, refilled_at)
          VALUES (${id}, ${rate}, ${budgetCapacity(requestsPerMinute)}::float8 - 1, ${at()})
          ON CONFLICT (provider) DO UPDATE SET requests_per_minute = ${rate}, tokens = ${tokens} - 1,
            refilled_at = ${at()},
            trial = CASE WHEN s.opened_until IS NULL THEN NULL ELSE ${trial}::text END,
            trial_until = CASE WHEN s.opened_until IS NULL THEN NULL ELSE ${at()} + make_interval(secs => ${lease}) END
          WHERE ${tokens} >= 1 AND NOT (${isAhead(sql`s.opened_until`, at())} OR ${isAhead(sql`s.trial_until`, at())}
            OR ${isAhead(sql`s.paused_until`, at())})
          RETURNING trial IS NOT NULL AS is_trial, failures > 0 OR last_success_at IS NULL
            OR abs(extract(epoch FROM ${at()} - last_success_at)) > ${SUCCESS_SECONDS} AS is_success_news
        )
        SELECT true AS is_granted, is_trial, is_success_news, 0::float8 AS missing_tokens,
          NULL::timestamptz AS opened_at, NULL::timestamptz AS opened_until, NULL::timestamptz AS paused_until,
          NULL::float8 AS paused_ms
        FROM granted
        UNION ALL
        SELECT false, ${isAhead(sql`s.trial_until`, at())}, false, 1 - ${tokens}, s.opened_at,
          CASE WHEN ${isAhead(sql`s.opened_until`, at())} THEN s.opened_until END,
          CASE WHEN ${isAhead(sql`s.paused_until`, at())} THEN s.paused_until END,
          (extract(epoch FROM s.paused_until - ${at()}) * 1000)::float8
        FROM provider_state AS s WHERE provider = ${id} AND NOT EXISTS (SELECT FROM granted)
      `.execute(executor.query());
      return toAdmission(rows[0], trial, requestsPerMinute);
    },

    async leave({ trial, isSuccessNews }, outcome) {
      const db = executor.query();
      if (outcome === 'succeeded') {
        if (trial !== null || isSuccessNews) await recordSuccess(trial, at()).execute(db);
      } else if (outcome === 'replied') {
        if (trial !== null) await recordSuccess(trial, sql`last_success_at`).execute(db);
      } else if (outcome === 'abandoned') {
        if (trial !== null) await releaseTrial(trial).execute(db);
      } else {
        await recordFailure(trial, outcome).execute(db);
      }
    },
  };
}

function toAdmission(row: AdmissionRow | undefined, trial: string, requestsPerMinute: number): Admission {
  // Another process has just inserted the row, which this statement cannot see yet.
  if (row === undefined) return { kind: 'wait', ms: 1 };
  if (row.is_granted) {
    return { kind: 'granted', permit: { trial: row.is_trial ? trial : null, isSuccessNews: row.is_success_news } };
  }
  if (row.opened_at !== null && (row.opened_until !== null || row.is_trial)) {
    return { kind: 'open', since: row.opened_at, until: row.opened_until };
  }
  const refillMs = millisecondsToRefill(row.missing_tokens, requestsPerMinute);
  if (row.paused_until === null) return { kind: 'wait', ms: refillMs };
  return { kind: 'wait', ms: Math.max(refillMs, Math.ceil(row.paused_ms ?? 0)), pausedUntil: row.paused_until };
}

/** Returns SQL for the current time. */
export function sqlInstant(now: (() => number) | undefined): RawBuilder<Date> {
  // now() would be the time before the statement waited for the row.
  return now === undefined ? sql`clock_timestamp()` : sql`${new Date(now())}::timestamptz`;
}

/**
 * Returns SQL for whether the end of a pause or a trial lies ahead. One that lies further ahead than any can be is over:
 * the clock was set back.
 */
export function isAhead(end: RawBuilder<Date | null>, at: RawBuilder<Date>): RawBuilder<boolean> {
  return sql`coalesce(${end} > ${at} AND ${end} <= ${at} + make_interval(secs => ${MAX_OPEN_SECONDS}), false)`;
}

/** A pause that is longer would be taken for one from before the clock was set back. */
function pauseSeconds(pauseMs: number): number {
  return Math.min(MAX_OPEN_SECONDS, pauseMs / 1_000);
}

/** Returns SQL for how long the breaker stays open after so many failures. */
function openSeconds(failures: RawBuilder<number>): RawBuilder<number> {
  const doublings = sql`least(16, ${failures} - ${MAX_FAILURES}::int)`;
  return sql`least(${MAX_OPEN_SECONDS}::float8, ${FIRST_OPEN_SECONDS}::float8 * power(2, ${doublings}))`;
}
