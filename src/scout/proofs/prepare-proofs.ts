import { sql } from 'kysely';
import type { Transaction } from '../../platform/index.ts';
import type { StampPolicy } from '../../provenance/index.ts';
import type { ScoutContext } from '../context.ts';
import type { ScoutTables } from '../tables.ts';
import { PROVEN_EVENT_COLUMNS, requestRevisionStamps, type SealedRevision, sealRevision } from './revision-proof.ts';

/** Selects revisions by their events, or by the time at which they were made. */
export type RevisionChoice = { readonly eventIds: readonly string[] } | { readonly since: Date };

export interface PreparedProofs {
  /** The number of chosen revisions. */
  readonly revisions: number;
  /** How many of them got a proof. The others had one. */
  readonly prepared: number;
  /** How many proofs were handed over to be stamped. The others were handed over before, or are not selected. */
  readonly requested: number;
}

/** The number of revisions in one transaction. */
const BATCH_SIZE = 500;

/**
 * Gives revisions without a proof one, and hands the proofs of all chosen revisions over to be stamped. Revisions that
 * are chosen by their events are stamped even if the policy does not select them. Without a stamper, nothing is handed
 * over.
 */
export async function prepareRevisionProofs(
  { database, clock, stamps }: Pick<ScoutContext, 'database' | 'clock' | 'stamps'>,
  choice: RevisionChoice,
  batchSize = BATCH_SIZE,
): Promise<PreparedProofs> {
  const policy: StampPolicy = 'eventIds' in choice ? { ...stamps, selection: 'all' } : stamps;
  const total = { revisions: 0, prepared: 0, requested: 0 };
  let after = '';
  for (let isFull = true; isFull; ) {
    const { revisions, prepared, requested } = await database.transaction(async (tx) => {
      const batch = await lockRevisions(tx, choice, after, batchSize);
      const unsealed = batch.filter(({ content_cid }) => content_cid === null);
      const seals = unsealed.map((row) => ({ id: row.id, ...sealRevision(row, row) }));
      await storeSeals(tx, seals);
      const sealed = new Map(seals.map(({ id, content_cid }) => [id, content_cid]));
      const proofs = batch.map(({ id, visibility, content_cid }): SealedRevision => {
        return { id, visibility, content_cid: content_cid ?? (sealed.get(id) as string) };
      });
      const added = await requestRevisionStamps(tx, policy, proofs, clock.now());
      return { revisions: batch, prepared: seals.length, requested: added };
    });
    total.revisions += revisions.length;
    total.prepared += prepared;
    total.requested += requested;
    isFull = revisions.length === batchSize;
    after = revisions.at(-1)?.id ?? '';
  }
  return total;
}

/**
 * Returns the next revisions with the columns of their events, and locks them. Leaves out revisions that another
 * transaction has locked: it either prepares them too, or removes them.
 */
function lockRevisions(tx: Transaction, choice: RevisionChoice, after: string, limit: number) {
  const isChosen =
    'since' in choice
      ? sql<boolean>`event_revision.created_at >= ${choice.since}`
      : sql<boolean>`event_revision.event_id = ANY(${[...choice.eventIds]}::text[])`;
  return tx
    .query<ScoutTables>()
    .selectFrom('event_revision')
    .innerJoin('event_forecast', 'event_forecast.id', 'event_revision.event_id')
    .selectAll('event_revision')
    .select(PROVEN_EVENT_COLUMNS)
    .select('visibility')
    .where('event_revision.id', '>', after)
    .where(isChosen)
    .orderBy('event_revision.id')
    .limit(limit)
    .forUpdate('event_revision')
    .skipLocked()
    .execute();
}

/** Stores the proofs of revisions that have none. */
async function storeSeals(tx: Transaction, seals: readonly object[]): Promise<void> {
  if (seals.length === 0) return;
  await sql`
    UPDATE event_revision SET content_cid = given.content_cid, proof_hash = given.proof_hash,
      proof_salt = given.proof_salt
    FROM json_to_recordset(${JSON.stringify(seals)}::json) AS given(id text, content_cid text, proof_hash text,
      proof_salt text)
    WHERE event_revision.id = given.id AND event_revision.content_cid IS NULL`.execute(tx.query());
}
