import type { z } from 'zod';
import type { Account } from '../../access/index.ts';
import type { ProofFile } from '../../contract/index.ts';
import { readReceipt, requireSameContent } from '../../provenance/index.ts';
import type { ScoutContext } from '../context.ts';
import { findEvent } from '../events/find-event.ts';
import { revisionHasNoProof, revisionNotFound } from '../faults.ts';
import type { ScoutTables } from '../tables.ts';
import { buildRevisionDocument } from './revision-proof.ts';

/** Returns the proof of a revision with its receipt. @param number the latest revision if undefined */
export async function readRevisionProof(
  { database, stamps }: ScoutContext,
  principal: Account,
  idOrSlug: string,
  number?: number,
): Promise<z.output<typeof ProofFile>> {
  const event = await findEvent(database, principal, idOrSlug, 'event.read');
  const revision = await database
    .query<ScoutTables>()
    .selectFrom('event_revision')
    .selectAll()
    .where('event_id', '=', event.id)
    .where('number', '=', number ?? event.revision)
    .executeTakeFirst();
  if (revision === undefined) throw revisionNotFound();
  const { content_cid, proof_hash: hash, proof_salt: salt } = revision;
  if (content_cid === null || hash === null || salt === null) throw revisionHasNoProof(event.id);
  const document = buildRevisionDocument(event, revision, { hash, salt });
  requireSameContent(document, content_cid);
  return { document: { ...document }, content_cid, provenance: await readReceipt(database, stamps, content_cid) };
}
