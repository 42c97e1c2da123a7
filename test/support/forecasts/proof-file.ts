import { contentId } from '../../../src/provenance/index.ts';
import { exampleReceipt, SEALED_PROOF } from './example-proof.ts';

// biome-ignore lint/suspicious/noExplicitAny: the tests set values that the types forbid.
type Changeable = Record<string, any>;

/** A proof file before it is written, which tests change. */
export interface ProofFile {
  readonly document: Changeable;
  readonly content_cid: string;
  readonly provenance: Changeable;
}

/** Returns the file of a stamped forecast. @param change changes its document before the id is computed */
export function stampedProofFile(change: (document: Changeable) => void = () => {}): ProofFile {
  const document: Changeable = structuredClone(SEALED_PROOF);
  change(document);
  return stamp(document);
}

/** Returns the file of a stamped revision of an event. */
export function stampedRevisionFile(change: (document: Changeable) => void = () => {}): ProofFile {
  const document: Changeable = {
    schema_version: 'almanac_forecast_proof_v1',
    kind: 'event_revision',
    hash: SEALED_PROOF.hash,
    salt: SEALED_PROOF.salt,
    forecast_id: 'evt_1',
    revision: 2,
    question: 'Will the harbor freeze before April?',
    category: 'weather',
    entity: { type: 'place', name: 'Harbor', ticker: '' },
    possible_future_headline: 'The harbor froze',
    probability: 0.25,
    input_cutoff_at: '2026-03-01T09:00:00.000Z',
    created_at: '2026-03-01T10:00:00.000Z',
    resolution_deadline: '2026-04-01T00:00:00.000Z',
    resolution_rule: null,
    model: null,
    source_forecast: null,
    note: 'It is getting colder.',
  };
  change(document);
  return stamp(document);
}

function stamp(document: Changeable): ProofFile {
  const contentCid = contentId(document);
  return { document, content_cid: contentCid, provenance: exampleReceipt(contentCid) };
}
