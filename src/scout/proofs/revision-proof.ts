import type { Visibility } from '../../contract/index.ts';
import type { Executor } from '../../platform/index.ts';
import {
  buildEventRevisionProof,
  contentId,
  type EventRevisionProof,
  isSelected,
  newSeal,
  type PROOF_HASH,
  type ProofSeal,
  requestStamps,
  type StampPolicy,
} from '../../provenance/index.ts';
import type { EventRow, RevisionRow } from '../tables.ts';

/** The columns of an event that the proofs of its revisions repeat. They are never updated. */
export const PROVEN_EVENT_COLUMNS = [
  'question',
  'category',
  'entity_type',
  'entity_name',
  'entity_ticker',
  'resolution_deadline',
  'resolution_rule',
  'model',
  'origin',
] as const satisfies (keyof EventRow)[];

export type ProvenEvent = Pick<EventRow, (typeof PROVEN_EVENT_COLUMNS)[number]>;

type ProvenRevision = Pick<RevisionRow, 'event_id' | 'number' | 'probability' | 'possible_future_headline' | 'note'> &
  Pick<RevisionRow, 'input_cutoff_at' | 'created_at'>;

/** Returns the document of a revision. */
export function buildRevisionDocument(
  event: ProvenEvent,
  revision: ProvenRevision,
  seal: ProofSeal,
): EventRevisionProof {
  // A model and a forecast give only the first probability; accounts give the later ones.
  const isFirst = revision.number === 1;
  return buildEventRevisionProof({
    eventId: revision.event_id,
    revision: revision.number,
    question: event.question,
    category: event.category,
    entity: { type: event.entity_type, name: event.entity_name, ticker: event.entity_ticker },
    headline: revision.possible_future_headline,
    probability: revision.probability,
    inputCutoffAt: revision.input_cutoff_at,
    createdAt: revision.created_at,
    deadline: event.resolution_deadline,
    rule: event.resolution_rule,
    model: isFirst ? event.model : null,
    origin: isFirst ? event.origin : null,
    note: revision.note,
    seal,
  });
}

/** The columns of a revision from which its document can be built again and checked. */
export interface SealColumns {
  readonly content_cid: string;
  readonly proof_hash: typeof PROOF_HASH;
  readonly proof_salt: string;
}

/** Returns the columns of a new proof of a revision. */
export function sealRevision(event: ProvenEvent, revision: ProvenRevision): SealColumns {
  const seal = newSeal();
  const content_cid = contentId(buildRevisionDocument(event, revision, seal));
  return { content_cid, proof_hash: seal.hash, proof_salt: seal.salt };
}

/** A revision with a proof. */
export interface SealedRevision {
  readonly id: string;
  readonly content_cid: string;
  /** The visibility of the event. */
  readonly visibility: Visibility;
}

/**
 * Hands the proofs of revisions that the policy selects over to be stamped.
 *
 * @returns the number of proofs that were not handed over before
 */
export function requestRevisionStamps(
  executor: Executor,
  policy: StampPolicy,
  revisions: readonly SealedRevision[],
  now: Date,
): Promise<number> {
  const proofs = revisions
    .filter(({ visibility }) => isSelected(policy, { isGuest: false, visibility }))
    .map(({ id, content_cid }) => ({ contentCid: content_cid, kind: 'event_revision' as const, subject: id }));
  return requestStamps(executor, proofs, now);
}
