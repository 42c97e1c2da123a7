import { verifyText } from '../../src/api/pages/verify/verdict.js';
import type { ProofFile } from './generated/types.ts';

/** The verdict on a proof file, from the file alone. */
export interface Verdict {
  readonly valid: boolean;
  /** The content id, computed from the document; null if that is not possible. */
  readonly contentCid: string | null;
  /** The verdict in a sentence. */
  readonly headline: string;
  /** Why the file is not a valid proof. Each problem names the field. */
  readonly problems: readonly string[];
  /** The content of a valid file, as names with texts. */
  readonly facts: readonly (readonly [name: string, text: string])[];
  /** What the file proves, and what it proves if a chain confirms its receipt. */
  readonly findings: readonly string[];
}

/**
 * Verifies a proof without a service or any other connection: the document, its content id and the form of the receipt.
 * Only the chain of the receipt can confirm the stamp.
 *
 * @param proof the text of a saved proof file, or a proof that `forecasts.readProof` or `events.readProof` returned. A text
 * is also checked for keys that occur twice.
 */
export function verifyProof(proof: string | ProofFile): Promise<Verdict> {
  return verifyText(typeof proof === 'string' ? proof : JSON.stringify(proof));
}
