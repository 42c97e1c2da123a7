// Written by `npm run build:client` from the OpenAPI document. Do not edit.

import type { AlmanacFile, CsvContent } from '../file.ts';
import type { ForecastEvent } from '../watch.ts';

/** The input of an operation that needs none. */
export type NoInput = Record<string, never>;

export interface AccessRecord {
  user: {
    id: string;
    email: string;
    email_verified: boolean;
    /** Whether emails to the address came back. Verify the address again. */
    email_bounces: boolean;
  };
  token_scopes: Array<"account:read" | "datasets:read" | "forecasts:read" | "forecasts:write" | "workspaces:read" | "workspaces:write" | "screener:read" | "screener:write" | "events:read" | "events:write" | "webhooks:read" | "webhooks:write">;
  personal_plan: "free" | "pro" | "enterprise";
  workspaces: WorkspaceMembership[];
}

export interface WorkspaceMembership {
  id: string;
  name: string;
  slug: string;
  owner_user_id: string;
  role: "owner" | "editor" | "viewer";
  permissions: Array<"workspace.read" | "workspace.update" | "members.read" | "members.manage" | "csv.list" | "csv.read" | "csv.download" | "csv.write" | "forecast.list" | "forecast.read" | "forecast.create" | "forecast.update" | "forecast.cancel">;
  resource_scope: {
    csv: {
      mode: "all" | "selected" | "none";
      ids: string[];
    };
    forecasts: {
      mode: "all" | "selected" | "none";
      ids: string[];
    };
  };
  capabilities: Array<"workspace.read" | "workspace.update" | "members.read" | "members.manage" | "csv.list" | "csv.read" | "csv.download" | "csv.write" | "forecast.list" | "forecast.read" | "forecast.create" | "forecast.update" | "forecast.cancel">;
  legacy_personal: boolean;
  /**
   * Credits that each member other than the owner can use in this workspace in a calendar month (UTC); null if they
   * are not limited.
   */
  member_credits: number | null;
  /** Number of members, including the owner. */
  members: number;
  /** Counted size, in bytes, of what is stored in the workspace. Null unless the caller is the owner. */
  stored_bytes: number | null;
  created_at: string;
  updated_at: string;
}

export interface Error {
  error: {
    code: "INVALID_REQUEST" | "UNAUTHENTICATED" | "SCOPE_DENIED" | "SOURCE_DENIED" | "PLAN_REQUIRED" | "LICENSE_DENIED" | "WORKSPACE_DENIED" | "ACCOUNT_REQUIRED" | "SESSION_REQUIRED" | "ADMINISTRATOR_REQUIRED" | "ACCOUNT_LOCKED" | "EMAIL_NOT_VERIFIED" | "OWNERSHIP_REQUIRED" | "ORIGIN_DENIED" | "NOT_FOUND" | "METHOD_NOT_ALLOWED" | "PRECONDITION_FAILED" | "CONFLICT" | "NOT_COMPLETED" | "IDEMPOTENCY_MISMATCH" | "LIMIT_REACHED" | "TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "UNPROCESSABLE" | "INSUFFICIENT_HISTORY" | "RATE_LIMITED" | "QUOTA_EXCEEDED" | "INTERNAL" | "PROVIDER_FAILED" | "UNAVAILABLE";
    message: string;
    request_id: string;
  };
}

export interface UsageRecord {
  plan: "free" | "pro" | "enterprise" | "guest";
  /** The calendar month (UTC) whose credits are counted. `end` is the start of the next month. */
  period: {
    start: string;
    end: string;
  };
  credits: {
    limit: number | null;
    /** Credits of completed forecasts. */
    used: number;
    /** Credits of queued and running forecasts. */
    reserved: number;
    left: number | null;
  };
  slots: {
    /** Number of forecasts that may be queued or running. */
    limit: number;
    /** Number of forecasts that are queued or running. */
    used: number;
    /** Number of forecasts that can be queued now. The guests of one network also share slots. */
    left: number;
  };
  requests: {
    /** Requests per minute. */
    limit: number;
    /** Requests left in the current minute, after this one. */
    left: number;
    /** The earliest instant at which the next minute can begin. */
    resets_at: string;
  };
  storage: {
    /**
     * Counted size, in bytes, of the files, snapshots and results of the caller’s forecasts and of the caller’s own
     * workspaces.
     */
    bytes: number;
    /** Maximum of `bytes`. Beyond it, forecasts and files are refused. */
    limit_bytes: number;
    /** Total size, in bytes, of the CSV files in the caller’s own workspaces. */
    csv_bytes: number;
    /**
     * Compressed size, in bytes, of the snapshots of the caller’s forecasts and of all forecasts in the caller’s
     * own workspaces. A snapshot that several forecasts use is counted once.
     */
    snapshot_bytes: number;
    /**
     * The rest of `bytes`: the results of the forecasts, a fixed size for each forecast, and a snapshot again for
     * each further payer. `csv_bytes`, `snapshot_bytes` and `forecast_bytes` add up to `bytes`.
     */
    forecast_bytes: number;
  };
  /** Only if the request has `from`, `to` or `interval`. */
  history?: UsageHistory | undefined;
}

export interface UsageHistory {
  interval: "day" | "month";
  /** One entry for each day or month, oldest first, up to the present one. */
  entries: Array<{
    /** The day, or the first day of the month (UTC). */
    start: string;
    /** Credits of completed forecasts, on the day on which the forecasts were created. */
    credits: number;
    peak_slots: number | null;
    stored_bytes: number | null;
  }>;
}

export interface AccountErasure {
  email: string;
  /**
   * What prevents the erasure. `workspace`: a workspace of the account has other members; transfer or delete it, or
   * remove the members (from a personal workspace, they can only be removed). `administration`: the account is the
   * only administrator; make another one first.
   */
  blocked_by: Array<{
    kind: "workspace";
    id: string;
    slug: string;
    name: string;
    /** The number of other members. */
    members: number;
    /** Whether only removing the members helps. */
    personal: boolean;
  } | {
    kind: "administration";
    remedy: string;
  }>;
  removed: {
    workspaces: OwnedItems;
    csv_files: OwnedItems;
    forecasts: OwnedItems;
    events: OwnedItems;
    filters: OwnedItems;
    feeds: OwnedItems;
    webhooks: OwnedItems;
    api_keys: OwnedItems;
    applications: OwnedItems;
  };
  /** Queued and running forecasts, which would be canceled. */
  unfinished_forecasts: number;
  /** Memberships in workspaces of other accounts, which would end. */
  memberships: Array<{
    id: string;
    slug: string;
    name: string;
    /** Forecasts that the account shared there. They stay and then belong to the owner. */
    forecasts: number;
    /** Event forecasts that the account shared there. They stay and then belong to the owner. */
    events: number;
  }>;
  /** Completed public forecasts, which `keep_public` can keep without an owner. They are also in `removed`. */
  public_forecasts: {
    /** The number of all of them. */
    total: number;
    /** The newest ones, at most 200. */
    items: Array<{
      id: string;
      slug: string;
      name: string;
      created_at: string;
    }>;
  };
}

export interface OwnedItems {
  /** The number of all of them. */
  total: number;
  /** The newest ones, at most 200. */
  items: Array<{
    id: string;
    /** Null if it has no name, or if it is private to another account. */
    name: string | null;
  }>;
}

export interface ApiKey {
  id: string;
  name: string;
  /** The first characters of the key, by which its owner can recognize it. */
  hint: string;
  kind: "personal" | "service";
  scopes: Array<"account:read" | "datasets:read" | "forecasts:read" | "forecasts:write" | "workspaces:read" | "workspaces:write" | "screener:read" | "screener:write" | "events:read" | "events:write" | "webhooks:read" | "webhooks:write">;
  created_at: string;
  expires_at: string | null;
  /** Accurate to five minutes. */
  last_used_at: string | null;
}

export interface NewApiKey {
  id: string;
  name: string;
  /** The first characters of the key, by which its owner can recognize it. */
  hint: string;
  kind: "personal" | "service";
  scopes: Array<"account:read" | "datasets:read" | "forecasts:read" | "forecasts:write" | "workspaces:read" | "workspaces:write" | "screener:read" | "screener:write" | "events:read" | "events:write" | "webhooks:read" | "webhooks:write">;
  created_at: string;
  expires_at: string | null;
  /** Accurate to five minutes. */
  last_used_at: string | null;
  key: string;
}

export interface BrowserSession {
  id: string;
  current: boolean;
  created_at: string;
  expires_at: string;
  /** Accurate to five minutes. A session ends after seven days without use. */
  last_used_at: string;
  user_agent: string | null;
}

export interface ConnectedApplication {
  id: string;
  name: string;
  allowed_at: string;
  /** Accurate to five minutes; null if it was not used yet. */
  last_used_at: string | null;
}

export interface SecurityEvent {
  id: string;
  kind: "account_created" | "plan_changed" | "administrator_changed" | "account_locked" | "account_unlocked" | "account_administered" | "email_verified" | "signed_in" | "sign_in_failed" | "signed_out" | "session_ended" | "sessions_ended" | "password_changed" | "password_change_failed" | "password_reset" | "reset_requested" | "key_created" | "key_revoked" | "feed_created" | "webhook_created" | "webhook_rotated" | "webhook_deleted" | "feed_deleted" | "client_authorized" | "grant_revoked" | "token_reuse_detected" | "outside_identity_linked" | "outside_identity_unlinked";
  at: string;
  /** The network that the request came from, such as 192.0.2.0/24. The full IP address is not stored. */
  network: string | null;
  user_agent: string | null;
  details: Record<string, string>;
}

export interface Invitation {
  invitation_id: string;
  /** `membership`: become a member. `ownership`: become the owner of a workspace that you are a member of. */
  kind: "membership" | "ownership";
  workspace_id: string;
  workspace_name: string;
  /** The role that accepting gives. */
  role: "owner" | "editor" | "viewer";
  /** The resource scope that accepting gives. */
  resource_scope: {
    csv: {
      mode: "all" | "selected" | "none";
      ids: string[];
    };
    forecasts: {
      mode: "all" | "selected" | "none";
      ids: string[];
    };
  };
  /** The email address of the member that sent the invitation. */
  invited_by: string;
  created_at: string;
  expires_at: string;
}

export interface SearchResult {
  source: MarketSource | EconomicSource | WarehouseSource;
  title: string;
  provider: string;
  frequency: string;
  /** The first and the last row. Null if they are not known without reading rows. */
  span: {
    start: string;
    end: string;
  } | null;
  units: string;
  /** Whether an instrument is still traded. Only instruments in the listing of a provider have it. */
  status?: "active" | "delisted" | undefined;
}

export interface MarketSource {
  type: "market";
  symbol: string;
  provider?: "auto" | "alpaca" | "massive" | "dukascopy" | "bundled" | "provider_a" | "provider_b" | "provider_c" | undefined;
  timeframe: "1min" | "5min" | "15min" | "30min" | "1h" | "4h" | "1D" | "1W-MON" | "1MS" | "1Min" | "5Min" | "15Min" | "30Min" | "1Hour" | "4Hour" | "1Day" | "1Week" | "1Month" | "1m" | "5m" | "15m" | "30m" | "1w";
  adjustment?: "raw" | "split" | "all" | undefined;
  session?: "regular" | "extended" | undefined;
  price_side?: "bid" | "ask" | undefined;
  value_field?: string | undefined;
}

export interface EconomicSource {
  type: "economic_series";
  provider: string;
  series_id: string;
  value_field?: string | undefined;
  dimensions?: Record<string, string> | undefined;
  /** Returns the rows as they stood on this date. Only series with `vintages` in their description have it. */
  vintage?: string | undefined;
}

export interface WarehouseSource {
  type: "warehouse_table";
  /**
   * The name of the table: `local.<name>` for a file of the operator, or `bigquery-public-data.<dataset>.<table>`.
   */
  table: string;
  time_field: string;
  /** How an integer `time_field` states times. Required for integers, refused for other types. */
  time_format?: "year" | "yyyymmdd" | "epoch_s" | "epoch_ms" | undefined;
  value_field: string;
  /** Reads only rows whose column equals one of the values, for every filter. */
  filters?: Array<{
    field: string;
    values: Array<string | number | boolean>;
  }> | undefined;
  /** Reads only periods that begin at this instant or later. */
  start?: string | undefined;
  /** Reads only periods that end by this instant. */
  end?: string | undefined;
  /**
   * Combines the rows of each period into one. Without it, two rows of one period are an error. `mean`, `sum` and
   * `last` ignore missing values; `count` counts the others.
   */
  aggregate?: {
    function: "sum" | "mean" | "last" | "count";
    frequency: "1min" | "5min" | "15min" | "30min" | "1h" | "4h" | "1D" | "1W-MON" | "1MS" | "1ME" | "1QE" | "1YE";
  } | undefined;
}

export interface SearchError {
  ok: false;
  error: "INVALID_REQUEST" | "UNAUTHENTICATED" | "SCOPE_DENIED" | "SOURCE_DENIED" | "PLAN_REQUIRED" | "LICENSE_DENIED" | "WORKSPACE_DENIED" | "ACCOUNT_REQUIRED" | "SESSION_REQUIRED" | "ADMINISTRATOR_REQUIRED" | "ACCOUNT_LOCKED" | "EMAIL_NOT_VERIFIED" | "OWNERSHIP_REQUIRED" | "ORIGIN_DENIED" | "NOT_FOUND" | "METHOD_NOT_ALLOWED" | "PRECONDITION_FAILED" | "CONFLICT" | "NOT_COMPLETED" | "IDEMPOTENCY_MISMATCH" | "LIMIT_REACHED" | "TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "UNPROCESSABLE" | "INSUFFICIENT_HISTORY" | "RATE_LIMITED" | "QUOTA_EXCEEDED" | "INTERNAL" | "PROVIDER_FAILED" | "UNAVAILABLE";
  message: string;
}

export interface SeriesFacts {
  last_update: string | null;
  multiplier: number | null;
  seasonal_adjustment: string | null;
  footnotes: string[];
  flags: Array<{
    flag: string;
    label: string | null;
    /** Number of rows with this flag. */
    count: number;
    /** The rows with this flag, the newest first. */
    dates: string[];
  }>;
  /** Whether footnotes or dates were left out. */
  cut: boolean;
}

export interface MarketProvider {
  id: string;
  /** Whether the service uses the provider. */
  configured: boolean;
  intervals: string[];
  adjustments: Array<"raw" | "split" | "all">;
  /** Prices of the bars. The first is the default. */
  sides: Array<"trade" | "bid" | "ask">;
  sessions: Array<"regular" | "extended">;
  /** Start of the oldest bar that the provider has; null if it is unknown. */
  earliest: string | null;
  /** Minutes after its end until a bar can be read, as far as the service knows. */
  delay_minutes: number;
  license: {
    name: string;
    url: string;
  };
  /**
   * State of the circuit breaker: requests are sent (closed), are not sent because the provider failed repeatedly
   * (open), or the next request decides (trial).
   */
  state?: "closed" | "open" | "trial" | undefined;
  /** Exact to a minute. */
  last_success_at?: string | null | undefined;
  last_failure?: {
    at: string;
    fault: string;
  } | null | undefined;
  /** Requests that can be sent now without a pause; null for a provider that gets no requests. */
  requests_left?: number | null | undefined;
  /** The list of instruments, as it was last read; null if it was never requested. */
  listing?: {
    entries: number;
    refreshed_at: string | null;
    error: string | null;
  } | null | undefined;
}

export interface Bar {
  timestamp: string;
  open: number;
  high: number;
  low: number;
  close: number;
  volume: number;
}

export interface HistoryFeedRequest {
  symbol: string;
  source?: "auto" | "alpaca" | "massive" | "dukascopy" | "bundled" | "provider_a" | "provider_b" | "provider_c" | undefined;
  timeframe: "1min" | "5min" | "15min" | "30min" | "1h" | "4h" | "1D" | "1W-MON" | "1MS" | "1Min" | "5Min" | "15Min" | "30Min" | "1Hour" | "4Hour" | "1Day" | "1Week" | "1Month" | "1m" | "5m" | "15m" | "30m" | "1w";
  limit?: 500 | 1000 | 1500 | 2000 | 50000 | undefined;
  adjustment?: "raw" | "split" | "all" | undefined;
  session?: "regular" | "extended" | undefined;
  /** Prices of a provider of quotes. Default: its bids. Providers of trades refuse it. */
  price_side?: "bid" | "ask" | undefined;
  /** Returns only bars that begin at or after this instant. */
  start?: string | undefined;
  /** Returns only bars that begin before this instant. */
  end?: string | undefined;
}

export interface ObservationsFeedRequest {
  source: MarketSource | EconomicSource | WarehouseSource;
  /** Maximum number of rows. The latest rows are returned. Default: all rows. */
  limit?: number | undefined;
  /** Returns only periods that ended by this instant. */
  cutoff?: string | undefined;
}

export interface ForecastFeedRequest {
  forecast_id: string;
}

export interface NewFeed {
  id: string;
  kind: "history" | "observations" | "forecast";
  name: string | null;
  request: HistoryFeedRequest | ObservationsFeedRequest | ForecastFeedRequest;
  created_at: string;
  /** Accurate to five minutes. */
  last_read_at: string | null;
  /** The URL from which the CSV is read. It contains the token and is not shown again. */
  url: string;
}

export interface Feed {
  id: string;
  kind: "history" | "observations" | "forecast";
  name: string | null;
  request: HistoryFeedRequest | ObservationsFeedRequest | ForecastFeedRequest;
  created_at: string;
  /** Accurate to five minutes. */
  last_read_at: string | null;
}

export interface WorkspaceCsvSource {
  type: "workspace_csv";
  workspace_id: string;
  csv_id: string;
  time_field: string;
  value_field: string;
}

/** Contains either `points`, or `timestamps` and `values`. */
export interface InlineSource {
  type: "inline";
  /**
   * Rows in any order; they are sorted by time first. Two rows must not have the same timestamp. A date without a
   * time means 00:00 UTC.
   */
  points?: Array<{
    timestamp: string;
    value: number;
  }> | undefined;
  /**
   * The timestamps of the rows, with `values` instead of `points`. This form is shorter. Rows in any order; they
   * are sorted by time first. Two rows must not have the same timestamp. A date without a time means 00:00 UTC.
   */
  timestamps?: string[] | undefined;
  /** The value of each row, in the order of `timestamps`. */
  values?: number[] | undefined;
}

export interface QueuedForecast {
  forecast_id: string;
  slug: string;
  status: "queued" | "running" | "completed" | "failed";
  progress: ForecastProgress | null;
  status_url: string;
  result_url: string;
}

export interface ForecastProgress {
  completed_models: number;
  total_models: number;
  current_model: string | null;
}

export interface ListedForecast {
  forecast_id: string;
  slug: string;
  status: "queued" | "running" | "completed" | "failed";
  progress: ForecastProgress | null;
  status_url: string;
  result_url: string;
  /** The title or, without one, a name made from the source and the horizon. */
  name: string;
  title: string | null;
  visibility: "private" | "workspace" | "public";
  workspace_id: string | null;
  weight_mode: "auto" | "manual";
  /** The resolved source; null for inline rows. */
  source: MarketSource | EconomicSource | WarehouseSource | WorkspaceCsvSource | null;
  horizon: number;
  /** No row after this instant was read. */
  cutoff: string | null;
  models: string[];
  score: ForecastScore;
  reproduces: string | null;
  error?: {
    code: string;
    message: string;
    retryable: boolean;
  } | undefined;
  created_at: string;
  started_at: string | null;
  finished_at: string | null;
}

export interface ForecastScore {
  /** The average WQL of the historical validation; null until the forecast has completed. */
  validation_wql: number | null;
  /** How far the outcome is known; null until the forecast has completed. */
  outcome_status: "waiting" | "partial" | "complete" | "unavailable" | null;
  /** The average WQL of the actual values that are recorded so far; null until one is scored. */
  average_wql: number | null;
  /** The same, divided by that of the seasonal naive forecast from the same origin. */
  relative_wql: number | null;
}

export interface SharedForecast {
  forecast_id: string;
  slug: string;
  status: "queued" | "running" | "completed" | "failed";
  progress: ForecastProgress | null;
  status_url: string;
  result_url: string;
  /** The title or, without one, a name made from the source and the horizon. */
  name: string;
  title: string | null;
  visibility: "private" | "workspace" | "public";
  workspace_id: string | null;
  weight_mode: "auto" | "manual";
  /** The resolved source; null for inline rows. */
  source: MarketSource | EconomicSource | WarehouseSource | WorkspaceCsvSource | null;
  horizon: number;
  /** No row after this instant was read. */
  cutoff: string | null;
  models: string[];
  score: ForecastScore;
  reproduces: string | null;
  error?: {
    code: string;
    message: string;
    retryable: boolean;
  } | undefined;
  created_at: string;
  started_at: string | null;
  finished_at: string | null;
  /** Id of the account that created the forecast. */
  created_by: string | null;
}

export interface UndisclosedForecast {
  forecast_id: string;
  status: "queued" | "running" | "completed" | "failed";
  /** Credits that were reserved for the forecast. They are released if it fails or is canceled. */
  credits: number;
  created_at: string;
}

export interface EnsembleForecast {
  forecast_id: string;
  slug: string;
  status: "queued" | "running" | "completed" | "failed";
  progress: ForecastProgress | null;
  status_url: string;
  result_url: string;
  /** The title or, without one, a name made from the source and the horizon. */
  name: string;
  title: string | null;
  visibility: "private" | "workspace" | "public";
  workspace_id: string | null;
  weight_mode: "auto" | "manual";
  predictions: Prediction[];
  weighting?: Weighting | undefined;
  historical_validation?: HistoricalValidation | undefined;
  effective_weights_by_quantile?: WeightsByQuantile | undefined;
  members?: MemberForecast[] | undefined;
  season?: number | undefined;
  /** The request body, without inline rows. */
  request: Record<string, unknown>;
  settings: ResolvedSettings;
  snapshot: {
    id: string;
    sha256: string;
    rows: number;
    /** Present if the snapshot was removed; the forecast can then not be reproduced. */
    removed_at?: string | undefined;
  };
  checkpoints: Record<string, string>;
  fingerprint: Record<string, unknown> | null;
  /** Id of the forecast that this one reproduces. */
  reproduces: string | null;
  /** Comparison of the result of a reproduction with the original result. */
  comparison: {
    outcome: "exact" | "within_tolerance" | "differs";
    /** Largest difference between a predicted value and the original one, in standard deviations of the series. */
    largest_difference: number | null;
  } | null;
  provenance: TimestampReceipt | null;
  /** URL that lists the event forecasts created from this forecast. */
  questions_url: string;
  error?: {
    code: string;
    message: string;
    retryable: boolean;
  } | undefined;
  created_at: string;
  started_at: string | null;
  finished_at: string | null;
}

export interface Prediction {
  timestamp: string;
  quantiles: Record<string, number>;
}

export interface Weighting {
  mode: "auto";
  policy: "rolling_pinball_v1" | "rolling_loss_selection_v2";
  status: "optimized" | "fallback" | "single_model";
  /**
   * Why the folds did not choose the weights: `insufficient_history`, `calibration_failed`, `fast_mode`,
   * `one_model_requested` or `one_model_survived`; null if they did.
   */
  reason: string | null;
  pooling_space: "target" | "transformed";
  calibration_rows: number;
  calibration_horizon: number;
  extrapolated_from_step: number | null;
  weights_by_quantile: WeightsByQuantile;
  effective_weights_by_quantile: WeightsByQuantile;
  /**
   * The weights before any fold was scored: those that did best on other series of the frequency, or equal weights
   * in pools without a pretrained model. If `status` is not `optimized`, the weights used. Absent from forecasts
   * that completed before this field existed.
   */
  prior_weights?: WeightsByQuantile | undefined;
  /**
   * The weights with which the distances of the quantiles from the median are averaged; the other weights are then
   * those of the medians. Absent if the values of each quantile are averaged, as in pools without a pretrained
   * model.
   */
  spread_weights?: WeightsByQuantile | undefined;
  folds: Array<{
    training_rows: number;
    training_end_at: string;
    start_at: string;
    end_at: string;
    rows: number;
    losses: Record<string, number | null>;
  }>;
  /**
   * How the weights were chosen: `evidence`, `equal`, `convex_per_quantile`, `default_weights` or `single_model`.
   * Earlier forecasts can have `mostly_pretrained`, `inverse_loss` or `greedy_selection`.
   */
  selected_method: string;
  inner_scores: Record<string, number>;
  /**
   * The factors on the spread below and above the median, and the number of scored rows that they were computed
   * from. With 0 rows, the factors are the starting width of the frequency.
   */
  calibration: {
    lower: number;
    upper: number;
    rows: number;
  };
  /** If no row could be scored, the counts are 0 and the measures are null. */
  audit_metrics: Metrics;
  /** The metrics for equal weights, computed on the same rows. */
  baseline_audit_metrics: Metrics;
}

export type WeightsByQuantile = Record<string, Record<string, number>>;

export interface Metrics {
  count: number;
  point_count: number;
  mae: number | null;
  rmse: number | null;
  smape: number | null;
  average_wql: number | null;
  coverage: Record<string, number>;
}

export interface HistoricalValidation {
  policy: "chronological_holdout_v1";
  method: "chronological_holdout";
  status: "completed" | "insufficient_history" | "no_matching_outcomes" | "failed";
  training_rows?: number | undefined;
  holdout_rows?: number | undefined;
  training_end_at?: string | undefined;
  validation_start_at?: string | undefined;
  validation_end_at?: string | undefined;
  /** The models that were fitted. */
  requested_models: string[];
  effective_weights_by_quantile: WeightsByQuantile;
  metrics: Metrics | null;
}

export interface MemberForecast {
  model: string;
  status: "completed" | "failed" | "left_out";
  /**
   * Why the model is not part of the pool: `failed`, `failed_in_calibration`, `exploded_in_calibration` or
   * `not_fitted_here`; null if it is.
   */
  reason: string | null;
  error: {
    code: string;
    message: string;
  } | null;
  checkpoint: string;
  predictions: Prediction[];
}

export interface ResolvedSettings {
  frequency: string;
  /**
   * Which rows the series can have. Closed hours are not gaps and get no predictions: exchange follows the sessions
   * of the exchange, currency trades from Sunday 17:00 to Friday 17:00 in New York, and plain has every period.
   */
  series_kind: "exchange" | "currency" | "plain";
  /** The hours of an exchange that the bars cover; null for other series. */
  hours: "regular" | "extended" | null;
  horizon: number;
  quantiles: number[];
  /** Absent in full mode. */
  mode?: "fast" | undefined;
  models: string[];
  weight_mode: "auto" | "manual";
  /** The weights in the request. */
  weights: Record<string, number> | null;
  weighting_policy: "rolling_pinball_v1" | "rolling_loss_selection_v2";
  transform: "auto" | "none" | "log";
  seed: number;
  /** No row after this instant was read. */
  cutoff: string | null;
  /** The resolved source; null for inline rows. */
  source: MarketSource | EconomicSource | WarehouseSource | WorkspaceCsvSource | null;
  /** Models of the default ensemble, or of the fast mode, that were unavailable; absent if all were available. */
  unavailable_models?: string[] | undefined;
  /**
   * Members of the default ensemble that were not fitted, because they do not lower the errors on such series;
   * absent if there are none.
   */
  not_fitted_models?: string[] | undefined;
  /** Present if a preferred provider failed and another one supplied the rows. */
  fallback_used?: true | undefined;
  /** Present if the rows are those that were known at the cutoff. `source.vintage` is their date. */
  as_known_at_cutoff?: true | undefined;
  /**
   * Number of days from the end of a period until its value enters the outcome; absent if the request did not set
   * it.
   */
  settle_days?: number | undefined;
  /** The bytes of the dry run before the rows were read. Present for warehouse tables only. */
  estimated_bytes?: number | undefined;
}

export interface TimestampReceipt {
  provider: "vbase";
  schema_version: "almanac_forecast_proof_v1";
  status: "pending" | "stamping" | "stamped" | "unavailable";
  content_cid: string | null;
  /** Null until the proof is stamped. */
  receipt: Receipt | null;
  error_code: string | null;
}

export interface Receipt {
  /** The content id of the proof. */
  object_cid: string;
  /** The content id of the collection that the proof was added to. */
  set_cid: string;
  /** The transaction that recorded the content id. */
  transaction_hash: string;
  /** The address that sent the transaction. */
  user_address: string | null;
  /** The display name of an account, as recovery returned it. It is not an address on a chain. */
  user_label?: string | undefined;
  /** The chain of the transaction. */
  chain_id: number;
  /** When the chain recorded the content id. */
  timestamp: string;
}

export interface CanceledForecast {
  forecast_id: string;
  slug: string;
  status: "queued" | "running" | "completed" | "failed";
  progress: ForecastProgress | null;
  status_url: string;
  result_url: string;
  /** The title or, without one, a name made from the source and the horizon. */
  name: string;
  title: string | null;
  visibility: "private" | "workspace" | "public";
  workspace_id: string | null;
  weight_mode: "auto" | "manual";
  predictions: Prediction[];
  weighting?: Weighting | undefined;
  historical_validation?: HistoricalValidation | undefined;
  effective_weights_by_quantile?: WeightsByQuantile | undefined;
  members?: MemberForecast[] | undefined;
  season?: number | undefined;
  /** The request body, without inline rows. */
  request: Record<string, unknown>;
  settings: ResolvedSettings;
  snapshot: {
    id: string;
    sha256: string;
    rows: number;
    /** Present if the snapshot was removed; the forecast can then not be reproduced. */
    removed_at?: string | undefined;
  };
  checkpoints: Record<string, string>;
  fingerprint: Record<string, unknown> | null;
  /** Id of the forecast that this one reproduces. */
  reproduces: string | null;
  /** Comparison of the result of a reproduction with the original result. */
  comparison: {
    outcome: "exact" | "within_tolerance" | "differs";
    /** Largest difference between a predicted value and the original one, in standard deviations of the series. */
    largest_difference: number | null;
  } | null;
  provenance: TimestampReceipt | null;
  /** URL that lists the event forecasts created from this forecast. */
  questions_url: string;
  error?: {
    code: string;
    message: string;
    retryable: boolean;
  } | undefined;
  created_at: string;
  started_at: string | null;
  finished_at: string | null;
  worker_cancellation: "requested" | "not_needed";
}

export interface CanceledUndisclosedForecast {
  forecast_id: string;
  status: "queued" | "running" | "completed" | "failed";
  /** Credits that were reserved for the forecast. They are released if it fails or is canceled. */
  credits: number;
  created_at: string;
  worker_cancellation: "requested" | "not_needed";
}

export interface ProofFile {
  /** The canonical document. */
  document: Record<string, unknown>;
  /** The hash of the document as canonical JSON (RFC 8785). The field `hash` of the document names the hash. */
  content_cid: string;
  provenance: TimestampReceipt;
}

export interface ModelsResponse {
  frequencies: Frequency[];
  models: Model[];
  plan: "free" | "pro" | "enterprise" | "guest";
  runtime: {
    engine: string;
    node: string;
  };
  quantiles: {
    min: number;
    max: number;
    max_count: number;
  };
  /** Maximum horizon by frequency. */
  horizon: Record<string, number>;
  device: "cpu";
}

export interface Frequency {
  frequency: string;
  timeframe: string;
  bucket_timezone: "UTC";
  calendar_period: "week" | "month" | null;
  week_start?: "Monday" | undefined;
  completed_bars_only: true;
  missing_intervals: "not_filled";
}

export interface Model {
  id: string;
  name: string;
  available: boolean;
  default_weight: number;
  quantile_support: {
    type: "requested";
  } | {
    min: number;
    max: number;
    interpolation_inside_range: boolean;
  };
  checkpoint: {
    id: string;
    sha256: string | null;
    source: string;
  } | null;
  license: {
    name: string;
    allowed: boolean;
  };
}

export interface ForecastHistory {
  forecast_id: string;
  snapshot_id: string;
  /** The title of the series; null if the source states none. */
  title: string | null;
  units: string | null;
  publisher: string | null;
  /** The name of the license of the rows. */
  license: string | null;
  /** Number of rows in this response. */
  count: number;
  /** Whether older rows exist beyond the limit. */
  truncated: boolean;
  /** The oldest row first. A value of null is missing. */
  rows: Array<{
    timestamp: string;
    value: number | null;
  }>;
}

export interface ForecastPreview {
  /** The source and the horizon, such as `^GSPC, 30 sessions`, whatever the title is. */
  subject: string;
  /** The last predicted timestamp; null until the forecast has completed. */
  until: string | null;
  /** When the last predicted period is over; null until the forecast has completed. */
  ends_at: string | null;
  /**
   * The last rows that the forecast was made from. Empty if the rows were removed, or if the caller may read the
   * forecast but not its rows.
   */
  history: number[];
  /**
   * The predicted medians, as far apart as the values of `history`. Empty until the forecast has completed, and
   * without the quantile 0.5.
   */
  median: number[];
  /** The lower edges of the 80% interval or, without it, of the widest one. */
  low: number[];
  high: number[];
}

export interface TrackRecord {
  definition: string;
  /** Number of forecasts whose scores are added up. */
  forecasts: number;
  /**
   * How many of them have outcomes that a caller sent: those of inline rows and workspace files. No provider
   * confirms these.
   */
  reported: number;
  /** Whether forecasts with older outcomes were left out. Request a shorter period to include them. */
  truncated: boolean;
  /** When the earliest of the forecasts was created; null if there are none. */
  from: string | null;
  /** When the latest of the forecasts was created; null if there are none. */
  to: string | null;
  ensemble: EnsembleRecord;
  models: ModelRecord[];
}

export interface EnsembleRecord {
  forecasts: number;
  /** Number of scored rows. */
  rows: number;
  /**
   * Geometric mean over forecasts of the quantile loss relative to the seasonal naive forecast from the same
   * origin. Below 1 is better than that forecast. Null if no forecast can be compared.
   */
  relative_wql: number | null;
  /** Number of forecasts in `relative_wql`. The others have a seasonal naive forecast without error, or none. */
  compared: number;
  coverage: IntervalRecord[];
  /**
   * How many rows lay in each tenth of the predicted distribution. Forecasts whose quantiles do not reach from 0.1
   * to 0.9, or leave a gap of more than 0.4, do not count.
   */
  deciles: Array<{
    from: number;
    to: number;
    /** Not always whole: a row at the edge of several tenths counts in parts for each of them. */
    rows: number;
    /** 0.1 in every tenth if the forecasts are calibrated; null without rows. */
    share: number | null;
  }>;
  /** The same by bands of steps. Bands without rows are absent. */
  bands: Array<{
    steps: string;
    forecasts: number;
    /** Number of scored rows. */
    rows: number;
    /**
     * Geometric mean over forecasts of the quantile loss relative to the seasonal naive forecast from the same
     * origin. Below 1 is better than that forecast. Null if no forecast can be compared.
     */
    relative_wql: number | null;
    /** Number of forecasts in `relative_wql`. The others have a seasonal naive forecast without error, or none. */
    compared: number;
    coverage: IntervalRecord[];
  }>;
}

export interface IntervalRecord {
  /** The nominal share of the interval, as in `coverage` of a forecast, such as `0.8`. */
  interval: string;
  nominal: number;
  /** Number of rows inside the interval, including its edges. */
  inside: number;
  /** Number of rows of the forecasts that state this interval. */
  rows: number;
  share: number;
  /** Lower end of the 95% Wilson interval of `share`, as if the rows were independent. */
  low: number;
  high: number;
}

export interface ModelRecord {
  model: string;
  forecasts: number;
  /** Number of scored rows. */
  rows: number;
  /**
   * Geometric mean over forecasts of the quantile loss relative to the seasonal naive forecast from the same
   * origin. Below 1 is better than that forecast. Null if no forecast can be compared.
   */
  relative_wql: number | null;
  /** Number of forecasts in `relative_wql`. The others have a seasonal naive forecast without error, or none. */
  compared: number;
  coverage: IntervalRecord[];
  /**
   * How many rows lay in each tenth of the predicted distribution. Forecasts whose quantiles do not reach from 0.1
   * to 0.9, or leave a gap of more than 0.4, do not count.
   */
  deciles: Array<{
    from: number;
    to: number;
    /** Not always whole: a row at the edge of several tenths counts in parts for each of them. */
    rows: number;
    /** 0.1 in every tenth if the forecasts are calibrated; null without rows. */
    share: number | null;
  }>;
  /** The same by bands of steps. Bands without rows are absent. */
  bands: Array<{
    steps: string;
    forecasts: number;
    /** Number of scored rows. */
    rows: number;
    /**
     * Geometric mean over forecasts of the quantile loss relative to the seasonal naive forecast from the same
     * origin. Below 1 is better than that forecast. Null if no forecast can be compared.
     */
    relative_wql: number | null;
    /** Number of forecasts in `relative_wql`. The others have a seasonal naive forecast without error, or none. */
    compared: number;
    coverage: IntervalRecord[];
  }>;
}

export interface ForecastEstimate {
  /** The price of the forecast: models × (folds + 2) × thousands of rows, rounded up. */
  credits: number;
  /**
   * The caller’s credits that are left this month, before this forecast; null if they are unlimited, and in a
   * workspace of another owner, who pays.
   */
  credits_left: number | null;
  /** Number of rows that the forecast would read. */
  rows: number;
  /**
   * Largest number of folds that each model is fitted on, as the price counts them; 0 with manual weights and in
   * fast mode.
   */
  folds: number;
  /** The models that the forecast would fit. The price counts these. */
  models: string[];
  /**
   * Members of the default ensemble that the forecast would not fit, because they do not lower the errors on such
   * series; absent if there are none. Name them in `models` to fit them.
   */
  not_fitted_models?: string[] | undefined;
  frequency: string;
  /** The season in periods that the forecast would detect; 1 if none. */
  season: number;
  /** What limits the forecast, each with a remedy; empty if nothing does. */
  warnings: string[];
}

export interface AllowedActions {
  forecast_id: string;
  /** Whether the caller created the forecast or saved it. */
  is_own: boolean;
  actions: Array<"update" | "cancel" | "delete" | "reproduce">;
}

export interface ForecastOutcome {
  forecast_id: string;
  /**
   * `waiting`: no row is recorded yet. `partial`: some are. `complete`: no more are added, and the scores are
   * final. `unavailable`: the owner of the forecast cannot read the source now, or the rows never came.
   */
  status: "waiting" | "partial" | "complete" | "unavailable";
  /** Why the outcome is unavailable, or which row the source does not have yet. */
  reason: string | null;
  /** The rows that are recorded so far, by step. */
  rows: Array<{
    step: number;
    timestamp: string;
    actual: number;
    /** The predicted quantiles. */
    quantiles: Record<string, number>;
    /** Present if the value could be known when the forecast was made. The row is not scored. */
    replayed?: true | undefined;
    /** The value that the source had later. It does not change `actual` or a score. */
    revised_to?: number | undefined;
  }>;
  /** Number of scored rows. Replayed rows are not scored. */
  count: number;
  mae: number | null;
  average_wql: number | null;
  /** The share of the scored rows inside each central interval, by its nominal share. */
  coverage: Record<string, number> | null;
  /** The quantile loss divided by that of the seasonal naive forecast from the same origin, on the same rows. */
  relative_wql: number | null;
  /** Whether the source has changed values of recorded rows or of the rows that the forecast was made from. */
  revised: boolean;
  /**
   * The factor by which the source has rescaled its history since, such as 0.25 after a split. The actual values
   * are divided by it. Null if there was no rescaling.
   */
  scale: number | null;
  /** The snapshot of the recorded rows. */
  snapshot_id: string | null;
  /** When the source is read again. Null if it is not: the outcome is complete, or a caller sends its rows. */
  next_check_at: string | null;
}

export interface EventForecast {
  forecast_id: string;
  slug: string;
  category: string;
  entity: EventEntity;
  question: string;
  possible_future_headline: string;
  probability: number;
  status: "pending" | "resolved_yes" | "resolved_no" | "annulled";
  /** Number of the current revision, counted from 1. */
  revision: number;
  created_at: string;
  revised_at: string;
  input_cutoff_at: string;
  resolution_deadline: string;
  visibility: "private" | "workspace" | "public";
  workspace_id: string | null;
  /** Whether the caller created the event forecast. */
  is_own: boolean;
  /** The model that computed the first probability; null if no model did. */
  model: string | null;
  resolution_rule: ResolutionRule | null;
  source_forecast: SourceForecast | null;
  /** The latest check of the resolution rule; null if the question has no rule or is not pending. */
  check: ResolutionCheck | null;
  /**
   * Whether the probability that counts is proven by a stamp. While the question is pending: whether the current
   * revision is stamped. Afterwards: whether the scored revision, or the first one if none is scored, was stamped
   * before the outcome was known.
   */
  stamped: boolean;
  resolved_at: string | null;
  /** Null if the question is pending, annulled or has no score. */
  score: EventScore | null;
}

export interface EventEntity {
  type: string;
  name: string;
  /** Empty if the entity has no ticker. */
  ticker: string;
}

export interface ResolutionRule {
  type: "threshold";
  source: MarketSource | EconomicSource | WarehouseSource | WorkspaceCsvSource;
  op: "gt" | "gte" | "lt" | "lte";
  threshold: number;
  /** The timestamp of the row that decides the question. */
  observed_at: string;
  /** Number of days from the end of the period until its value is final. */
  settle_days: number;
}

export interface SourceForecast {
  forecast_id: string;
  step: number;
  timestamp: string;
  op: "gt" | "gte" | "lt" | "lte";
  threshold: number;
  /**
   * Whether the threshold lies between the outermost quantiles (`interior`) or beyond them, in a tail that is
   * assumed to be normal.
   */
  part: "interior" | "lower_tail" | "upper_tail";
  /** The probability derived from the quantiles alone. */
  ensemble_probability: number;
  /**
   * For prices: of all changes over the same number of steps in the rows of the forecast, the share that would have
   * met the condition. The probability is then the mean of this share and `ensemble_probability`. Null if only the
   * quantiles are used.
   */
  past_share: number | null;
  quantiles: Record<string, number>;
}

export interface ResolutionCheck {
  state: "waiting" | "missing" | "provider_failed" | "denied";
  message: string;
  checked_at: string | null;
  next_check_at: string | null;
}

export interface EventScore {
  /** Number of the scored revision. */
  revision: number;
  /** Probability of the scored revision. */
  probability: number;
  log_score: number;
  brier_score: number;
}

export interface ResolutionRuleChoice {
  type: "threshold";
  source: MarketSource | EconomicSource | WarehouseSource | WorkspaceCsvSource;
  op: "gt" | "gte" | "lt" | "lte";
  threshold: number;
  /** The value of the period that contains this instant decides the question. */
  observed_at: string;
  /** Number of days from the end of that period until its value is final. */
  settle_days?: number | undefined;
}

export interface AllowedEventActions {
  forecast_id: string;
  /** Whether the caller created the event forecast. */
  is_own: boolean;
  actions: Array<"revise" | "resolve">;
  /**
   * The earlier of the deadline and the end of the period that decides the question. No revision is accepted from
   * then on.
   */
  revisable_until: string;
}

export interface EventResolution {
  forecast_id: string;
  slug: string;
  status: "pending" | "resolved_yes" | "resolved_no" | "annulled";
  actual_outcome: string;
  resolved_at: string;
  resolved_by: "author" | "member" | "administrator" | "rule";
  /** Only a revision made before this instant can be scored. If null, any revision can be scored. */
  outcome_known_at: string | null;
  /** Absent for an annulled question; null if no revision was made before the outcome was known. */
  log_score?: number | null | undefined;
  brier_score: number | null;
  score_definition: string;
  /** Why the question has no score; null if it has one. */
  score_note: string | null;
  /** Number of the scored revision. */
  revision: number | null;
  /** Probability of the scored revision. */
  probability: number | null;
  resolution_source: string;
  resolution_rule: ResolutionRule | null;
  evidence: ResolutionEvidence | null;
}

export interface ResolutionEvidence {
  text: string | null;
  observation: {
    timestamp: string;
    value: number;
  } | null;
  /** The resolved source. */
  source: MarketSource | EconomicSource | WarehouseSource | WorkspaceCsvSource | null;
  provider: string | null;
  /** The snapshot of the rows up to the observation. */
  snapshot_id: string | null;
}

export interface EventRevision {
  revision: number;
  probability: number;
  possible_future_headline: string;
  input_cutoff_at: string;
  note: string | null;
  by: "author" | "member" | "administrator" | "rule";
  created_at: string;
  /** The receipt of the proof of this revision; null if the revision was made before revisions had proofs. */
  provenance: TimestampReceipt | null;
}

export interface EventHistoryEntry {
  at: string;
  action: "created" | "revised" | "resolved" | "annulled" | "checked";
  by: "author" | "member" | "administrator" | "rule";
  details: Record<string, unknown>;
}

export interface EventPreviews {
  forecast_id: string;
  /** The last observed value of the series, to which `changes_pct` apply. */
  last_value: number;
  questions: EventPreview[];
}

export interface EventPreview {
  step: number;
  timestamp: string;
  op: "gt" | "gte" | "lt" | "lte";
  threshold: number;
  probability: number;
  ensemble_probability: number;
  past_share: number | null;
  part: "interior" | "lower_tail" | "upper_tail";
  question: string;
  possible_future_headline: string;
  resolution_deadline: string;
  /** Whether the question would resolve automatically. Otherwise a person resolves it. */
  has_rule: boolean;
}

export interface Scoreboard {
  score_definition: string;
  overall: ScoreSummary;
  /** Number of matching questions that have no score because they were annulled. */
  annulled: number;
  /** Number of matching questions that have no score because no revision was made before the outcome was known. */
  unscored: number;
  group_by: "category" | "entity" | "model" | "month" | null;
  groups: ScoreGroup[];
  /** Number of groups that were left out. The smallest groups are left out first. */
  groups_left_out: number;
  first_resolved_at: string | null;
  last_resolved_at: string | null;
  /** Whether older questions were left out. Request a shorter period to include them. */
  truncated: boolean;
  /** The scored questions that were resolved last, at most 20. */
  latest: ScoredQuestion[];
}

export interface ScoreSummary {
  questions: number;
  resolved_yes: number;
  /**
   * Number of clusters of questions. Questions from one forecast form one cluster, because their errors are
   * related; every other question is its own cluster.
   */
  clusters: number;
  /** Number of bootstrap draws: 1,000, or fewer (at least 200) if there are more than 1,000 clusters. */
  draws: number;
  mean_log_loss: number | null;
  brier: number | null;
  /** The share of these questions that resolved yes. */
  base_rate: number | null;
  skill_vs_half: number | null;
  skill_vs_base_rate: number | null;
  brier_skill_vs_base_rate: number | null;
  calibration_error: number | null;
  bins: CalibrationBin[];
  /**
   * 95% bootstrap intervals, resampled by cluster. An interval is null if there are fewer than two clusters, or if
   * the figure cannot be computed in enough of the draws.
   */
  intervals: {
    mean_log_loss: Interval | null;
    brier: Interval | null;
    base_rate: Interval | null;
    skill_vs_half: Interval | null;
    skill_vs_base_rate: Interval | null;
    brier_skill_vs_base_rate: Interval | null;
    calibration_error: Interval | null;
  };
}

export interface CalibrationBin {
  from: number;
  to: number;
  questions: number;
  mean_probability: number | null;
  share_yes: number | null;
  /** 95% Wilson interval of `share_yes`; null if the bin is empty. */
  interval: Interval | null;
}

export interface Interval {
  low: number;
  high: number;
}

export interface ScoreGroup {
  /** The name of the group; (none) for probabilities that no model computed. */
  group: string;
  questions: number;
  resolved_yes: number;
  /**
   * Number of clusters of questions. Questions from one forecast form one cluster, because their errors are
   * related; every other question is its own cluster.
   */
  clusters: number;
  /** Number of bootstrap draws: 1,000, or fewer (at least 200) if there are more than 1,000 clusters. */
  draws: number;
  mean_log_loss: number | null;
  brier: number | null;
  /** The share of these questions that resolved yes. */
  base_rate: number | null;
  skill_vs_half: number | null;
  skill_vs_base_rate: number | null;
  brier_skill_vs_base_rate: number | null;
  calibration_error: number | null;
  bins: CalibrationBin[];
  /**
   * 95% bootstrap intervals, resampled by cluster. An interval is null if there are fewer than two clusters, or if
   * the figure cannot be computed in enough of the draws.
   */
  intervals: {
    mean_log_loss: Interval | null;
    brier: Interval | null;
    base_rate: Interval | null;
    skill_vs_half: Interval | null;
    skill_vs_base_rate: Interval | null;
    brier_skill_vs_base_rate: Interval | null;
    calibration_error: Interval | null;
  };
}

export interface ScoredQuestion {
  forecast_id: string;
  slug: string;
  question: string;
  status: "pending" | "resolved_yes" | "resolved_no" | "annulled";
  /** Number of the scored revision. */
  revision: number;
  /** Probability of the scored revision. */
  probability: number;
  log_score: number;
  brier_score: number;
  resolved_at: string;
  /** Whether the scored revision was stamped before the outcome was known. */
  stamped: boolean;
}

export interface ListedCsvFile {
  id: string;
  workspace_id: string;
  name: string;
  rows: number;
  /** Size of the uploaded file. */
  size_bytes: number;
  /** SHA-256 of the uploaded bytes. */
  sha256: string;
  /** The column that most likely holds the time of each row. */
  time_field: string | null;
  /** The column that most likely holds the values to forecast. */
  value_field: string | null;
  /** Frequency of the times in `time_field`; null if it cannot be inferred. */
  frequency: string | null;
  uploaded_by: string | null;
  created_at: string;
  columns: number;
}

/** What the files of the workspace take up. Null for a member whose resource scope does not have all files. */
export type CsvStorage = {
  files: number;
  /** Size of all files of the workspace, as uploaded. */
  bytes: number;
  max_files: number;
  max_bytes: number;
} | null;

export interface CsvFile {
  id: string;
  workspace_id: string;
  name: string;
  rows: number;
  /** Size of the uploaded file. */
  size_bytes: number;
  /** SHA-256 of the uploaded bytes. */
  sha256: string;
  /** The column that most likely holds the time of each row. */
  time_field: string | null;
  /** The column that most likely holds the values to forecast. */
  value_field: string | null;
  /** Frequency of the times in `time_field`; null if it cannot be inferred. */
  frequency: string | null;
  uploaded_by: string | null;
  created_at: string;
  encoding: "utf-8" | "utf-16le" | "utf-16be" | "windows-1252";
  delimiter: "," | ";" | "\t" | "|";
  header: "present" | "absent";
  columns: CsvColumn[];
  /**
   * The lines that are not rows: titles above the header, units below it, and footer rows such as a total. They are
   * not stored with the rows.
   */
  skipped: SkippedLine[];
}

export interface CsvColumn {
  name: string;
  type: "number" | "timestamp" | "text" | "boolean" | "empty";
  /** The notation of the numbers or times in the column. */
  format: "decimal_point" | "decimal_comma" | "iso" | "basic" | "week" | "month" | "quarter" | "year" | "day_first" | "month_first" | "month_name" | null;
  /** Number of cells without a value: empty, NA, N/A, #N/A, NaN, null or a dot. */
  nulls: number;
  /** The first three distinct values, shortened. */
  examples: string[];
  /** Why a column that seems to hold numbers or times was read as text. */
  note: string | null;
}

export interface SkippedLine {
  line: number;
  kind: "title" | "units" | "footer";
  /** The line, shortened. */
  text: string;
}

export interface CsvFilePage {
  id: string;
  workspace_id: string;
  name: string;
  rows: number;
  /** Size of the uploaded file. */
  size_bytes: number;
  /** SHA-256 of the uploaded bytes. */
  sha256: string;
  /** The column that most likely holds the time of each row. */
  time_field: string | null;
  /** The column that most likely holds the values to forecast. */
  value_field: string | null;
  /** Frequency of the times in `time_field`; null if it cannot be inferred. */
  frequency: string | null;
  uploaded_by: string | null;
  created_at: string;
  encoding: "utf-8" | "utf-16le" | "utf-16be" | "windows-1252";
  delimiter: "," | ";" | "\t" | "|";
  header: "present" | "absent";
  columns: CsvColumn[];
  /**
   * The lines that are not rows: titles above the header, units below it, and footer rows such as a total. They are
   * not stored with the rows.
   */
  skipped: SkippedLine[];
  /** One list per row, with the text of each cell in the order of the columns. */
  page: Array<string[]>;
  /** The line of each row of `page` in the uploaded file. */
  lines: number[];
  next_cursor: string | null;
}

export interface CsvSeries {
  csv_id: string;
  workspace_id: string;
  time_field: string;
  value_field: string;
  frequency: string;
  /** How the rows got the timestamps of their periods; null if their times are unchanged. */
  dated_by: string | null;
  /** Number of rows with a value. At most the last 50,000 are used. */
  count: number;
  span: {
    start: string;
    end: string;
  };
  /** The last `limit` rows. */
  rows: Array<{
    timestamp: string;
    value: number;
  }>;
}

export interface WorkspaceContents {
  workspace_id: string;
  /** Number of files. */
  files: number;
  /** Number of forecasts, including private forecasts of other members. */
  forecasts: number;
  /** Number of these that are queued or running. */
  unfinished_forecasts: number;
  /** Number of these that are public. */
  public_forecasts: number;
  /** Number of event forecasts. */
  events: number;
  /** Number of these that are not resolved yet. */
  pending_events: number;
  /** Number of members besides the owner. */
  members: number;
  /** Number of open invitations to become a member. */
  invitations: number;
  /** Counted size, in bytes, of the files, snapshots and results. */
  stored_bytes: number;
  /** Maximum of `stored_bytes`. */
  limit_bytes: number;
}

export interface OfferedWorkspace {
  id: string;
  name: string;
  slug: string;
  owner_user_id: string;
  role: "owner" | "editor" | "viewer";
  permissions: Array<"workspace.read" | "workspace.update" | "members.read" | "members.manage" | "csv.list" | "csv.read" | "csv.download" | "csv.write" | "forecast.list" | "forecast.read" | "forecast.create" | "forecast.update" | "forecast.cancel">;
  resource_scope: {
    csv: {
      mode: "all" | "selected" | "none";
      ids: string[];
    };
    forecasts: {
      mode: "all" | "selected" | "none";
      ids: string[];
    };
  };
  capabilities: Array<"workspace.read" | "workspace.update" | "members.read" | "members.manage" | "csv.list" | "csv.read" | "csv.download" | "csv.write" | "forecast.list" | "forecast.read" | "forecast.create" | "forecast.update" | "forecast.cancel">;
  legacy_personal: boolean;
  /**
   * Credits that each member other than the owner can use in this workspace in a calendar month (UTC); null if they
   * are not limited.
   */
  member_credits: number | null;
  /** Number of members, including the owner. */
  members: number;
  /** Counted size, in bytes, of what is stored in the workspace. Null unless the caller is the owner. */
  stored_bytes: number | null;
  created_at: string;
  updated_at: string;
  transfer: PendingTransfer;
}

export interface PendingTransfer {
  invitation_id: string;
  /** The member that becomes the owner by accepting. */
  collaborator_id: string;
  email: string;
  created_at: string;
  expires_at: string;
}

export interface Collaborator {
  /** Stays the same when an invitation is accepted. */
  collaborator_id: string;
  kind: "member" | "invitation";
  /** Null for an invitation. */
  user: {
    id: string;
    email: string;
  } | null;
  email: string;
  role: "owner" | "editor" | "viewer";
  /**
   * For another member, callers that cannot manage members see only the ids that are also in their own scope.
   * Private forecasts of other accounts are not listed.
   */
  resource_scope: {
    csv: {
      mode: "all" | "selected" | "none";
      ids: string[];
    };
    forecasts: {
      mode: "all" | "selected" | "none";
      ids: string[];
    };
  };
  /**
   * Credits that the member has used in this workspace in this calendar month (UTC), as `member_credits` counts
   * them. Null for the owner and for invitations. Only the owner and the member itself see it; it is null for other
   * callers.
   */
  credits_used: number | null;
  created_at: string;
  /** When an invitation expires; null for a member. */
  expires_at: string | null;
}

export interface ResourceScopeChoice {
  csv?: {
    mode: "all" | "selected" | "none";
    ids?: string[] | undefined;
  } | undefined;
  forecasts?: {
    mode: "all" | "selected" | "none";
    ids?: string[] | undefined;
  } | undefined;
}

export interface ListedScreenerAlert {
  id: string;
  name: string;
  /** `all`, or a list of symbols. */
  universe: "all" | string[];
  /** A symbol matches when it meets every condition. Send either `all` or `any`. */
  all?: ScreenerCondition[] | undefined;
  /** A symbol matches when it meets at least one condition. */
  any?: ScreenerCondition[] | undefined;
  /** Whether the matches of the filter are sent by email. */
  email: boolean;
  created_at: string;
  updated_at: string;
  latest: LatestScreenerResult;
}

export interface ScreenerCondition {
  field: "close" | "change_pct" | "gap_pct" | "volume" | "rel_volume" | "perf_5d" | "perf_21d" | "perf_63d" | "perf_126d" | "perf_252d" | "pct_from_52w_high" | "pct_from_52w_low" | "sma_20" | "sma_50" | "sma_200" | "rsi_14" | "atr_14";
  op: "gt" | "gte" | "lt" | "lte" | "eq" | "crosses_above" | "crosses_below" | "between";
  /** A number, or a pair [low, high] for `between`. */
  value?: number | number[] | undefined;
  /** A field of the same symbol to compare with, instead of `value`. Not allowed with `between` or `eq`. */
  other_field?: "close" | "change_pct" | "gap_pct" | "volume" | "rel_volume" | "perf_5d" | "perf_21d" | "perf_63d" | "perf_126d" | "perf_252d" | "pct_from_52w_high" | "pct_from_52w_low" | "sma_20" | "sma_50" | "sma_200" | "rsi_14" | "atr_14" | undefined;
}

/** The result of the filter in the latest evaluated session; null when no session has been evaluated yet. */
export type LatestScreenerResult = {
  /** The session date of the exchange. */
  session: string;
  /** False if the filter was created after the session was evaluated. */
  evaluated: boolean;
  total: number;
  /** The number of matches that are new. */
  new_total: number;
  /** Up to 8 matches: new ones first, then by symbol. */
  first_matches: Array<{
    symbol: string;
    new: boolean;
  }>;
} | null;

/**
 * `off`: emails are turned off for all filters. `suspended`: an email bounced. `POST /v1/me/verification` sends a
 * link that ends the suspension.
 */
export interface ScreenerMailDelivery {
  state: "on" | "off" | "suspended";
  /** When emails were suspended; null if they are not. */
  since: string | null;
}

export interface CheckedScreenerAlert {
  id: string;
  name: string;
  /** `all`, or a list of symbols. */
  universe: "all" | string[];
  /** A symbol matches when it meets every condition. Send either `all` or `any`. */
  all?: ScreenerCondition[] | undefined;
  /** A symbol matches when it meets at least one condition. */
  any?: ScreenerCondition[] | undefined;
  /** Whether the matches of the filter are sent by email. */
  email: boolean;
  created_at: string;
  updated_at: string;
  /**
   * The symbols of the filter that no provider lists, such as misspelled ones. Absent while a provider’s list of
   * symbols is missing.
   */
  unknown_symbols?: string[] | undefined;
}

/** The run that evaluated the session; null if there was none. */
export type ScreenerRun = {
  state: "waiting" | "running" | "completed" | "missed";
  completed_at: string | null;
  /** Up to 100 symbols of the filter that have no data for the session. */
  missing: string[];
} | null;

export interface ScreenerSession {
  /** The session date of the exchange. */
  session: string;
  total: number;
  new_total: number;
  completed_at: string | null;
}

export interface ScreenerFieldEntry {
  field: "close" | "change_pct" | "gap_pct" | "volume" | "rel_volume" | "perf_5d" | "perf_21d" | "perf_63d" | "perf_126d" | "perf_252d" | "pct_from_52w_high" | "pct_from_52w_low" | "sma_20" | "sma_50" | "sma_200" | "rsi_14" | "atr_14";
  label: string;
  /** Null for a price, a ratio or an index. */
  unit: "percent" | "shares" | null;
  description: string;
  operators: Array<"gt" | "gte" | "lt" | "lte" | "eq" | "crosses_above" | "crosses_below" | "between">;
  /** Null when no session has been evaluated yet. */
  distribution: ScreenerFieldDistribution | null;
}

export interface ScreenerFieldDistribution {
  /** The number of symbols that have a value. */
  count: number;
  /** The number of symbols whose history is too short for a value. */
  missing: number;
  /** From the smallest value, at level 0, to the largest, at level 1. Empty if no symbol has a value. */
  quantiles: Array<{
    level: number;
    value: number;
  }>;
}

export interface ScreenerMail {
  /** The session date of the exchange. There is at most one email per session. */
  session: string;
  state: "queued" | "sending" | "sent" | "failed" | "bounced" | "over_budget" | "unknown" | "skipped";
  /**
   * `budget_used_up`: This service reached its daily email limit with emails to accounts that had waited longer.
   * `server_away`: The mail server was unreachable or busy. The email will be retried. `attempts_used_up`: The mail
   * server was unreachable or busy in all eight attempts, over most of a day. `too_late`: The email could not be
   * sent within a day. `refused`: The mail server rejected the email permanently. `address_refused`: The mailbox
   * does not exist. Emails are suspended until the address is verified again. `interrupted`: The connection or the
   * service ended during delivery, or the mail server gave no clear reply. The email may have arrived and is not
   * sent again. `account_locked`: The account was locked. `address_not_verified`: The email address is not
   * verified. `mails_suspended`: An earlier email bounced. Emails are suspended until the address is verified
   * again. `session_over`: The next session had already closed when this one was evaluated. The email about the
   * next session replaces this one. `no_longer_wanted`: The matching filters were deleted, or their emails were
   * turned off. `no_mail_server`: This service has no mail server. The email was written to its log.
   */
  reason: "budget_used_up" | "server_away" | "attempts_used_up" | "too_late" | "refused" | "address_refused" | "interrupted" | "account_locked" | "address_not_verified" | "mails_suspended" | "session_over" | "no_longer_wanted" | "no_mail_server" | null;
  attempts: number;
  created_at: string;
  sent_at: string | null;
}

export interface Webhook {
  id: string;
  /** Null for a webhook of an account. */
  workspace_id: string | null;
  url: string;
  name: string | null;
  /**
   * `forecast.completed`: A forecast has completed. `forecast.failed`: A forecast has failed or was canceled.
   * `forecast.outcome`: The outcome of a forecast is `complete`, or `unavailable` because its rows cannot be read.
   * `receipt.stamped`: The proof of a forecast, or of a revision of an event, was stamped. `event.resolved`: An
   * event was resolved or annulled. `screener.matched`: A filter has matches in a session. Only webhooks of
   * accounts get it.
   */
  types: Array<"forecast.completed" | "forecast.failed" | "forecast.outcome" | "receipt.stamped" | "event.resolved" | "screener.matched">;
  enabled: boolean;
  /**
   * Null if it is on. `requested`: A request turned it off. `failing`: No attempt of a week, and at least 20, got a
   * 2xx status. `gone`: The receiver replied 410 Gone.
   */
  off_reason: "requested" | "failing" | "gone" | null;
  /** The number of failed attempts since the last one that got a 2xx status. */
  failures: number;
  /** The time of the first of these attempts. */
  failing_since: string | null;
  /** The time of the last attempt that got a 2xx status. */
  last_success_at: string | null;
  secret_rotated_at: string | null;
  created_at: string;
  updated_at: string;
}

export interface WebhookBody {
  /**
   * The URL that receives the events. It must use https, and lead to the public internet unless the operator
   * allowed its address. It must not contain a user, a password or a fragment.
   */
  url: string;
  /** A name by which you recognize the webhook. */
  name?: string | null | undefined;
  /** The types of events to send. The credential needs the scope that reads them. */
  types: Array<"forecast.completed" | "forecast.failed" | "forecast.outcome" | "receipt.stamped" | "event.resolved" | "screener.matched">;
}

export interface WebhookWithSecret {
  id: string;
  /** Null for a webhook of an account. */
  workspace_id: string | null;
  url: string;
  name: string | null;
  /**
   * `forecast.completed`: A forecast has completed. `forecast.failed`: A forecast has failed or was canceled.
   * `forecast.outcome`: The outcome of a forecast is `complete`, or `unavailable` because its rows cannot be read.
   * `receipt.stamped`: The proof of a forecast, or of a revision of an event, was stamped. `event.resolved`: An
   * event was resolved or annulled. `screener.matched`: A filter has matches in a session. Only webhooks of
   * accounts get it.
   */
  types: Array<"forecast.completed" | "forecast.failed" | "forecast.outcome" | "receipt.stamped" | "event.resolved" | "screener.matched">;
  enabled: boolean;
  /**
   * Null if it is on. `requested`: A request turned it off. `failing`: No attempt of a week, and at least 20, got a
   * 2xx status. `gone`: The receiver replied 410 Gone.
   */
  off_reason: "requested" | "failing" | "gone" | null;
  /** The number of failed attempts since the last one that got a 2xx status. */
  failures: number;
  /** The time of the first of these attempts. */
  failing_since: string | null;
  /** The time of the last attempt that got a 2xx status. */
  last_success_at: string | null;
  secret_rotated_at: string | null;
  created_at: string;
  updated_at: string;
  /** The secret that signs the requests, in the form of Standard Webhooks. It is not shown again. */
  secret: string;
}

export interface WebhookChange {
  /**
   * The URL that receives the events. It must use https, and lead to the public internet unless the operator
   * allowed its address. It must not contain a user, a password or a fragment.
   */
  url?: string | undefined;
  /** A name by which you recognize the webhook. */
  name?: string | null | undefined;
  /** The types of events to send. The credential needs the scope that reads them. */
  types?: Array<"forecast.completed" | "forecast.failed" | "forecast.outcome" | "receipt.stamped" | "event.resolved" | "screener.matched"> | undefined;
  /** Turns the webhook on or off. */
  enabled?: boolean | undefined;
}

export interface WebhookDelivery {
  id: string;
  webhook_id: string;
  /** The header `webhook-id` of every attempt, and the `id` of the payload. */
  event_id: string;
  type: string;
  /**
   * `pending`: The first attempt, or the next one, is due at `next_attempt_at`. `delivered`: The receiver replied
   * with a 2xx status. The event is not sent again unless a request replays it. `failed`: No attempt of three days
   * got a 2xx status. `skipped`: The webhook was turned off, or its account lost the access that webhooks need,
   * before an attempt got a 2xx status.
   */
  state: "pending" | "delivered" | "failed" | "skipped";
  /** The id of the delivery that this one repeats. */
  replays: string | null;
  payload: WebhookPayload;
  /** Oldest first. */
  attempts: WebhookAttempt[];
  next_attempt_at: string | null;
  created_at: string;
  ended_at: string | null;
}

export interface WebhookPayload {
  /** The id of the event, the same in every request about it. */
  id: string;
  type: string;
  created_at: string;
  /** Increases by one with every event of this webhook. Requests can arrive in another order. */
  sequence: number;
  data: {
    forecast_id: string;
    status: string;
    result_url: string;
  } | {
    forecast_id: string;
    status: string;
    resolution_url: string;
  } | {
    alert_id: string;
    session: string;
    matches_url: string;
  } | {
    webhook_id: string;
  };
}

export interface WebhookAttempt {
  number: number;
  started_at: string;
  /** Null if the service stopped during the attempt. */
  duration_ms: number | null;
  status_code: number | null;
  /**
   * `timeout`: No reply arrived within 10 seconds. `unreachable`: The connection could not be made, or it was
   * closed before a reply arrived. `malformed`: The reply was not HTTP. `not_public`: The URL leads to an address
   * that is not on the public internet. `not_https`: The URL uses http, which the operator has not allowed for this
   * address. `interrupted`: The service stopped during the attempt, so the receiver may have got the event.
   */
  error: "timeout" | "unreachable" | "malformed" | "not_public" | "not_https" | "interrupted" | null;
  /** The beginning of the body of the reply, at most 500 characters. */
  reply: string | null;
}

export interface Notifications {
  /** Whether an email is sent when a forecast of the account completes or fails. */
  forecasts: boolean;
  /** Whether an email is sent when the outcome of a forecast of the account is complete. */
  outcomes: boolean;
  /** `suspended`: an email bounced. `POST /v1/me/verification` sends a link that ends the suspension. */
  delivery: {
    state: "on" | "off" | "suspended";
    /** When emails were suspended; null if they are not. */
    since: string | null;
  };
  last_email: NotificationMail | null;
}

export interface NotificationMail {
  /**
   * `queued`: it is waiting, or is being sent. `failed`: the mail server rejected it, or was unreachable in all
   * attempts. `unknown`: the connection ended before the mail server confirmed it, so it may have arrived; it is
   * not sent again. `skipped`: the emails were turned off, or the address cannot get emails.
   */
  state: "queued" | "sent" | "failed" | "unknown" | "skipped";
  created_at: string;
  sent_at: string | null;
}

export interface AdministeredAccount {
  id: string;
  email: string;
  email_verified: boolean;
  plan: "free" | "pro" | "enterprise";
  administrator: boolean;
  locked: boolean;
  locked_at: string | null;
  created_at: string;
  /** The last time that a browser signed in; null if none did in the last 400 days. */
  last_sign_in_at: string | null;
}

export interface AdministeredAccountDetails {
  id: string;
  email: string;
  email_verified: boolean;
  plan: "free" | "pro" | "enterprise";
  administrator: boolean;
  locked: boolean;
  locked_at: string | null;
  created_at: string;
  /** The last time that a browser signed in; null if none did in the last 400 days. */
  last_sign_in_at: string | null;
  /** Whether it is the account of the caller, which the caller can neither lock nor demote. */
  is_own: boolean;
  counts: {
    /** Workspaces that the account owns. */
    workspaces: number;
    /** Forecasts that the account created. */
    forecasts: number;
    /** Of those, the queued and running ones. */
    unfinished_forecasts: number;
    /** Event forecasts that the account created. */
    events: number;
    /** Saved screener filters. */
    filters: number;
    /** Feeds. */
    feeds: number;
    /** API keys that work, or would work if the account were not locked. */
    api_keys: number;
    /** Browsers that are signed in, or would be if the account were not locked. */
    sessions: number;
    /** Applications with access. */
    applications: number;
  };
  usage: {
    /** The calendar month (UTC) whose credits are counted. `end` is the start of the next month. */
    period: {
      start: string;
      end: string;
    };
    credits: {
      limit: number | null;
      /** Credits of completed forecasts. */
      used: number;
      /** Credits of queued and running forecasts. */
      reserved: number;
      left: number | null;
    };
    slots: {
      /** Number of forecasts that may be queued or running. */
      limit: number;
      /** Number of forecasts that are queued or running. */
      used: number;
      /** Number of forecasts that can be queued now. The guests of one network also share slots. */
      left: number;
    };
    storage: {
      /**
       * Counted size, in bytes, of the files, snapshots and results of the caller’s forecasts and of the caller’s
       * own workspaces.
       */
      bytes: number;
      /** Maximum of `bytes`. Beyond it, forecasts and files are refused. */
      limit_bytes: number;
      /** Total size, in bytes, of the CSV files in the caller’s own workspaces. */
      csv_bytes: number;
      /**
       * Compressed size, in bytes, of the snapshots of the caller’s forecasts and of all forecasts in the caller’s
       * own workspaces. A snapshot that several forecasts use is counted once.
       */
      snapshot_bytes: number;
      /**
       * The rest of `bytes`: the results of the forecasts, a fixed size for each forecast, and a snapshot again for
       * each further payer. `csv_bytes`, `snapshot_bytes` and `forecast_bytes` add up to `bytes`.
       */
      forecast_bytes: number;
    };
  };
}

export interface ServiceState {
  /** When the state was read. */
  at: string;
  /** The version of the service. */
  version: string;
  node: string;
  database: {
    kind: "pglite" | "postgres";
    /** Size of the database. */
    bytes: number;
    /** Why the service accepts no requests, such as `disk full`, or null. */
    problem: string | null;
  };
  accounts: {
    /** Number of accounts. */
    total: number;
    /** Number of locked accounts. */
    locked: number;
    /** Number of administrators with a verified address that are not locked. */
    administrators: number;
  };
  providers: Array<{
    id: string;
    /** What the provider supplies: bars, or economic series. */
    supplies: "market" | "economic";
    /** Whether the service uses the provider. */
    configured: boolean;
    /**
     * State of the circuit breaker: requests are sent (closed), are not sent because the provider failed repeatedly
     * (open), or the next request decides (trial).
     */
    state: "closed" | "open" | "trial";
    /** Exact to a minute. */
    last_success_at: string | null;
    last_failure: {
      at: string;
      fault: string;
    } | null;
    /** Requests that can be sent now without a pause; null for a provider that gets no requests. */
    requests_left: number | null;
    /** The list of instruments or series, as it was last read; null if it was never requested. */
    listing: {
      entries: number;
      refreshed_at: string | null;
      error: string | null;
    } | null;
  }>;
  queues: Array<{
    name: string;
    /** Jobs that are ready to start. */
    waiting: number;
    /** How long the oldest of them has been ready. */
    oldest_seconds: number;
    /** Jobs that a worker is running. */
    running: number;
  }>;
  /** The queue `forecasts` by the version of the engine, for those with forecasts or workers. */
  forecast_queues: Array<{
    /** The version of the engine; null for forecasts of builds that did not name their queue by it. */
    engine: string | null;
    /** Forecasts that are ready to start. */
    waiting: number;
    /** How long the oldest of them has been ready. */
    oldest_seconds: number;
    /** Processes that take these forecasts. */
    workers: number;
  }>;
  /** When a worker last looked after the queues, which it does every few seconds; null if none ever did. */
  worker_seen_at: string | null;
  stamper: {
    /** How proofs are stamped; null if they are not. */
    kind: string | null;
    /** Proofs that wait to be stamped. */
    pending: number;
    /** Proofs that are being stamped. */
    stamping: number;
    /** Stamped proofs. */
    stamped: number;
    /** The pending proofs by the reason why they wait. */
    waiting: Record<string, number>;
    oldest_unstamped_at: string | null;
    last_stamped_at: string | null;
  };
}

export interface LedgerCheck {
  at: string;
  /** Whether credits and slots add up. */
  sound: boolean;
  /** Entries of the ledger. */
  entries: number;
  /** Transfers, each of which consists of entries that add up to zero. */
  transfers: number;
  /** Transfers whose entries do not add up to zero. */
  unbalanced: string[];
  /** Forecasts whose credits do not match their status, by their id. */
  open: string[];
  /** Owners, and hashes of guest networks, whose count of slots differs from their unfinished forecasts. */
  slots: Array<{
    owner: string;
    active: number;
    expected: number;
  }>;
  /** Number of errors. Each list has at most 100 of them. */
  errors: number;
}

export type ReadAccessInput = NoInput;

/** The input of readUsage. */
export interface ReadUsageInput {
  /** The first day, in UTC. With months, the month of this day is the first. */
  from?: string | undefined;
  /** The last day, in UTC. Default: today. */
  to?: string | undefined;
  /** Default: `day`. */
  interval?: "day" | "month" | undefined;
}

/** The input of changePassword. */
export interface ChangePasswordInput {
  current_password: string;
  new_password: string;
}

export type RequestVerificationInput = NoInput;

export type ExportAccountInput = NoInput;

export type ReadErasureInput = NoInput;

/** The input of eraseAccount. */
export interface EraseAccountInput {
  current_password: string;
  /** The ids of public forecasts that stay without an owner, or `all`. Default: none. */
  keep_public?: "all" | string[] | undefined;
}

export type ListApiKeysInput = NoInput;

/** The input of createApiKey. */
export interface CreateApiKeyInput {
  name: string;
  scopes?: Array<"account:read" | "datasets:read" | "forecasts:read" | "forecasts:write" | "workspaces:read" | "workspaces:write" | "screener:read" | "screener:write" | "events:read" | "events:write" | "webhooks:read" | "webhooks:write"> | undefined;
  expires_at?: string | undefined;
}

/** The input of revokeApiKey. */
export interface RevokeApiKeyInput {
  key_id: string;
}

/** The input of createSession. */
export interface CreateSessionInput {
  email: string;
  password: string;
}

export type EndSessionInput = NoInput;

export type ListSessionsInput = NoInput;

export type EndOtherSessionsInput = NoInput;

/** The input of endSessionById. */
export interface EndSessionByIdInput {
  session_id: string;
}

export type CreateGuestSessionInput = NoInput;

export type ListApplicationsInput = NoInput;

/** The input of revokeApplication. */
export interface RevokeApplicationInput {
  /** The id in the list of applications. */
  application_id: string;
}

/** The input of listSecurityEvents. */
export interface ListSecurityEventsInput {
  limit?: number | undefined;
  cursor?: string | undefined;
}

/** The input of listInvitations. */
export interface ListInvitationsInput {
  limit?: number | undefined;
  cursor?: string | undefined;
}

/** The input of acceptInvitation. */
export interface AcceptInvitationInput {
  invitation_id: string;
}

/** The input of declineInvitation. */
export interface DeclineInvitationInput {
  invitation_id: string;
}

/** The input of searchSeries. */
export interface SearchSeriesInput {
  query: string;
  types?: Array<"market" | "economic_series" | "warehouse_table"> | undefined;
  /**
   * If true, only the listings are searched, and no provider gets a request. Use it to search while the query is
   * typed.
   */
  local?: boolean | undefined;
  limit?: number | undefined;
  cursor?: string | undefined;
}

/** The input of previewSeries. */
export interface PreviewSeriesInput {
  sources: Array<MarketSource | EconomicSource>;
}

/** The input of describeSeries. */
export interface DescribeSeriesInput {
  source: MarketSource | EconomicSource | WarehouseSource;
}

/** The input of readObservations. */
export interface ReadObservationsInput {
  source: MarketSource | EconomicSource | WarehouseSource;
  format?: "json" | "csv" | undefined;
  /** Maximum number of rows. The latest rows are returned. Default: all rows. */
  limit?: number | undefined;
  /** Returns only periods that ended by this instant. */
  cutoff?: string | undefined;
  /** Returns the same rows as the response that named this snapshot. */
  snapshot_id?: string | undefined;
}

export type ListMarketProvidersInput = NoInput;

/** The input of readStockHistory. */
export interface ReadStockHistoryInput {
  symbol: string;
  source?: "auto" | "alpaca" | "massive" | "dukascopy" | "bundled" | "provider_a" | "provider_b" | "provider_c" | undefined;
  timeframe: "1min" | "5min" | "15min" | "30min" | "1h" | "4h" | "1D" | "1W-MON" | "1MS" | "1Min" | "5Min" | "15Min" | "30Min" | "1Hour" | "4Hour" | "1Day" | "1Week" | "1Month" | "1m" | "5m" | "15m" | "30m" | "1w";
  limit?: 500 | 1000 | 1500 | 2000 | 50000 | undefined;
  adjustment?: "raw" | "split" | "all" | undefined;
  format?: "json" | "csv" | undefined;
  session?: "regular" | "extended" | undefined;
  /** Prices of a provider of quotes. Default: its bids. Providers of trades refuse it. */
  price_side?: "bid" | "ask" | undefined;
  /** Returns only bars that begin at or after this instant. */
  start?: string | undefined;
  /** Returns only bars that begin before this instant. */
  end?: string | undefined;
  /**
   * The `next_cursor` of an earlier response, to read older bars. All fields except `format` must be the same as in
   * the earlier request.
   */
  cursor?: string | undefined;
  /** Returns the same rows as the response that named this snapshot. */
  snapshot_id?: string | undefined;
}

/** The input of createFeed. */
export type CreateFeedInput = ({
  kind: "history";
  request: HistoryFeedRequest;
  /** A name by which you recognize the feed. */
  name?: string | undefined;
} | {
  kind: "observations";
  request: ObservationsFeedRequest;
  /** A name by which you recognize the feed. */
  name?: string | undefined;
} | {
  kind: "forecast";
  request: ForecastFeedRequest;
  /** A name by which you recognize the feed. */
  name?: string | undefined;
});

export type ListFeedsInput = NoInput;

/** The input of deleteFeed. */
export interface DeleteFeedInput {
  /** The id of the feed. */
  feed: string;
}

/** The input of readFeed. */
export interface ReadFeedInput {
  /** The token at the end of the URL of the feed. */
  feed: string;
}

/** The input of createForecast. */
export interface CreateForecastInput {
  source: MarketSource | EconomicSource | WarehouseSource | WorkspaceCsvSource | InlineSource;
  /**
   * Frequency of the rows. Default: the frequency of the source; for inline rows, it is inferred. The response is
   * 422 if the source has another frequency, or if no two neighboring inline rows are one period apart.
   */
  frequency?: string | undefined;
  /** Number of periods to forecast. */
  horizon: number;
  /** Quantile levels. Default: 0.1, 0.25, 0.5, 0.75, 0.9. */
  quantiles?: number[] | undefined;
  /**
   * Default: `full`. `fast` fits toto, theta and seasonal_naive, those of them that are available, without folds,
   * and combines them with weights and a width of the intervals that are known beforehand: the forecast takes less
   * time, costs 2 credits for each model and thousand rows, and its intervals are not calibrated to the series. Not
   * together with `models`, `weights` or the weight mode `manual`.
   */
  mode?: "full" | "fast" | undefined;
  /**
   * Ids of the models. Default: the models in `weights` or, without `weights`, the available models that lower the
   * errors on series of the frequency; without toto, the available models of the default ensemble. A model that is
   * named here is always fitted.
   */
  models?: string[] | undefined;
  weight_mode?: "auto" | "manual" | undefined;
  /** Weights by model id, for the weight mode `manual`. */
  weights?: Record<string, number> | undefined;
  weighting_policy?: "rolling_pinball_v1" | "rolling_loss_selection_v2" | undefined;
  transform?: "auto" | "none" | "log" | undefined;
  /**
   * An instant, or a number of days before the last observation. For bars of an exchange, days are dates in New
   * York; otherwise, each day is 24 hours. Only periods that ended by the cutoff are read.
   */
  cutoff?: string | number | undefined;
  /**
   * Whether to read the series as it was known at the cutoff, without later revisions: the vintage of the last date
   * that was over at the cutoff where the provider is. Needs a cutoff and a series with vintages.
   */
  as_known_at_cutoff?: boolean | undefined;
  /**
   * Number of days from the end of a period until its value is final and enters the outcome of the forecast.
   * Default: 0.
   */
  settle_days?: number | undefined;
  /** Maximum number of rows to read. The latest rows up to the cutoff are read. */
  limit?: number | undefined;
  workspace_id?: string | undefined;
  /** Default: `workspace` if `workspace_id` is given, otherwise `private`. */
  visibility?: "private" | "workspace" | "public" | undefined;
  title?: string | undefined;
  /** Seed for the models that use random numbers. Default: 1. */
  seed?: number | undefined;
}

/** The input of listForecasts. */
export interface ListForecastsInput {
  /**
   * Lists forecasts in whose title, slug, symbol, series id, table or value field every word occurs, in any case.
   */
  q?: string | undefined;
  status?: "queued" | "running" | "completed" | "failed" | undefined;
  /**
   * The type of the source (`market`, `economic_series`, `warehouse_table`, `workspace_csv` or `inline`), or its
   * exact symbol, series id or table, in any case.
   */
  source?: string | undefined;
  /** Lists forecasts in which this model takes part. */
  model?: string | undefined;
  /** `score` is the average WQL of the historical validation. Forecasts without a value come last. */
  sort?: "created_at" | "finished_at" | "name" | "horizon" | "score" | undefined;
  /** Default: `desc` for times, otherwise `asc`. */
  order?: "asc" | "desc" | undefined;
  limit?: number | undefined;
  cursor?: string | undefined;
  /** Lists only the caller’s forecasts in this workspace. */
  workspace_id?: string | undefined;
}

/** The input of listWorkspaceForecasts. */
export interface ListWorkspaceForecastsInput {
  workspace_id: string;
  /**
   * Lists forecasts in whose title, slug, symbol, series id, table or value field every word occurs, in any case.
   */
  q?: string | undefined;
  status?: "queued" | "running" | "completed" | "failed" | undefined;
  /**
   * The type of the source (`market`, `economic_series`, `warehouse_table`, `workspace_csv` or `inline`), or its
   * exact symbol, series id or table, in any case.
   */
  source?: string | undefined;
  /** Lists forecasts in which this model takes part. */
  model?: string | undefined;
  /** `score` is the average WQL of the historical validation. Forecasts without a value come last. */
  sort?: "created_at" | "finished_at" | "name" | "horizon" | "score" | undefined;
  /** Default: `desc` for times, otherwise `asc`. */
  order?: "asc" | "desc" | undefined;
  limit?: number | undefined;
  cursor?: string | undefined;
  /** If `true`, lists only the forecasts that the caller created. */
  mine?: "true" | "false" | undefined;
}

/** The input of readForecast. */
export interface ReadForecastInput {
  forecast_id: string;
}

/** The input of deleteForecast. */
export interface DeleteForecastInput {
  forecast_id: string;
}

/** The input of updateForecast. */
export interface UpdateForecastInput {
  forecast_id: string;
  /** The new title; null removes it. The slug does not change. */
  title?: string | null | undefined;
  /**
   * `workspace` requires a forecast in a workspace. Guests cannot choose `public`. Only the creator can choose
   * `private`.
   */
  visibility?: "private" | "workspace" | "public" | undefined;
}

/** The input of cancelForecast. */
export interface CancelForecastInput {
  forecast_id: string;
}

/** The input of reproduceForecast. */
export interface ReproduceForecastInput {
  forecast_id: string;
}

/** The input of watchForecast. */
export interface WatchForecastInput {
  forecast_id: string;
}

/** The input of readForecastProof. */
export interface ReadForecastProofInput {
  forecast_id: string;
}

/** The input of listModels. */
export interface ListModelsInput {
  workspace_id?: string | undefined;
}

/** The input of exportForecast. */
export interface ExportForecastInput {
  forecast_id: string;
  format?: "json" | "csv" | undefined;
}

/** The input of prepareSaveForecast. */
export interface PrepareSaveForecastInput {
  forecast_id: string;
}

/** The input of saveForecast. */
export interface SaveForecastInput {
  forecast_id: string;
}

/** The input of readForecastHistory. */
export interface ReadForecastHistoryInput {
  forecast_id: string;
  /** Maximum number of rows. The latest rows are returned. */
  limit?: number | undefined;
}

/** The input of previewForecasts. */
export interface PreviewForecastsInput {
  /** The ids of at most 50 forecasts, separated by commas. */
  ids: string;
}

/** The input of readTrackRecord. */
export interface ReadTrackRecordInput {
  workspace_id?: string | undefined;
  /** Includes only forecasts with this member model, and of the models only this one. */
  model?: string | undefined;
  /** The type of a source, or its symbol, series id or table (case-insensitive). */
  source?: string | undefined;
  horizon?: number | undefined;
  /** Includes forecasts created at or after this instant. */
  from?: string | undefined;
  /** Includes forecasts created before this instant. */
  to?: string | undefined;
  /** If `true`, includes only forecasts that were stamped before their first scored row could be known. */
  stamped?: "true" | "false" | undefined;
  /** If `true`, includes only forecasts that the caller owns. */
  mine?: "true" | "false" | undefined;
  format?: "json" | "csv" | undefined;
}

/** The input of estimateForecast. */
export interface EstimateForecastInput {
  source: MarketSource | EconomicSource | WarehouseSource | WorkspaceCsvSource | InlineSource;
  /**
   * Frequency of the rows. Default: the frequency of the source; for inline rows, it is inferred. The response is
   * 422 if the source has another frequency, or if no two neighboring inline rows are one period apart.
   */
  frequency?: string | undefined;
  /** Number of periods to forecast. */
  horizon: number;
  /** Quantile levels. Default: 0.1, 0.25, 0.5, 0.75, 0.9. */
  quantiles?: number[] | undefined;
  /**
   * Default: `full`. `fast` fits toto, theta and seasonal_naive, those of them that are available, without folds,
   * and combines them with weights and a width of the intervals that are known beforehand: the forecast takes less
   * time, costs 2 credits for each model and thousand rows, and its intervals are not calibrated to the series. Not
   * together with `models`, `weights` or the weight mode `manual`.
   */
  mode?: "full" | "fast" | undefined;
  /**
   * Ids of the models. Default: the models in `weights` or, without `weights`, the available models that lower the
   * errors on series of the frequency; without toto, the available models of the default ensemble. A model that is
   * named here is always fitted.
   */
  models?: string[] | undefined;
  weight_mode?: "auto" | "manual" | undefined;
  /** Weights by model id, for the weight mode `manual`. */
  weights?: Record<string, number> | undefined;
  weighting_policy?: "rolling_pinball_v1" | "rolling_loss_selection_v2" | undefined;
  transform?: "auto" | "none" | "log" | undefined;
  /**
   * An instant, or a number of days before the last observation. For bars of an exchange, days are dates in New
   * York; otherwise, each day is 24 hours. Only periods that ended by the cutoff are read.
   */
  cutoff?: string | number | undefined;
  /**
   * Whether to read the series as it was known at the cutoff, without later revisions: the vintage of the last date
   * that was over at the cutoff where the provider is. Needs a cutoff and a series with vintages.
   */
  as_known_at_cutoff?: boolean | undefined;
  /**
   * Number of days from the end of a period until its value is final and enters the outcome of the forecast.
   * Default: 0.
   */
  settle_days?: number | undefined;
  /** Maximum number of rows to read. The latest rows up to the cutoff are read. */
  limit?: number | undefined;
  workspace_id?: string | undefined;
  /** Default: `workspace` if `workspace_id` is given, otherwise `private`. */
  visibility?: "private" | "workspace" | "public" | undefined;
  title?: string | undefined;
  /** Seed for the models that use random numbers. Default: 1. */
  seed?: number | undefined;
}

/** The input of listForecastActions. */
export interface ListForecastActionsInput {
  forecast_id: string;
}

/** The input of readOutcome. */
export interface ReadOutcomeInput {
  forecast_id: string;
  format?: "json" | "csv" | undefined;
}

/** The input of recordOutcome. */
export interface RecordOutcomeInput {
  forecast_id: string;
  /** Values with the timestamps of predictions, in any order. A date without a time means 00:00 UTC. */
  points: Array<{
    timestamp: string;
    value: number;
  }>;
}

/** The input of listEvents. */
export interface ListEventsInput {
  category?: string | undefined;
  /** Name or ticker of the entity (case-insensitive). */
  entity?: string | undefined;
  model?: string | undefined;
  author?: "anyone" | "me" | undefined;
  workspace_id?: string | undefined;
  status?: "pending" | "resolved_yes" | "resolved_no" | "annulled" | undefined;
  /** Id of the ensemble forecast from which the questions were created. */
  source_forecast_id?: string | undefined;
  /** Includes questions whose deadline is at or after this instant. */
  deadline_from?: string | undefined;
  /** Includes questions whose deadline is before this instant. */
  deadline_to?: string | undefined;
  /** `deadline`: the earliest deadline first. */
  sort?: "newest" | "deadline" | undefined;
  limit?: number | undefined;
  cursor?: string | undefined;
}

/** The input of createEvent. */
export interface CreateEventInput {
  category: string;
  entity: {
    type: string;
    name: string;
    /** Omit it or leave it empty if the entity has no ticker. */
    ticker?: string | undefined;
  };
  question: string;
  possible_future_headline: string;
  probability: number;
  /** The probability uses only information known by this instant. The instant must not be in the future. */
  input_cutoff_at: string;
  resolution_deadline: string;
  slug?: string | undefined;
  /** The model that computed the probability. Omit it if no model did. */
  model?: string | undefined;
  resolution_rule?: ResolutionRuleChoice | undefined;
  workspace_id?: string | undefined;
  /** Default: `workspace` if `workspace_id` is given, otherwise `private`. */
  visibility?: "private" | "workspace" | "public" | undefined;
}

/** The input of readEvent. */
export interface ReadEventInput {
  forecast_id: string;
}

/** The input of listEventActions. */
export interface ListEventActionsInput {
  forecast_id: string;
}

/** The input of readEventResolution. */
export interface ReadEventResolutionInput {
  forecast_id: string;
}

/** The input of listEventRevisions. */
export interface ListEventRevisionsInput {
  forecast_id: string;
  limit?: number | undefined;
  cursor?: string | undefined;
}

/** The input of reviseEvent. */
export interface ReviseEventInput {
  forecast_id: string;
  probability: number;
  /** Default: unchanged. */
  possible_future_headline?: string | undefined;
  input_cutoff_at: string;
  note?: string | undefined;
}

/** The input of readEventProof. */
export interface ReadEventProofInput {
  forecast_id: string;
  /** Number of the revision. Default: the current revision. */
  revision?: number | undefined;
}

/** The input of readEventHistory. */
export interface ReadEventHistoryInput {
  forecast_id: string;
  limit?: number | undefined;
  cursor?: string | undefined;
}

/** The input of resolveEvent. */
export interface ResolveEventInput {
  forecast_id: string;
  outcome: "yes" | "no" | "annulled";
  actual_outcome: string;
  resolution_source: string;
  /** Revisions made at or after this instant are not scored. The instant must not be in the future. */
  outcome_known_at?: string | undefined;
  evidence?: {
    text: string;
    observation?: {
      timestamp: string;
      value: number;
    } | undefined;
  } | undefined;
}

/** The input of createEventsFromForecast. */
export interface CreateEventsFromForecastInput {
  /** Id or slug of a completed ensemble forecast. */
  forecast_id: string;
  thresholds?: number[] | undefined;
  /** Thresholds as percentage changes from the last observed value. */
  changes_pct?: number[] | undefined;
  /** Steps of the forecast, counted from 1. Default: the last step. */
  steps?: number[] | undefined;
  op?: "gt" | "gte" | "lt" | "lte" | undefined;
  category?: string | undefined;
  entity?: {
    type: string;
    name: string;
    /** Omit it or leave it empty if the entity has no ticker. */
    ticker?: string | undefined;
  } | undefined;
  workspace_id?: string | undefined;
  /** Default: `workspace` if `workspace_id` is given, otherwise `private`. */
  visibility?: "private" | "workspace" | "public" | undefined;
}

/** The input of previewEventsFromForecast. */
export interface PreviewEventsFromForecastInput {
  /** Id or slug of a completed ensemble forecast. */
  forecast_id: string;
  thresholds?: number[] | undefined;
  /** Thresholds as percentage changes from the last observed value. */
  changes_pct?: number[] | undefined;
  /** Steps of the forecast, counted from 1. Default: the last step. */
  steps?: number[] | undefined;
  op?: "gt" | "gte" | "lt" | "lte" | undefined;
  category?: string | undefined;
  entity?: {
    type: string;
    name: string;
    /** Omit it or leave it empty if the entity has no ticker. */
    ticker?: string | undefined;
  } | undefined;
  workspace_id?: string | undefined;
  /** Default: `workspace` if `workspace_id` is given, otherwise `private`. */
  visibility?: "private" | "workspace" | "public" | undefined;
}

/** The input of readScoreboard. */
export interface ReadScoreboardInput {
  category?: string | undefined;
  /** Name or ticker of the entity (case-insensitive). */
  entity?: string | undefined;
  model?: string | undefined;
  author?: "anyone" | "me" | undefined;
  workspace_id?: string | undefined;
  /** Includes questions resolved at or after this instant. */
  from?: string | undefined;
  /** Includes questions resolved before this instant. */
  to?: string | undefined;
  /** If `true`, includes only questions whose probability was stamped before the outcome was known. */
  stamped?: "true" | "false" | undefined;
  group_by?: "category" | "entity" | "model" | "month" | undefined;
  format?: "json" | "csv" | undefined;
  /** Whether each line of a CSV file describes a group or a question. */
  rows?: "groups" | "questions" | undefined;
}

/** The input of listCsvFiles. */
export interface ListCsvFilesInput {
  workspace_id: string;
  limit?: number | undefined;
  cursor?: string | undefined;
}

/** The input of uploadCsvFile. */
export interface UploadCsvFileInput {
  workspace_id: string;
  name: string;
  /**
   * The id of a file that is deleted when the new one is stored. A member whose access is limited to it gets access
   * to the new one.
   */
  replaces?: string | undefined;
  /**
   * If the caller has uploaded the same file since this time, with the same name, bytes and reading, that file is
   * returned and nothing is stored. Forms send the time at which they were shown.
   */
  not_since?: string | undefined;
  /** The content of the file. */
  content: CsvContent;
}

/** The input of readCsvFile. */
export interface ReadCsvFileInput {
  workspace_id: string;
  csv_id: string;
  limit?: number | undefined;
  cursor?: string | undefined;
  /** Begins with the row on this line, or the next one. Cannot be combined with `cursor`. */
  line?: number | undefined;
}

/** The input of deleteCsvFile. */
export interface DeleteCsvFileInput {
  workspace_id: string;
  csv_id: string;
}

/** The input of readCsvSeries. */
export interface ReadCsvSeriesInput {
  workspace_id: string;
  csv_id: string;
  time_field: string;
  value_field: string;
  limit?: number | undefined;
}

/** The input of downloadCsvFile. */
export interface DownloadCsvFileInput {
  workspace_id: string;
  csv_id: string;
}

export type ListWorkspacesInput = NoInput;

/** The input of createWorkspace. */
export interface CreateWorkspaceInput {
  name: string;
}

/** The input of readWorkspace. */
export interface ReadWorkspaceInput {
  workspace_id: string;
}

/** The input of renameWorkspace. */
export interface RenameWorkspaceInput {
  workspace_id: string;
  name?: string | undefined;
  member_credits?: number | null | undefined;
}

/** The input of deleteWorkspace. */
export interface DeleteWorkspaceInput {
  workspace_id: string;
}

/** The input of readWorkspaceContents. */
export interface ReadWorkspaceContentsInput {
  workspace_id: string;
}

/** The input of transferWorkspace. */
export interface TransferWorkspaceInput {
  workspace_id: string;
  collaborator_id: string;
}

/** The input of readTransfer. */
export interface ReadTransferInput {
  workspace_id: string;
}

/** The input of withdrawTransfer. */
export interface WithdrawTransferInput {
  workspace_id: string;
}

/** The input of listCollaborators. */
export interface ListCollaboratorsInput {
  workspace_id: string;
}

/** The input of addCollaborator. */
export interface AddCollaboratorInput {
  workspace_id: string;
  email: string;
  role: "editor" | "viewer";
  resource_scope?: ResourceScopeChoice | undefined;
}

/** The input of updateCollaborator. */
export interface UpdateCollaboratorInput {
  workspace_id: string;
  collaborator_id: string;
  role?: "editor" | "viewer" | undefined;
  resource_scope?: ResourceScopeChoice | undefined;
}

/** The input of removeCollaborator. */
export interface RemoveCollaboratorInput {
  workspace_id: string;
  collaborator_id: string;
}

export type ListScreenerAlertsInput = NoInput;

/** The input of createScreenerAlert. */
export interface CreateScreenerAlertInput {
  name: string;
  /** `all`, or a list of symbols. */
  universe: "all" | string[];
  /** A symbol matches when it meets every condition. Send either `all` or `any`. */
  all?: ScreenerCondition[] | undefined;
  /** A symbol matches when it meets at least one condition. */
  any?: ScreenerCondition[] | undefined;
  /** Whether the matches of the filter are sent by email. */
  email?: boolean | undefined;
}

/** The input of readScreenerAlert. */
export interface ReadScreenerAlertInput {
  alert_id: string;
}

/** The input of updateScreenerAlert. */
export interface UpdateScreenerAlertInput {
  alert_id: string;
  name?: string | undefined;
  /** `all`, or a list of symbols. */
  universe?: "all" | string[] | undefined;
  /** A symbol matches when it meets every condition. Send either `all` or `any`. */
  all?: ScreenerCondition[] | undefined;
  /** A symbol matches when it meets at least one condition. */
  any?: ScreenerCondition[] | undefined;
  /** Whether the matches of the filter are sent by email. */
  email?: boolean | undefined;
}

/** The input of deleteScreenerAlert. */
export interface DeleteScreenerAlertInput {
  alert_id: string;
}

/** The input of previewScreenerAlert. */
export interface PreviewScreenerAlertInput {
  /** `all`, or a list of symbols. */
  universe: "all" | string[];
  /** A symbol matches when it meets every condition. Send either `all` or `any`. */
  all?: ScreenerCondition[] | undefined;
  /** A symbol matches when it meets at least one condition. */
  any?: ScreenerCondition[] | undefined;
}

/** The input of listScreenerMatches. */
export interface ListScreenerMatchesInput {
  alert_id: string;
  session?: string | undefined;
  /** Selects only matches that are new. */
  new?: "true" | undefined;
  limit?: number | undefined;
  cursor?: string | undefined;
}

/** The input of listScreenerSessions. */
export interface ListScreenerSessionsInput {
  alert_id: string;
  limit?: number | undefined;
  cursor?: string | undefined;
}

export type ListScreenerFieldsInput = NoInput;

/** The input of listScreenerMails. */
export interface ListScreenerMailsInput {
  limit?: number | undefined;
  cursor?: string | undefined;
}

export type ListWebhooksInput = NoInput;

/** The input of createWebhook. */
export interface CreateWebhookInput {
  /**
   * The URL that receives the events. It must use https, and lead to the public internet unless the operator
   * allowed its address. It must not contain a user, a password or a fragment.
   */
  url: string;
  /** A name by which you recognize the webhook. */
  name?: string | null | undefined;
  /** The types of events to send. The credential needs the scope that reads them. */
  types: Array<"forecast.completed" | "forecast.failed" | "forecast.outcome" | "receipt.stamped" | "event.resolved" | "screener.matched">;
}

/** The input of readWebhook. */
export interface ReadWebhookInput {
  webhook_id: string;
}

/** The input of updateWebhook. */
export interface UpdateWebhookInput {
  webhook_id: string;
  /**
   * The URL that receives the events. It must use https, and lead to the public internet unless the operator
   * allowed its address. It must not contain a user, a password or a fragment.
   */
  url?: string | undefined;
  /** A name by which you recognize the webhook. */
  name?: string | null | undefined;
  /** The types of events to send. The credential needs the scope that reads them. */
  types?: Array<"forecast.completed" | "forecast.failed" | "forecast.outcome" | "receipt.stamped" | "event.resolved" | "screener.matched"> | undefined;
  /** Turns the webhook on or off. */
  enabled?: boolean | undefined;
}

/** The input of deleteWebhook. */
export interface DeleteWebhookInput {
  webhook_id: string;
}

/** The input of testWebhook. */
export interface TestWebhookInput {
  webhook_id: string;
}

/** The input of rotateWebhook. */
export interface RotateWebhookInput {
  webhook_id: string;
}

/** The input of listWebhookDeliveries. */
export interface ListWebhookDeliveriesInput {
  webhook_id: string;
  limit?: number | undefined;
  cursor?: string | undefined;
}

/** The input of replayWebhookDelivery. */
export interface ReplayWebhookDeliveryInput {
  webhook_id: string;
  delivery_id: string;
}

/** The input of listWorkspaceWebhooks. */
export interface ListWorkspaceWebhooksInput {
  workspace_id: string;
}

/** The input of createWorkspaceWebhook. */
export interface CreateWorkspaceWebhookInput {
  workspace_id: string;
  /**
   * The URL that receives the events. It must use https, and lead to the public internet unless the operator
   * allowed its address. It must not contain a user, a password or a fragment.
   */
  url: string;
  /** A name by which you recognize the webhook. */
  name?: string | null | undefined;
  /** The types of events to send. The credential needs the scope that reads them. */
  types: Array<"forecast.completed" | "forecast.failed" | "forecast.outcome" | "receipt.stamped" | "event.resolved" | "screener.matched">;
}

/** The input of readWorkspaceWebhook. */
export interface ReadWorkspaceWebhookInput {
  workspace_id: string;
  webhook_id: string;
}

/** The input of updateWorkspaceWebhook. */
export interface UpdateWorkspaceWebhookInput {
  workspace_id: string;
  webhook_id: string;
  /**
   * The URL that receives the events. It must use https, and lead to the public internet unless the operator
   * allowed its address. It must not contain a user, a password or a fragment.
   */
  url?: string | undefined;
  /** A name by which you recognize the webhook. */
  name?: string | null | undefined;
  /** The types of events to send. The credential needs the scope that reads them. */
  types?: Array<"forecast.completed" | "forecast.failed" | "forecast.outcome" | "receipt.stamped" | "event.resolved" | "screener.matched"> | undefined;
  /** Turns the webhook on or off. */
  enabled?: boolean | undefined;
}

/** The input of deleteWorkspaceWebhook. */
export interface DeleteWorkspaceWebhookInput {
  workspace_id: string;
  webhook_id: string;
}

/** The input of testWorkspaceWebhook. */
export interface TestWorkspaceWebhookInput {
  workspace_id: string;
  webhook_id: string;
}

/** The input of rotateWorkspaceWebhook. */
export interface RotateWorkspaceWebhookInput {
  workspace_id: string;
  webhook_id: string;
}

/** The input of listWorkspaceWebhookDeliveries. */
export interface ListWorkspaceWebhookDeliveriesInput {
  workspace_id: string;
  webhook_id: string;
  limit?: number | undefined;
  cursor?: string | undefined;
}

/** The input of replayWorkspaceWebhookDelivery. */
export interface ReplayWorkspaceWebhookDeliveryInput {
  workspace_id: string;
  webhook_id: string;
  delivery_id: string;
}

export type ReadNotificationsInput = NoInput;

/** The input of updateNotifications. */
export interface UpdateNotificationsInput {
  forecasts?: boolean | undefined;
  outcomes?: boolean | undefined;
}

/** The input of listAccounts. */
export interface ListAccountsInput {
  /** A part of the email address, in any case. */
  q?: string | undefined;
  plan?: "free" | "pro" | "enterprise" | undefined;
  /** `active`: not locked. `unverified`: the email address is not verified. */
  state?: "active" | "locked" | "unverified" | "administrator" | undefined;
  limit?: number | undefined;
  /** `next_cursor` of the page before, with the same criteria. */
  cursor?: string | undefined;
}

/** The input of readAccount. */
export interface ReadAccountInput {
  user_id: string;
}

/** The input of updateAccount. */
export interface UpdateAccountInput {
  user_id: string;
  plan?: "free" | "pro" | "enterprise" | undefined;
  administrator?: boolean | undefined;
  locked?: boolean | undefined;
}

export type ReadServiceStateInput = NoInput;

export type CheckLedgerInput = NoInput;

export interface ChangePasswordData {
  changed: true;
}

export interface RequestVerificationData {
  requested: true;
}

export interface EraseAccountData {
  erased: true;
  removed: {
    /** Workspaces. */
    workspaces: number;
    /** Files. */
    csv_files: number;
    /** Forecasts. */
    forecasts: number;
    /** Event forecasts. */
    events: number;
    /** Screener filters. */
    filters: number;
    /** Feeds. */
    feeds: number;
    /** Webhooks, including those of its workspaces. */
    webhooks: number;
    /** Memberships in workspaces of other accounts. */
    memberships: number;
    /** API keys, including those that were revoked or had expired. */
    api_keys: number;
    /** Browser sessions. */
    sessions: number;
    /** Applications that had access. */
    applications: number;
  };
  /** Queued and running forecasts that were canceled. */
  canceled_forecasts: number;
  /** Public forecasts that stay without an owner. */
  kept_forecasts: number;
  handed_over: {
    /** Forecasts that now belong to the owners of their workspaces. */
    forecasts: number;
    /** Event forecasts that now belong to the owners of their workspaces. */
    events: number;
  };
}

export interface ListApiKeysData {
  api_keys: ApiKey[];
}

export interface RevokeApiKeyData {
  id: string;
  removed: true;
}

export interface CreateSessionData {
  user: {
    id: string;
    email: string;
  };
  expires_at: string;
}

export interface EndSessionData {
  signed_out: true;
}

export interface ListSessionsData {
  sessions: BrowserSession[];
}

export interface EndOtherSessionsData {
  ended: number;
}

export interface EndSessionByIdData {
  id: string;
  ended: true;
}

export interface CreateGuestSessionData {
  guest_id: string;
  expires_at: string;
}

export interface ListApplicationsData {
  applications: ConnectedApplication[];
}

export interface RevokeApplicationData {
  id: string;
  removed: true;
}

export interface ListSecurityEventsData {
  events: SecurityEvent[];
  next_cursor: string | null;
}

export interface ListInvitationsData {
  invitations: Invitation[];
  next_cursor: string | null;
}

export interface AcceptInvitationData {
  invitation_id: string;
  workspace_id: string;
  accepted: true;
}

export interface DeclineInvitationData {
  invitation_id: string;
  workspace_id: string;
  declined: true;
}

export interface SearchSeriesData {
  results: SearchResult[];
  next_cursor: string | null;
  /**
   * Providers whose search failed or did not reply in time, so that some of their series may be missing. Usually
   * empty.
   */
  unavailable: string[];
}

export interface PreviewSeriesData {
  /**
   * Null for a series that is unknown, that has no bundled or stored rows, that needs a value field or a dimension,
   * or that the caller may not read.
   */
  previews: Array<{
    /** Values of the last 250 rows, equally far apart, the oldest first. */
    values: number[];
  } | null>;
}

export interface DescribeSeriesData {
  provider: string;
  title: string;
  frequency: string;
  /** Timeframes in which the bars are available. Present for market data only. */
  timeframes?: string[] | undefined;
  adjustments?: string[] | undefined;
  sessions?: string[] | undefined;
  /** Prices that the provider has. The first is the default. */
  price_sides?: Array<"trade" | "bid" | "ask"> | undefined;
  /** Whether the instrument is still listed. */
  status?: "active" | "delisted" | undefined;
  time_field: "timestamp";
  values: Array<{
    field: string;
    label: string;
    units: string;
  }>;
  dimensions: Array<{
    field: string;
    label: string;
    required: boolean;
    /** Omitted if there are more than 1,000. The response to a wrong value then names the nearest ones. */
    values?: Array<{
      value: string;
      label: string;
    }> | undefined;
  }>;
  /** Units of the first value field. Empty if they are not stated or depend on a dimension. */
  units: string;
  /**
   * The number that the units contain, such as 1000000 for "Millions of EUR". Values are in these units. Null if it
   * is not stated.
   */
  multiplier?: number | null | undefined;
  seasonal_adjustment?: string | null | undefined;
  /** When the provider last changed the series. */
  last_update?: string | null | undefined;
  /** Null if the provider does not state it. */
  span: {
    start: string;
    end: string;
  } | null;
  /**
   * Null if the provider does not state it. Number of rows for each combination of dimension values. Periods
   * without a row are not counted. Rows with a missing value are counted in bundled series, but not in live ones.
   */
  rows: number | null;
  /** `varies`: it depends on a dimension. `other`: rows of this frequency cannot be read. */
  reporting_period: "interval" | "session" | "week" | "month" | "daily" | "month_end" | "quarter_end" | "year_end" | "varies" | "other";
  /** `revised`: values as known today. `point_in_time`: values as they were known at the time. */
  vintage: "revised" | "point_in_time";
  /** Whether rows can be read as they stood on an earlier date: set `vintage` in the source. */
  vintages?: boolean | undefined;
  /** The earliest date for `vintage`. Present only with `vintages`. */
  first_vintage?: string | undefined;
  /**
   * The bytes that reading these rows would take at most, from metadata alone; null if the metadata do not state
   * it. Present for warehouse tables only. A read is refused above 104857600.
   */
  estimated_bytes?: number | null | undefined;
  publisher: string;
  license: {
    name: string;
    url: string | null;
    /** Whether the operator of the service allows data under this license. */
    allowed: boolean;
  };
  notes: string | null;
}

export interface ReadObservationsData {
  provider: string;
  source: MarketSource | EconomicSource | WarehouseSource;
  frequency: string;
  value_field: string;
  units: string;
  snapshot_id: string;
  count: number;
  /** Whether older observations exist beyond the limit. */
  truncated: boolean;
  /** The bytes of the dry run before the read. Present for warehouse tables, unless `snapshot_id` was sent. */
  estimated_bytes?: number | undefined;
  /** What the provider states about these rows. Present for live series only. */
  facts?: SeriesFacts | undefined;
  rows: Array<{
    timestamp: string;
    value: number;
  }>;
}

export interface ListMarketProvidersData {
  providers: MarketProvider[];
}

export interface ReadStockHistoryData {
  /** The provider that supplied the bars. */
  provider: string;
  sourceRequested: string;
  /** Whether a preferred provider failed and another one supplied the bars. */
  fallbackUsed: boolean;
  symbol: string;
  timeframe: string;
  adjustment: "raw" | "split" | "all";
  session: "regular" | "extended";
  price_side: "trade" | "bid" | "ask";
  snapshot_id: string;
  count: number;
  /** Whether there are older bars, which can be read with `next_cursor`. */
  truncated: boolean;
  next_cursor: string | null;
  /** Number of invalid rows from the provider that were left out, by reason. */
  dropped: Record<string, number>;
  rows: Bar[];
}

export interface ListFeedsData {
  feeds: Feed[];
}

export interface DeleteFeedData {
  id: string;
  removed: true;
}

export interface ListForecastsData {
  forecasts: ListedForecast[];
  next_cursor: string | null;
}

export interface ListWorkspaceForecastsData {
  forecasts: Array<SharedForecast | UndisclosedForecast>;
  next_cursor: string | null;
}

export interface DeleteForecastData {
  forecast_id: string;
  removed: boolean;
}

export type CancelForecastData = CanceledForecast | CanceledUndisclosedForecast;

export interface PrepareSaveForecastData {
  forecast_id: string;
  ready_to_sign_in: boolean;
}

export interface SaveForecastData {
  forecast_id: string;
  saved: boolean;
}

export interface PreviewForecastsData {
  previews: Record<string, ForecastPreview>;
}

export interface ListEventsData {
  forecasts: EventForecast[];
  next_cursor: string | null;
}

export interface ListEventRevisionsData {
  revisions: EventRevision[];
  next_cursor: string | null;
}

export interface ReadEventHistoryData {
  entries: EventHistoryEntry[];
  next_cursor: string | null;
}

export interface CreateEventsFromForecastData {
  forecasts: EventForecast[];
}

export interface ListCsvFilesData {
  files: ListedCsvFile[];
  next_cursor: string | null;
  storage: CsvStorage;
}

export interface DeleteCsvFileData {
  id: string;
  removed: true;
}

export interface ListWorkspacesData {
  workspaces: WorkspaceMembership[];
}

export interface DeleteWorkspaceData {
  id: string;
  removed: true;
}

export interface WithdrawTransferData {
  invitation_id: string;
  workspace_id: string;
  removed: true;
}

export interface ListCollaboratorsData {
  collaborators: Collaborator[];
}

export interface RemoveCollaboratorData {
  collaborator_id: string;
  workspace_id: string;
  removed: true;
}

export interface ListScreenerAlertsData {
  alerts: ListedScreenerAlert[];
  mail_delivery: ScreenerMailDelivery;
}

export interface DeleteScreenerAlertData {
  id: string;
  removed: true;
}

export interface PreviewScreenerAlertData {
  /** Null when no session has been evaluated yet. */
  session: string | null;
  total: number;
  matches: Array<{
    symbol: string;
    /**
     * The values of the filter’s fields and, for the operators `crosses_above` and `crosses_below`, those of the
     * previous session as `previous_…`.
     */
    values: Record<string, number | null>;
    /** Up to 30 closes of the symbol, oldest first, ending with the session. */
    recent_closes: number[];
  }>;
  /** Up to 100 symbols of the universe that have no data for the session. */
  missing: string[];
  /**
   * The symbols of the filter that no provider lists, such as misspelled ones. Absent while a provider’s list of
   * symbols is missing.
   */
  unknown_symbols?: string[] | undefined;
}

export interface ListScreenerMatchesData {
  /** Null when no session has been evaluated yet. */
  session: string | null;
  run: ScreenerRun;
  /**
   * Whether the filter was evaluated for this session. False if the filter was created later or the run has not
   * completed.
   */
  evaluated: boolean;
  /** The number of all matches of the session. */
  total: number;
  matches: Array<{
    symbol: string;
    new: boolean;
    /**
     * The values of the filter’s fields and, for the operators `crosses_above` and `crosses_below`, those of the
     * previous session as `previous_…`.
     */
    values: Record<string, number | null>;
    /** Up to 30 closes of the symbol, oldest first, ending with the session. */
    recent_closes: number[];
  }>;
  /** The number of matches that are new, whether or not `new` selects them. */
  new_total: number;
  next_cursor: string | null;
}

export interface ListScreenerSessionsData {
  sessions: ScreenerSession[];
  next_cursor: string | null;
}

export interface ListScreenerFieldsData {
  /** The session date; null when no session has been evaluated yet. */
  session: string | null;
  fields: ScreenerFieldEntry[];
}

export interface ListScreenerMailsData {
  delivery: ScreenerMailDelivery;
  mails: ScreenerMail[];
  next_cursor: string | null;
}

export interface ListWebhooksData {
  webhooks: Webhook[];
}

export interface DeleteWebhookData {
  id: string;
  removed: true;
}

export interface ListWebhookDeliveriesData {
  deliveries: WebhookDelivery[];
  next_cursor: string | null;
}

export interface ListWorkspaceWebhooksData {
  webhooks: Webhook[];
}

export interface DeleteWorkspaceWebhookData {
  id: string;
  removed: true;
}

export interface ListWorkspaceWebhookDeliveriesData {
  deliveries: WebhookDelivery[];
  next_cursor: string | null;
}

export interface ListAccountsData {
  users: AdministeredAccount[];
  next_cursor: string | null;
}

/** The input of each operation by its id. */
export interface Inputs {
  readAccess: ReadAccessInput;
  readUsage: ReadUsageInput;
  changePassword: ChangePasswordInput;
  requestVerification: RequestVerificationInput;
  exportAccount: ExportAccountInput;
  readErasure: ReadErasureInput;
  eraseAccount: EraseAccountInput;
  listApiKeys: ListApiKeysInput;
  createApiKey: CreateApiKeyInput;
  revokeApiKey: RevokeApiKeyInput;
  createSession: CreateSessionInput;
  endSession: EndSessionInput;
  listSessions: ListSessionsInput;
  endOtherSessions: EndOtherSessionsInput;
  endSessionById: EndSessionByIdInput;
  createGuestSession: CreateGuestSessionInput;
  listApplications: ListApplicationsInput;
  revokeApplication: RevokeApplicationInput;
  listSecurityEvents: ListSecurityEventsInput;
  listInvitations: ListInvitationsInput;
  acceptInvitation: AcceptInvitationInput;
  declineInvitation: DeclineInvitationInput;
  searchSeries: SearchSeriesInput;
  previewSeries: PreviewSeriesInput;
  describeSeries: DescribeSeriesInput;
  readObservations: ReadObservationsInput;
  listMarketProviders: ListMarketProvidersInput;
  readStockHistory: ReadStockHistoryInput;
  createFeed: CreateFeedInput;
  listFeeds: ListFeedsInput;
  deleteFeed: DeleteFeedInput;
  readFeed: ReadFeedInput;
  createForecast: CreateForecastInput;
  listForecasts: ListForecastsInput;
  listWorkspaceForecasts: ListWorkspaceForecastsInput;
  readForecast: ReadForecastInput;
  deleteForecast: DeleteForecastInput;
  updateForecast: UpdateForecastInput;
  cancelForecast: CancelForecastInput;
  reproduceForecast: ReproduceForecastInput;
  watchForecast: WatchForecastInput;
  readForecastProof: ReadForecastProofInput;
  listModels: ListModelsInput;
  exportForecast: ExportForecastInput;
  prepareSaveForecast: PrepareSaveForecastInput;
  saveForecast: SaveForecastInput;
  readForecastHistory: ReadForecastHistoryInput;
  previewForecasts: PreviewForecastsInput;
  readTrackRecord: ReadTrackRecordInput;
  estimateForecast: EstimateForecastInput;
  listForecastActions: ListForecastActionsInput;
  readOutcome: ReadOutcomeInput;
  recordOutcome: RecordOutcomeInput;
  listEvents: ListEventsInput;
  createEvent: CreateEventInput;
  readEvent: ReadEventInput;
  listEventActions: ListEventActionsInput;
  readEventResolution: ReadEventResolutionInput;
  listEventRevisions: ListEventRevisionsInput;
  reviseEvent: ReviseEventInput;
  readEventProof: ReadEventProofInput;
  readEventHistory: ReadEventHistoryInput;
  resolveEvent: ResolveEventInput;
  createEventsFromForecast: CreateEventsFromForecastInput;
  previewEventsFromForecast: PreviewEventsFromForecastInput;
  readScoreboard: ReadScoreboardInput;
  listCsvFiles: ListCsvFilesInput;
  uploadCsvFile: UploadCsvFileInput;
  readCsvFile: ReadCsvFileInput;
  deleteCsvFile: DeleteCsvFileInput;
  readCsvSeries: ReadCsvSeriesInput;
  downloadCsvFile: DownloadCsvFileInput;
  listWorkspaces: ListWorkspacesInput;
  createWorkspace: CreateWorkspaceInput;
  readWorkspace: ReadWorkspaceInput;
  renameWorkspace: RenameWorkspaceInput;
  deleteWorkspace: DeleteWorkspaceInput;
  readWorkspaceContents: ReadWorkspaceContentsInput;
  transferWorkspace: TransferWorkspaceInput;
  readTransfer: ReadTransferInput;
  withdrawTransfer: WithdrawTransferInput;
  listCollaborators: ListCollaboratorsInput;
  addCollaborator: AddCollaboratorInput;
  updateCollaborator: UpdateCollaboratorInput;
  removeCollaborator: RemoveCollaboratorInput;
  listScreenerAlerts: ListScreenerAlertsInput;
  createScreenerAlert: CreateScreenerAlertInput;
  readScreenerAlert: ReadScreenerAlertInput;
  updateScreenerAlert: UpdateScreenerAlertInput;
  deleteScreenerAlert: DeleteScreenerAlertInput;
  previewScreenerAlert: PreviewScreenerAlertInput;
  listScreenerMatches: ListScreenerMatchesInput;
  listScreenerSessions: ListScreenerSessionsInput;
  listScreenerFields: ListScreenerFieldsInput;
  listScreenerMails: ListScreenerMailsInput;
  listWebhooks: ListWebhooksInput;
  createWebhook: CreateWebhookInput;
  readWebhook: ReadWebhookInput;
  updateWebhook: UpdateWebhookInput;
  deleteWebhook: DeleteWebhookInput;
  testWebhook: TestWebhookInput;
  rotateWebhook: RotateWebhookInput;
  listWebhookDeliveries: ListWebhookDeliveriesInput;
  replayWebhookDelivery: ReplayWebhookDeliveryInput;
  listWorkspaceWebhooks: ListWorkspaceWebhooksInput;
  createWorkspaceWebhook: CreateWorkspaceWebhookInput;
  readWorkspaceWebhook: ReadWorkspaceWebhookInput;
  updateWorkspaceWebhook: UpdateWorkspaceWebhookInput;
  deleteWorkspaceWebhook: DeleteWorkspaceWebhookInput;
  testWorkspaceWebhook: TestWorkspaceWebhookInput;
  rotateWorkspaceWebhook: RotateWorkspaceWebhookInput;
  listWorkspaceWebhookDeliveries: ListWorkspaceWebhookDeliveriesInput;
  replayWorkspaceWebhookDelivery: ReplayWorkspaceWebhookDeliveryInput;
  readNotifications: ReadNotificationsInput;
  updateNotifications: UpdateNotificationsInput;
  listAccounts: ListAccountsInput;
  readAccount: ReadAccountInput;
  updateAccount: UpdateAccountInput;
  readServiceState: ReadServiceStateInput;
  checkLedger: CheckLedgerInput;
}

/** The data that each operation returns, by its id. */
export interface Data {
  readAccess: AccessRecord;
  readUsage: UsageRecord;
  changePassword: ChangePasswordData;
  requestVerification: RequestVerificationData;
  exportAccount: AlmanacFile;
  readErasure: AccountErasure;
  eraseAccount: EraseAccountData;
  listApiKeys: ListApiKeysData;
  createApiKey: NewApiKey;
  revokeApiKey: RevokeApiKeyData;
  createSession: CreateSessionData;
  endSession: EndSessionData;
  listSessions: ListSessionsData;
  endOtherSessions: EndOtherSessionsData;
  endSessionById: EndSessionByIdData;
  createGuestSession: CreateGuestSessionData;
  listApplications: ListApplicationsData;
  revokeApplication: RevokeApplicationData;
  listSecurityEvents: ListSecurityEventsData;
  listInvitations: ListInvitationsData;
  acceptInvitation: AcceptInvitationData;
  declineInvitation: DeclineInvitationData;
  searchSeries: SearchSeriesData;
  previewSeries: PreviewSeriesData;
  describeSeries: DescribeSeriesData;
  readObservations: ReadObservationsData | AlmanacFile;
  listMarketProviders: ListMarketProvidersData;
  readStockHistory: ReadStockHistoryData | AlmanacFile;
  createFeed: NewFeed;
  listFeeds: ListFeedsData;
  deleteFeed: DeleteFeedData;
  readFeed: AlmanacFile;
  createForecast: QueuedForecast;
  listForecasts: ListForecastsData;
  listWorkspaceForecasts: ListWorkspaceForecastsData;
  readForecast: EnsembleForecast;
  deleteForecast: DeleteForecastData;
  updateForecast: EnsembleForecast;
  cancelForecast: CancelForecastData;
  reproduceForecast: QueuedForecast;
  watchForecast: ForecastEvent;
  readForecastProof: ProofFile;
  listModels: ModelsResponse;
  exportForecast: EnsembleForecast | AlmanacFile;
  prepareSaveForecast: PrepareSaveForecastData;
  saveForecast: SaveForecastData;
  readForecastHistory: ForecastHistory;
  previewForecasts: PreviewForecastsData;
  readTrackRecord: TrackRecord | AlmanacFile;
  estimateForecast: ForecastEstimate;
  listForecastActions: AllowedActions;
  readOutcome: ForecastOutcome | AlmanacFile;
  recordOutcome: ForecastOutcome;
  listEvents: ListEventsData;
  createEvent: EventForecast;
  readEvent: EventForecast;
  listEventActions: AllowedEventActions;
  readEventResolution: EventResolution;
  listEventRevisions: ListEventRevisionsData;
  reviseEvent: EventForecast;
  readEventProof: ProofFile;
  readEventHistory: ReadEventHistoryData;
  resolveEvent: EventResolution;
  createEventsFromForecast: CreateEventsFromForecastData;
  previewEventsFromForecast: EventPreviews;
  readScoreboard: Scoreboard | AlmanacFile;
  listCsvFiles: ListCsvFilesData;
  uploadCsvFile: CsvFile;
  readCsvFile: CsvFilePage;
  deleteCsvFile: DeleteCsvFileData;
  readCsvSeries: CsvSeries;
  downloadCsvFile: AlmanacFile;
  listWorkspaces: ListWorkspacesData;
  createWorkspace: WorkspaceMembership;
  readWorkspace: WorkspaceMembership;
  renameWorkspace: WorkspaceMembership;
  deleteWorkspace: DeleteWorkspaceData;
  readWorkspaceContents: WorkspaceContents;
  transferWorkspace: OfferedWorkspace;
  readTransfer: PendingTransfer;
  withdrawTransfer: WithdrawTransferData;
  listCollaborators: ListCollaboratorsData;
  addCollaborator: Collaborator;
  updateCollaborator: Collaborator;
  removeCollaborator: RemoveCollaboratorData;
  listScreenerAlerts: ListScreenerAlertsData;
  createScreenerAlert: CheckedScreenerAlert;
  readScreenerAlert: CheckedScreenerAlert;
  updateScreenerAlert: CheckedScreenerAlert;
  deleteScreenerAlert: DeleteScreenerAlertData;
  previewScreenerAlert: PreviewScreenerAlertData;
  listScreenerMatches: ListScreenerMatchesData;
  listScreenerSessions: ListScreenerSessionsData;
  listScreenerFields: ListScreenerFieldsData;
  listScreenerMails: ListScreenerMailsData;
  listWebhooks: ListWebhooksData;
  createWebhook: WebhookWithSecret;
  readWebhook: Webhook;
  updateWebhook: Webhook;
  deleteWebhook: DeleteWebhookData;
  testWebhook: WebhookDelivery;
  rotateWebhook: WebhookWithSecret;
  listWebhookDeliveries: ListWebhookDeliveriesData;
  replayWebhookDelivery: WebhookDelivery;
  listWorkspaceWebhooks: ListWorkspaceWebhooksData;
  createWorkspaceWebhook: WebhookWithSecret;
  readWorkspaceWebhook: Webhook;
  updateWorkspaceWebhook: Webhook;
  deleteWorkspaceWebhook: DeleteWorkspaceWebhookData;
  testWorkspaceWebhook: WebhookDelivery;
  rotateWorkspaceWebhook: WebhookWithSecret;
  listWorkspaceWebhookDeliveries: ListWorkspaceWebhookDeliveriesData;
  replayWorkspaceWebhookDelivery: WebhookDelivery;
  readNotifications: Notifications;
  updateNotifications: Notifications;
  listAccounts: ListAccountsData;
  readAccount: AdministeredAccountDetails;
  updateAccount: AdministeredAccountDetails;
  readServiceState: ServiceState;
  checkLedger: LedgerCheck;
}
