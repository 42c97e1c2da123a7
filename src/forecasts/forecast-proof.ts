import type { Executor } from '../platform/index.ts';
import {
  buildProofDocument,
  type ForecastProof,
  isSelected,
  type ProofSeal,
  requestStamps,
  requireSameContent,
  type StampPolicy,
} from '../provenance/index.ts';
import { readSnapshot, type Snapshot, type SnapshotContext } from '../snapshots/index.ts';
import type { ForecastRow } from './find-forecast.ts';
import { viewSettings } from './view-forecast.ts';

type ProvableForecast = Pick<ForecastRow, 'id' | 'created_at' | 'settings' | 'checkpoints'> & {
  readonly result: NonNullable<ForecastRow['result']>;
  readonly fingerprint: object;
  readonly finished_at: Date;
};

/** Returns the proof of a completed forecast: its result, its times and its input. */
export function buildForecastProof(
  forecast: ProvableForecast,
  { id: snapshotId, sha256, rows, about }: Snapshot,
  seal: ProofSeal | undefined,
): ForecastProof {
  return buildProofDocument({
    forecastId: forecast.id,
    createdAt: forecast.created_at,
    completedAt: forecast.finished_at,
    input: { snapshotId, sha256, rows, about },
    settings: viewSettings(forecast.settings),
    checkpoints: forecast.checkpoints,
    fingerprint: forecast.fingerprint,
    result: forecast.result,
    seal,
  });
}

/** The document of a completed forecast with its content id. */
interface StoredProof {
  readonly document: ForecastProof;
  readonly contentCid: string;
}

/**
 * Rebuilds the proof of a forecast. Returns null if the forecast has not completed. Throws if the rebuilt document
 * differs from the one whose content id was stored.
 */
export async function readForecastProof(context: SnapshotContext, row: ForecastRow): Promise<StoredProof | null> {
  return rebuildProof(row, (id) => readSnapshot(context, id));
}

/** Rebuilds a proof with a snapshot that `read` returns. */
export async function rebuildProof(
  row: ForecastRow,
  read: (snapshotId: string | null) => Promise<Snapshot | null>,
): Promise<StoredProof | null> {
  const { result, fingerprint, finished_at, content_cid: contentCid } = row;
  if (result === null || fingerprint === null || finished_at === null || contentCid === null) return null;
  const snapshot = await read(row.snapshot_id);
  if (snapshot === null) throw new Error(`The snapshot of the forecast ${row.id} is missing.`);
  const document = buildForecastProof({ ...row, result, fingerprint, finished_at }, snapshot, sealOf(row));
  requireSameContent(document, contentCid);
  return { document, contentCid };
}

function sealOf({ proof_hash: hash, proof_salt: salt }: ForecastRow): ProofSeal | undefined {
  return hash === null || salt === null ? undefined : { hash, salt };
}

/** A forecast with what decides whether its proof is stamped. */
export type StampableForecast = Pick<ForecastRow, 'id' | 'content_cid' | 'guest_id' | 'visibility'>;

/** Hands the proof of a completed forecast over to be stamped if the policy selects it. */
export async function requestForecastStamp(
  executor: Executor,
  policy: StampPolicy,
  { id, content_cid, guest_id, visibility }: StampableForecast,
  now: Date,
): Promise<void> {
  if (content_cid === null || !isSelected(policy, { isGuest: guest_id !== null, visibility })) return;
  await requestStamps(executor, [{ contentCid: content_cid, kind: 'forecast', subject: id }], now);
}
