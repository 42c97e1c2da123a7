import type { z } from 'zod';
import type { Account } from '../../access/index.ts';
import { gridOf } from '../../calendar/index.ts';
import { Fault, type ResolutionRuleChoice } from '../../contract/index.ts';
import type { ScoutContext } from '../context.ts';
import type { ResolutionRule } from '../tables.ts';
import { type ObservedPeriod, observedPeriod } from './observed-period.ts';

const DAY = 86_400_000;

/** A rule with the moments that follow from it. */
export interface AcceptedRule {
  readonly rule: ResolutionRule;
  /** The end of the observed period. */
  readonly observedUntil: Date;
  /** Until when its row is read. */
  readonly readUntil: Date;
  /** When its value counts as final. */
  readonly finalAt: Date;
}

interface Limits {
  readonly now: Date;
  readonly deadline: Date;
  readonly signal?: AbortSignal | undefined;
}

/**
 * A rule as it is kept, if the caller may read its series, the series can have such a row, and that row's period has not
 * ended yet: a question whose answer is there already is no forecast.
 */
export async function acceptRule(
  { sources }: Pick<ScoutContext, 'sources'>,
  principal: Account,
  asked: z.output<typeof ResolutionRuleChoice>,
  { now, deadline, signal }: Limits,
): Promise<AcceptedRule> {
  const instant = Date.parse(asked.observed_at);
  if (instant > deadline.getTime()) throw refused('must not be after resolution_deadline');
  // Far back the calendar knows no periods, and every one of them has ended.
  if (instant < now.getTime() - MOST_PERIOD) throw refused(ENDED);
  const source = sources.of(asked.source);
  const cadence = await inRule(async () => {
    await source.authorize(principal, asked.source);
    return (await source.read(asked.source, { limit: 1, signal })).cadence;
  });
  const period = observedPeriod(cadence, instant);
  if (period === null) throw refused(`the series has no row there: each is ${gridOf(cadence).rule}`);
  if (period.until <= now.getTime()) throw refused(ENDED);
  if (period.until > deadline.getTime()) {
    throw refused(`its period ends at ${new Date(period.until).toISOString()}, after resolution_deadline`);
  }
  return ruleFor(asked, period);
}

/** A rule about the row of a period. */
export function ruleFor(rule: Omit<ResolutionRule, 'observed_at'>, period: ObservedPeriod): AcceptedRule {
  const { timestamp, until, readUntil } = period;
  return {
    rule: { ...rule, observed_at: new Date(timestamp).toISOString() },
    observedUntil: new Date(until),
    readUntil: new Date(readUntil),
    finalAt: finalAt(new Date(until), rule.settle_days),
  };
}

/** No period is longer than a year. */
const MOST_PERIOD = 370 * DAY;
const ENDED = 'its period has ended, so the answer is known. Ask about a later one';

/** When the value of a period that ends then counts as final. */
export function finalAt(observedUntil: Date, settleDays: number): Date {
  return new Date(observedUntil.getTime() + settleDays * DAY);
}

function refused(why: string): Fault {
  return new Fault('INVALID_REQUEST', `resolution_rule.observed_at: ${why}.`);
}

/** Says of a fault of the source where in the request it lies. */
async function inRule<Read>(read: () => Promise<Read>): Promise<Read> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof Fault) || !/^source\b/.test(error.message)) throw error;
    throw new Fault(error.code, `resolution_rule.${error.message}`, error.details);
  }
}
