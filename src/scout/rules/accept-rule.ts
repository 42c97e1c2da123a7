import type { z } from 'zod';
import type { Account } from '../../access/index.ts';
import { gridOf } from '../../calendar/index.ts';
import { Fault, type ResolutionRuleChoice, type SourceReference } from '../../contract/index.ts';
import type { ScoutContext } from '../context.ts';
import type { ResolutionRule } from '../tables.ts';
import { mayObserve } from './may-observe.ts';
import { type ObservedPeriod, observedPeriod } from './observed-period.ts';

const DAY = 86_400_000;

/** A rule with the moments that follow from it. */
export interface AcceptedRule {
  readonly rule: ResolutionRule;
  /** From then on what happens in the observed period is known. */
  readonly observedUntil: Date;
  /** Until when its row is read. */
  readonly readUntil: Date;
  /** When its value counts as final. */
  readonly finalAt: Date;
}

interface Limits {
  readonly now: Date;
  readonly deadline: Date;
  readonly place: Parameters<typeof mayObserve>[1];
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
  { now, deadline, place, signal }: Limits,
): Promise<AcceptedRule> {
  const instant = Date.parse(asked.observed_at);
  if (instant > deadline.getTime()) throw refused('must not be after resolution_deadline');
  // Far back the calendar knows no periods, and every one of them has ended.
  if (instant < now.getTime() - MAX_PERIOD) throw refused(ENDED);
  const source = sources.of(asked.source);
  const { cadence, about } = await inRule(async () => {
    await source.authorize(principal, asked.source);
    return source.read(asked.source, { limit: 1, signal });
  });
  if (!mayObserve(about.source as SourceReference, place)) {
    throw new Fault(
      'INVALID_REQUEST',
      'visibility: a rule on a file of a workspace shows a row of it. Make the question private, or one of that workspace.',
    );
  }
  const period = observedPeriod(cadence, instant);
  if (period === null) throw refused(`the series has no row there: each is ${gridOf(cadence).rule}`);
  if (period.knownFrom <= now.getTime()) throw refused(ENDED);
  if (period.until > deadline.getTime()) {
    throw refused(`its period ends at ${new Date(period.until).toISOString()}, after resolution_deadline`);
  }
  return ruleFor(asked, period);
}

/** A rule about the row of a period. */
export function ruleFor(rule: Omit<ResolutionRule, 'observed_at'>, period: ObservedPeriod): AcceptedRule {
  const { timestamp, until, knownFrom, readUntil } = period;
  return {
    rule: { ...rule, observed_at: new Date(timestamp).toISOString() },
    observedUntil: new Date(knownFrom),
    readUntil: new Date(readUntil),
    finalAt: finalAt(new Date(until), rule.settle_days),
  };
}

/** No period is longer than a year. */
const MAX_PERIOD = 370 * DAY;
const ENDED = 'its period has ended, so the answer is known. Ask about a later one';

/** When the value of a period that ends then counts as final. */
function finalAt(until: Date, settleDays: number): Date {
  return new Date(until.getTime() + settleDays * DAY);
}

function refused(why: string): Fault {
  return new Fault('INVALID_REQUEST', `resolution_rule.observed_at: ${why}.`);
}

/** Says of a fault of the source where in the request it lies. */
async function inRule<Read>(read: () => Promise<Read>): Promise<Read> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const isNamed = /^source\b/.test(error.message);
    if (!isNamed && error.code !== 'NOT_FOUND') throw error;
    throw new Fault(error.code, `resolution_rule.${isNamed ? '' : 'source: '}${error.message}`, error.details);
  }
}
