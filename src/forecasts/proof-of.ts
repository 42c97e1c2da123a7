import { type ForecastProof, proofDocument } from '../provenance/index.ts';
import type { Snapshot } from '../snapshots/index.ts';
import type { ForecastRow } from './find-forecast.ts';
import { settingsOnTheWire } from './settings-on-the-wire.ts';

type Proved = Pick<ForecastRow, 'id' | 'created_at' | 'settings' | 'checkpoints'> & {
  readonly result: NonNullable<ForecastRow['result']>;
  readonly fingerprint: object;
  readonly finished_at: Date;
};

/** The document that proves what a completed forecast said, when, and from what. */
export function proofOf(forecast: Proved, { id: snapshotId, sha256, rows, about }: Snapshot): ForecastProof {
  return proofDocument({
    forecastId: forecast.id,
    createdAt: forecast.created_at,
    completedAt: forecast.finished_at,
    input: { snapshotId, sha256, rows, about },
    settings: settingsOnTheWire(forecast.settings),
    checkpoints: forecast.checkpoints,
    fingerprint: forecast.fingerprint,
    result: forecast.result,
  });
}
