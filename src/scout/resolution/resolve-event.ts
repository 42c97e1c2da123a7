import type { z } from 'zod';
import type { Account } from '../../access/index.ts';
import { Fault, type ResolveRequestBody } from '../../contract/index.ts';
import type { ScoutContext } from '../context.ts';
import { actingAs, findEvent } from '../events/find-event.ts';
import { lockEvent } from '../events/lock-event.ts';
import type { EventRow, Evidence } from '../tables.ts';
import { acceptResolution } from './accept-resolution.ts';

export type ResolveBody = z.output<typeof ResolveRequestBody>;

/** Resolves an event by hand, or annuls it. Of several at once one is accepted. */
export async function resolveEvent(
  context: ScoutContext,
  principal: Account,
  idOrSlug: string,
  body: ResolveBody,
): Promise<EventRow> {
  const found = await findEvent(context.database, principal, idOrSlug, 'event.resolve');
  return context.database.transaction(async (tx) => {
    const event = await lockEvent(tx, principal, found, 'event.resolve');
    const now = context.clock.now();
    const resolution = {
      outcome: body.outcome,
      actualOutcome: body.actual_outcome,
      source: body.resolution_source,
      evidence: evidenceOf(body),
      knownAt: knownAt(body, event, now),
      actor: { accountId: principal.accountId, as: actingAs(principal, event, 'event.resolve') },
    };
    const resolved = await acceptResolution(tx, event, resolution, now);
    if (resolved === null) throw new Fault('CONFLICT', `The forecast is ${event.status} already; that holds.`);
    return resolved;
  });
}

function knownAt({ outcome_known_at: stated }: ResolveBody, { created_at }: EventRow, now: Date): Date | null {
  if (stated === undefined) return null;
  const moment = new Date(stated);
  if (moment > now) throw new Fault('INVALID_REQUEST', 'outcome_known_at: is in the future.');
  if (moment < created_at) {
    throw new Fault(
      'INVALID_REQUEST',
      `outcome_known_at: is before the question was asked, at ${created_at.toISOString()}. Annul a question whose answer was known.`,
    );
  }
  return moment;
}

function evidenceOf({ evidence }: ResolveBody): Evidence | null {
  if (evidence === undefined) return null;
  const { text, observation } = evidence;
  return {
    text,
    observation: observation
      ? { timestamp: new Date(observation.timestamp).toISOString(), value: observation.value }
      : null,
    source: null,
    provider: null,
    snapshot_id: null,
  };
}
