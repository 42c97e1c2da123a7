import type { ColumnType, Generated } from 'kysely';
import type { ForecastStatus, Visibility } from '../contract/index.ts';
import type { Comparison, ForecastResult, Progress } from '../engine/index.ts';
import type { ForecastSettings } from './settings.ts';

/** Why a forecast failed. */
export interface ForecastFailure {
  readonly code: string;
  readonly message: string;
  readonly retryable: boolean;
}

export interface ForecastTable {
  id: string;
  slug: string;
  /** The account's id, or the guest's: who made it, or has saved it. */
  owner: string;
  /** Whose slot and credits it takes: in a workspace those of its owner at the time, otherwise the maker's own. */
  payer: string;
  account_id: string | null;
  guest_id: string | null;
  workspace_id: string | null;
  visibility: Visibility;
  title: string | null;
  status: ForecastStatus;
  /** As it was sent. */
  request: ColumnType<object, object, never>;
  /** Everything the engine needs beside the rows, with nothing left open. */
  settings: ColumnType<ForecastSettings, ForecastSettings, never>;
  snapshot_id: string;
  /** By model the exact checkpoint. */
  checkpoints: ColumnType<Record<string, string>, Record<string, string>, never>;
  /** The forecast that this one runs again. */
  reproduces: string | null;
  credits: number;
  job_id: string;
  /** The attempt that has the forecast, one more each time a worker takes it. */
  attempt: Generated<number>;
  progress: Progress | null;
  result: ForecastResult | null;
  result_sha256: string | null;
  /** Of the proof document. */
  content_cid: string | null;
  fingerprint: object | null;
  comparison: Comparison | null;
  error: ForecastFailure | null;
  /** The number of the latest event. */
  last_event: Generated<number>;
  created_at: Date;
  started_at: Date | null;
  finished_at: Date | null;
}

export interface ForecastEventTable {
  forecast_id: string;
  number: number;
  kind: 'queued' | 'progress' | 'completed' | 'failed';
  data: object;
  created_at: Date;
}

export interface IdempotencyKeyTable {
  owner: string;
  key: string;
  request_sha256: string;
  forecast_id: string;
  created_at: Date;
}

/** How many forecasts of an owner, or of the guests of a network, wait or run. */
export interface AdmissionTable {
  owner: string;
  active: number;
}

/** An unfinished forecast that holds a slot of a network. */
export interface NetworkSlotTable {
  forecast_id: string;
  /** Its owner in the table of admissions. */
  network: string;
}

export interface LedgerEntryTable {
  id: Generated<number>;
  /** `reserve:ef_…`, `capture:ef_…` or `release:ef_…`; the entries of one add up to zero. */
  transfer: string;
  owner: string;
  /** `2026-11`, in UTC: the month whose allowance is used. */
  month: string;
  ledger_account: 'available' | 'reserved' | 'spent';
  amount: number;
  forecast_id: string;
  created_at: Date;
}

/** Lets the guest who made a forecast save it under an account. */
export interface SaveProofTable {
  secret_hash: string;
  forecast_id: string;
  guest_id: string;
  created_at: Date;
  expires_at: Date;
  consumed_at: Date | null;
  consumed_by: string | null;
}

export interface JobTables {
  forecast: ForecastTable;
  forecast_event: ForecastEventTable;
  idempotency_key: IdempotencyKeyTable;
  admission: AdmissionTable;
  network_slot: NetworkSlotTable;
  ledger_entry: LedgerEntryTable;
  save_proof: SaveProofTable;
}
