import type { ColumnType, Generated } from 'kysely';
import type { Cadence } from '../calendar/index.ts';
import type { ForecastStatus, OutcomeStatus, SourceReference, Visibility } from '../contract/index.ts';
import type { Comparison, ForecastResult, Progress } from '../engine/index.ts';
import type { PROOF_HASH } from '../provenance/index.ts';
import type { OutcomeMetrics, OutcomeScores } from './outcomes/score-outcome.ts';

/** Why a forecast failed. */
export interface ForecastFailure {
  readonly code: string;
  readonly message: string;
  readonly retryable: boolean;
}

/** What is kept of a snapshot that was removed. */
export interface RemovedSnapshot {
  readonly id: string;
  readonly sha256: string;
  readonly rows: number;
  readonly removed_at: string;
}

/** Everything the engine needs besides the rows, with every default filled in. */
export interface ForecastSettings {
  readonly cadence: Cadence;
  readonly horizon: number;
  readonly quantiles: readonly number[];
  readonly models: readonly string[];
  /** Absent in full mode. */
  readonly mode?: 'fast';
  readonly weightMode: 'auto' | 'manual';
  readonly weights: Readonly<Record<string, number>> | null;
  readonly weightingPolicy: 'rolling_pinball_v1' | 'rolling_loss_selection_v2';
  readonly transform: 'auto' | 'none' | 'log';
  readonly seed: number;
  /** The instant after which no row was read; null if no cutoff was set. */
  readonly cutoff: string | null;
  /** The source with its defaults filled in; null for rows that were sent with the request. */
  readonly source: SourceReference | null;
  /**
   * Models of the default ensemble, or of the fast mode, that could not run when the forecast was created. Absent if all
   * could run.
   */
  readonly unavailableModels?: readonly string[];
  /** Members of the default ensemble that were not fitted, because they do not help on such series. Absent if there are none. */
  readonly notFittedModels?: readonly string[];
  /** Present if a preferred provider failed and another one supplied the rows. */
  readonly fallbackUsed?: true;
  /** Present if the rows are those that were known at the cutoff. The source then has the date as its vintage. */
  readonly asKnownAtCutoff?: true;
  /** The bytes of the dry run before the rows were read. Present for warehouse tables. */
  readonly estimatedBytes?: number;
  /**
   * The timestamp of the last row that the caller had. Present for rows of the caller with a cutoff: they can be of
   * periods that are not over. The API and proofs do not show it.
   */
  readonly knownUntil?: string;
  /** The days from the end of a period until its value enters the outcome. Present if the request set it. */
  readonly settleDays?: number;
  /**
   * The version of the engine that must run the forecast. Present if it reproduces one whose checkpoints do not name the
   * engine, because it uses Toto alone. The API and proofs do not show it.
   */
  readonly engine?: string;
}

export interface ForecastTable {
  id: string;
  slug: string;
  /**
   * The id of the account or guest that created the forecast, or of the account that saved it; `nameless` if its account
   * was erased and the forecast stayed.
   */
  owner: string;
  /**
   * The id of the account or guest whose slot and credits the forecast takes: in a workspace its owner at the time of
   * creation, otherwise the creator; `nameless` for a nameless forecast.
   */
  payer: string;
  /** Null for the forecast of a guest and for a nameless one. */
  account_id: string | null;
  guest_id: string | null;
  workspace_id: string | null;
  visibility: Visibility;
  title: string | null;
  status: ForecastStatus;
  /** The body of the request, without inline rows. */
  request: ColumnType<object, object, never>;
  settings: ColumnType<ForecastSettings, ForecastSettings, never>;
  /** Null if the snapshot was removed. */
  snapshot_id: string | null;
  /** Set when the snapshot is removed. */
  removed_snapshot: RemovedSnapshot | null;
  /** The counted size of the forecast without its snapshot. A trigger sets it. */
  bytes: Generated<number>;
  /** The hash of the network of a guest, by which its forecasts are counted; null for an account. */
  guest_network: string | null;
  /** The exact checkpoint of each model. */
  checkpoints: ColumnType<Record<string, string>, Record<string, string>, never>;
  /** The forecast that this one reproduces; null if that one was deleted. */
  reproduces: string | null;
  /** Whether the forecast reproduces another one, even a deleted one. */
  is_copy: Generated<boolean>;
  credits: number;
  job_id: string;
  /** The queue that holds the job; null for the one that earlier builds use. */
  queue: string | null;
  /** The attempt that holds the forecast. Each worker that takes the forecast increments it. */
  attempt: Generated<number>;
  progress: Progress | null;
  result: ForecastResult | null;
  /** The average WQL of the historical validation, for sorting. A trigger sets it. */
  validation_wql: Generated<number | null>;
  result_sha256: string | null;
  /** The content id of the proof document. */
  content_cid: string | null;
  /** The hash and the salt of the proof document; null if it has neither. */
  proof_hash: typeof PROOF_HASH | null;
  proof_salt: string | null;
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

/** The number of queued and running forecasts of an owner or of the guests of a network. */
export interface SlotUsageTable {
  owner: string;
  active: number;
}

/** An unfinished forecast that holds a slot of a network. */
export interface NetworkSlotTable {
  forecast_id: string;
  /** The hash of the network, which is the `owner` in the table `admission`. */
  network: string;
}

/** The CPU that the canceled and failed forecasts of a payer have used in the latest hour in which there were any. */
export interface UnpaidCpuTable {
  payer: string;
  /** The start of the hour. */
  hour: Date;
  seconds: number;
}

/** What an account used on one day. */
export interface UsageDayTable {
  account_id: string;
  /** `2026-11-30`, in UTC. */
  day: string;
  /** Credits of completed forecasts that were created on that day. */
  credits: Generated<number>;
  /** The most slots in use when a forecast was created on that day; null if none was recorded. */
  peak_slots: number | null;
  /** The stored bytes when they were last counted on that day; null if they had not changed. */
  bytes: number | null;
}

export interface LedgerEntryTable {
  id: Generated<number>;
  /**
   * `reserve:ef_…`, `capture:ef_…` or `release:ef_…`, or `removed:OWNER:MONTH` for the removed forecasts of an owner in a
   * month; the entries of one transfer add up to zero.
   */
  transfer: string;
  owner: string;
  /** `2026-11`, in UTC: the month whose quota is used. */
  month: string;
  ledger_account: 'available' | 'reserved' | 'spent';
  amount: number;
  forecast_id: string;
  created_at: Date;
}

/** A forecast that a member created in a workspace of another owner. */
export interface MemberChargeTable {
  forecast_id: string;
  workspace_id: string;
  /** The member. */
  account_id: string;
  /** As in the ledger. */
  month: string;
  credits: number;
}

/** A proof with which the guest that created a forecast can save it under an account. */
export interface SaveProofTable {
  secret_hash: string;
  forecast_id: string;
  guest_id: string;
  created_at: Date;
  expires_at: Date;
  consumed_at: Date | null;
  consumed_by: string | null;
}

/** A completed forecast of an account that its owner deleted: its receipt, without content. */
export interface RemovedForecastTable {
  id: string;
  /** The slug is not given to another forecast. */
  slug: string;
  content_cid: string;
  created_at: Date;
  finished_at: Date;
  removed_at: Date;
}

/** What is known of the periods that a completed forecast covers. */
export interface ForecastOutcomeTable {
  forecast_id: string;
  status: OutcomeStatus;
  /** Why the outcome is unavailable, or why the last check found no row. */
  reason: string | null;
  /** When the forecast was completed, or when outcomes were introduced if it is older. */
  opened_at: Generated<Date>;
  /**
   * How many of the first steps existed when the forecast was made, as with a past cutoff. They are not scored. Null
   * until the first check.
   */
  replayed_steps: number | null;
  /** When the source is read again; null if it is not: the outcome is complete, or its rows are sent by a caller. */
  next_check_at: Date | null;
  checked_at: Date | null;
  /** The snapshot of the recorded rows, which the forecast holds. */
  snapshot_id: string | null;
  /** The factor by which the source has rescaled its history since the forecast was made, such as after a split. */
  scale: number | null;
  /** Whether the source later had other values for rows that were already recorded. */
  revised: Generated<boolean>;
  /** The quantiles of the seasonal naive forecast from the same origin, by step. */
  baseline: readonly Readonly<Record<string, number>>[] | null;
  /** The metrics of the rows that are recorded so far. */
  metrics: OutcomeMetrics | null;
  /** What the track record adds up. Present if the outcome is complete and a row could be scored. */
  scores: OutcomeScores | null;
  /** When the first scored row could be known: the end of its period. */
  first_outcome_at: Date | null;
  completed_at: Date | null;
}

/** The actual value of one step. Rows are added but never changed, except that `revised_to` is set. */
export interface ForecastOutcomeRowTable {
  forecast_id: string;
  /** From 1 to the horizon. */
  step: number;
  timestamp: Date;
  actual: number;
  /** Whether the row existed when the forecast was made. */
  replayed: boolean;
  recorded_at: Date;
  /** The value that the source had later, if it was another one. */
  revised_to: number | null;
}

export interface ForecastTables {
  forecast: ForecastTable;
  forecast_event: ForecastEventTable;
  idempotency_key: IdempotencyKeyTable;
  admission: SlotUsageTable;
  network_slot: NetworkSlotTable;
  ledger_entry: LedgerEntryTable;
  unpaid_cpu: UnpaidCpuTable;
  member_charge: MemberChargeTable;
  usage_day: UsageDayTable;
  /** One row: the day on which the recording of slots and bytes began. */
  usage_start: { day: string };
  save_proof: SaveProofTable;
  removed_forecast: RemovedForecastTable;
  forecast_outcome: ForecastOutcomeTable;
  forecast_outcome_row: ForecastOutcomeRowTable;
}
