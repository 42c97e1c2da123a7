import type { z } from 'zod';
import type { Account } from '../../access/index.ts';
import { DAY_MS, findObservedPeriod, gridOf, type ObservedPeriod } from '../../calendar/index.ts';
import { Fault, type ResolutionRuleChoice, type SourceReference } from '../../contract/index.ts';
import type { ScoutContext } from '../context.ts';
import { canShowSource, type EventAudience } from '../events/event-audience.ts';
import {
  observedAtAfterDeadline,
  observedPeriodEnded,
  observedPeriodEndsAfterDeadline,
  observedRowNotFound,
  ruleEndFixed,
  ruleSourceFault,
  ruleSourceNotShareable,
  ruleVintageFixed,
} from '../faults.ts';
import type { ResolutionRule } from '../tables.ts';

/** No period is longer than a year. */
const MAX_PERIOD_MS = 370 * DAY_MS;

/** A rule to store, with the instants that follow from it. */
export interface AcceptedRule {
  readonly rule: ResolutionRule;
  /** When the outcome becomes known. */
  readonly observedUntil: Date;
  /** The cutoff for reading the rows that contain the observation. */
  readonly readUntil: Date;
  /** When the observed value counts as final. */
  readonly finalAt: Date;
}

interface RuleConditions {
  readonly now: Date;
  readonly deadline: Date;
  readonly audience: EventAudience;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Returns a requested rule in its stored form. Checks that the caller may read the series, that the series can have the
 * row, and that the period of the row has not ended: a question whose outcome is known is not a forecast.
 */
export async function acceptRule(
  { sources }: Pick<ScoutContext, 'sources'>,
  principal: Account,
  requested: z.output<typeof ResolutionRuleChoice>,
  { now, deadline, audience, signal }: RuleConditions,
): Promise<AcceptedRule> {
  const instant = Date.parse(requested.observed_at);
  if (instant > deadline.getTime()) throw observedAtAfterDeadline();
  // Checked first, because the calendar does not cover the distant past.
  if (instant < now.getTime() - MAX_PERIOD_MS) throw observedPeriodEnded();
  if ('vintage' in requested.source && requested.source.vintage !== undefined) throw ruleVintageFixed();
  if ('end' in requested.source && requested.source.end !== undefined) throw ruleEndFixed();
  const source = sources.of(requested.source);
  const { cadence, about } = await withRulePath(async () => {
    await source.authorize(principal, requested.source);
    return source.read(requested.source, { limit: 1, accountId: principal.accountId, signal });
  });
  if (!canShowSource(about.source as SourceReference, audience)) throw ruleSourceNotShareable();
  const period = findObservedPeriod(cadence, instant);
  if (period === null) throw observedRowNotFound(gridOf(cadence).rule);
  if (period.knownFrom <= now.getTime()) throw observedPeriodEnded();
  if (period.until > deadline.getTime()) throw observedPeriodEndsAfterDeadline(new Date(period.until));
  return buildRule(requested, period);
}

/** Builds a rule that is decided by the row of a period. */
export function buildRule(rule: Omit<ResolutionRule, 'observed_at'>, period: ObservedPeriod): AcceptedRule {
  const { timestamp, until, knownFrom, readUntil } = period;
  return {
    rule: { ...rule, observed_at: new Date(timestamp).toISOString() },
    observedUntil: new Date(knownFrom),
    readUntil: new Date(readUntil),
    finalAt: new Date(until + rule.settle_days * DAY_MS),
  };
}

/** Reads from a source. Adds the path that the source has in the request to the faults that are thrown. */
async function withRulePath<Read>(read: () => Promise<Read>): Promise<Read> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    if (!/^source\b/.test(error.message) && error.code !== 'NOT_FOUND') throw error;
    throw ruleSourceFault(error);
  }
}
