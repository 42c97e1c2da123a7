import type { Licenses } from '../../access/index.ts';
import { Fault } from '../../contract/index.ts';
import type { Executor } from '../../platform/index.ts';
import { type ReceiptView, readReceipt } from '../../provenance/index.ts';
import { readSnapshotAbout, requireAllowedLicense } from '../../snapshots/index.ts';
import type { ScoutContext } from '../context.ts';
import type { EventRow, RevisionRow, ScoutTables } from '../tables.ts';

type Context = Pick<ScoutContext, 'database' | 'stamps'>;

/** A public event as one request finds it. */
export interface FoundPublicEvent {
  readonly event: EventRow;
  /** The receipt of the scored revision or, without one, of the latest; null if it is older than proofs are. */
  readonly receipt: ReceiptView | null;
  /** Changes with everything that its page shows. */
  readonly version: string;
}

/** A revision as the page of an event shows it. */
export type PublicRevision = Pick<RevisionRow, 'number' | 'probability' | 'note' | 'created_at'>;

/**
 * Returns the event with this slug if every caller may see it, even one without a credential: it is public, and the
 * license of the row that resolved it is not denied. Otherwise returns null, whatever the reason.
 */
export async function findPublicEvent(
  { database, stamps }: Context,
  licenses: Licenses,
  slug: string,
): Promise<FoundPublicEvent | null> {
  const event = await database
    .query<ScoutTables>()
    .selectFrom('event_forecast')
    .selectAll()
    .where('slug', '=', slug)
    .where('visibility', '=', 'public')
    .executeTakeFirst();
  if (event === undefined || !(await isEvidenceAllowed(database, licenses, event))) return null;
  const proven = await database
    .query<ScoutTables>()
    .selectFrom('event_revision')
    .select('content_cid')
    .where('event_id', '=', event.id)
    .where('number', '=', event.scored_revision ?? event.revision)
    .executeTakeFirst();
  const cid = proven?.content_cid ?? null;
  const receipt = cid === null ? null : await readReceipt(database, stamps, cid);
  // The other columns that the page shows never change, and revisions are only added.
  const version = JSON.stringify([event.revision, event.status, event.resolved_at, receipt]);
  return { event, receipt, version };
}

async function isEvidenceAllowed(executor: Executor, licenses: Licenses, { evidence }: EventRow): Promise<boolean> {
  const id = evidence?.snapshot_id ?? null;
  if (licenses.allowsAll || id === null) return true;
  try {
    requireAllowedLicense(licenses, (await readSnapshotAbout(executor, id)) ?? {});
    return true;
  } catch (error) {
    if (error instanceof Fault) return false;
    throw error;
  }
}

/** Returns the revisions of an event, oldest first. */
export function readPublicRevisions(
  { database }: Pick<Context, 'database'>,
  eventId: string,
): Promise<PublicRevision[]> {
  return database
    .query<ScoutTables>()
    .selectFrom('event_revision')
    .select(['number', 'probability', 'note', 'created_at'])
    .where('event_id', '=', eventId)
    .orderBy('number')
    .execute();
}
