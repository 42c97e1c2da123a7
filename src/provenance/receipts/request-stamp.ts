import type { Visibility } from '../../contract/index.ts';
import type { Executor } from '../../platform/index.ts';
import type { ProofKind, ProvenanceTables } from './tables.ts';

export const STAMP_SELECTIONS = ['accounts', 'public', 'all'] as const;

/** Which proofs are stamped. */
export type StampSelection = (typeof STAMP_SELECTIONS)[number];

/** How an installation stamps proofs. */
export interface StampPolicy {
  /** Whether a chain or vBase's service is configured. */
  readonly isConfigured: boolean;
  readonly selection: StampSelection;
}

export interface NewProof {
  readonly contentCid: string;
  readonly kind: ProofKind;
  /** The id of the forecast or of the revision. */
  readonly subject: string;
}

/** What decides whether the proof of something is stamped. */
export interface ProofAudience {
  readonly isGuest: boolean;
  readonly visibility: Visibility;
}

/** Returns whether the policy selects a proof. */
export function isSelected({ isConfigured, selection }: StampPolicy, { isGuest, visibility }: ProofAudience): boolean {
  if (!isConfigured) return false;
  if (selection === 'all') return true;
  return selection === 'public' ? visibility === 'public' : !isGuest;
}

/**
 * Hands proofs over to be stamped, in the transaction that completes what they prove. A proof that was handed over
 * before stays as it is.
 *
 * @returns the number of proofs that were not handed over before
 */
export async function requestStamps(executor: Executor, proofs: readonly NewProof[], now: Date): Promise<number> {
  if (proofs.length === 0) return 0;
  const added = await executor
    .query<ProvenanceTables>()
    .insertInto('proof')
    .values(
      proofs.map(({ contentCid, kind, subject }) => ({ content_cid: contentCid, kind, subject, created_at: now })),
    )
    .onConflict((conflict) => conflict.column('content_cid').doNothing())
    .returning('content_cid')
    .execute();
  return added.length;
}
