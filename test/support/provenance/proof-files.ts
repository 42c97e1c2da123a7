import { TimestampReceipt } from '../../../src/contract/index.ts';
import type { Database } from '../../../src/platform/index.ts';
import {
  buildProofDocument,
  contentId,
  type ForecastProof,
  readReceipts,
  requestStamps,
} from '../../../src/provenance/index.ts';
import { EXAMPLE_PROOF } from '../forecasts/example-proof.ts';
import type { Random } from '../platform/seeded-random.ts';

/** A document with its content id. */
export interface TestProof {
  readonly cid: string;
  readonly document: ForecastProof;
}

const POLICY = { isConfigured: true, selection: 'accounts' } as const;

/** Creates proofs of forecasts that differ in their ids, values and salts. */
export function createProofs(count: number, random: Random): TestProof[] {
  return Array.from({ length: count }, (_, i) => createProof(i, random));
}

/** Hands proofs over to be stamped. */
export async function handOver(database: Database, proofs: readonly TestProof[], now: Date): Promise<void> {
  await requestStamps(
    database,
    proofs.map(({ cid, document }) => ({ contentCid: cid, kind: 'forecast', subject: document.forecast_id })),
    now,
  );
}

/** Returns proof files as the API returns them, in the order of the proofs. The receipts are checked by the contract. */
export async function readProofFiles(database: Database, proofs: readonly TestProof[]): Promise<string[]> {
  const receipts = await readReceipts(
    database,
    POLICY,
    proofs.map(({ cid }) => cid),
  );
  return proofs.map(({ cid, document }) => {
    const provenance = TimestampReceipt.parse(receipts.get(cid));
    return JSON.stringify({ document, content_cid: cid, provenance });
  });
}

function createProof(i: number, random: Random): TestProof {
  const { input, settings, checkpoints, fingerprint, result } = EXAMPLE_PROOF;
  const base = 100 * random();
  const predictions = result.predictions.map(({ timestamp }) => ({
    timestamp,
    quantiles: { '0.1': base, '0.5': base + random(), '0.9': base + 1 + random() },
  }));
  const document = buildProofDocument({
    forecastId: `ef_${i}`,
    createdAt: new Date(EXAMPLE_PROOF.created_at),
    completedAt: new Date(EXAMPLE_PROOF.completed_at),
    input: { snapshotId: `snap_${i}`, sha256: hex(random), rows: input.rows, about: input.about },
    settings,
    checkpoints,
    fingerprint,
    result: { ...result, predictions },
    seal: { hash: 'sha3-256', salt: hex(random) },
  });
  return { cid: contentId(document), document };
}

/** Returns 32 bytes in hexadecimal digits. */
function hex(random: Random): string {
  return Array.from({ length: 64 }, () => Math.floor(16 * random()).toString(16)).join('');
}
