/** The enumerations of the API. */

export const SCOPES = [
  'account:read',
  'datasets:read',
  'forecasts:read',
  'forecasts:write',
  'workspaces:read',
  'workspaces:write',
  'screener:read',
  'screener:write',
  'events:read',
  'events:write',
  'webhooks:read',
  'webhooks:write',
] as const;
export type Scope = (typeof SCOPES)[number];

export const PLANS = ['free', 'pro', 'enterprise'] as const;
export type Plan = (typeof PLANS)[number];

export const ROLES = ['owner', 'editor', 'viewer'] as const;
export type Role = (typeof ROLES)[number];

/** The roles that a collaborator can be given. A workspace has one owner, and only a transfer changes the owner. */
export const COLLABORATOR_ROLES = ['editor', 'viewer'] as const satisfies readonly Role[];
export type CollaboratorRole = (typeof COLLABORATOR_ROLES)[number];

export const PERMISSIONS = [
  'workspace.read',
  'workspace.update',
  'members.read',
  'members.manage',
  'csv.list',
  'csv.read',
  'csv.download',
  'csv.write',
  'forecast.list',
  'forecast.read',
  'forecast.create',
  'forecast.update',
  'forecast.cancel',
] as const;
export type Permission = (typeof PERMISSIONS)[number];

export const RESOURCE_SCOPE_MODES = ['all', 'selected', 'none'] as const;
export type ResourceScopeMode = (typeof RESOURCE_SCOPE_MODES)[number];

export const SOURCE_TYPES = ['market', 'economic_series', 'warehouse_table'] as const;

/** How an integer column of a warehouse table states times. */
export const TIME_FORMATS = ['year', 'yyyymmdd', 'epoch_s', 'epoch_ms'] as const;
export type TimeFormat = (typeof TIME_FORMATS)[number];

/** The functions that combine the rows of a warehouse table that lie in one period. */
export const AGGREGATE_FUNCTIONS = ['sum', 'mean', 'last', 'count'] as const;
export type AggregateFunction = (typeof AGGREGATE_FUNCTIONS)[number];

const INTERVALS = ['1min', '5min', '15min', '30min', '1h', '4h', '1D', '1W-MON', '1MS'] as const;

/** The periods into which the rows of a warehouse table can be combined. */
export const AGGREGATE_FREQUENCIES = [...INTERVALS, '1ME', '1QE', '1YE'] as const;

/** `provider_a`, `provider_b` and `provider_c` are accepted as aliases for alpaca, massive and dukascopy. */
export const MARKET_SOURCES = [
  'auto',
  'alpaca',
  'massive',
  'dukascopy',
  'bundled',
  'provider_a',
  'provider_b',
  'provider_c',
] as const;
export type MarketSourceName = (typeof MARKET_SOURCES)[number];

export const TIMEFRAME_SPELLINGS = [
  ...INTERVALS,
  '1Min',
  '5Min',
  '15Min',
  '30Min',
  '1Hour',
  '4Hour',
  '1Day',
  '1Week',
  '1Month',
  '1m',
  '5m',
  '15m',
  '30m',
  '1w',
] as const;
export type TimeframeSpelling = (typeof TIMEFRAME_SPELLINGS)[number];

export const ADJUSTMENTS = ['raw', 'split', 'all'] as const;
export type Adjustment = (typeof ADJUSTMENTS)[number];

export const SESSIONS = ['regular', 'extended'] as const;
export type Session = (typeof SESSIONS)[number];

export const PRICE_SIDES = ['bid', 'ask'] as const;
export type PriceSide = (typeof PRICE_SIDES)[number];

/** The prices of bars: those of trades, or the bids or asks of a market maker. */
export const QUOTE_SIDES = ['trade', ...PRICE_SIDES] as const;
export type QuoteSide = (typeof QUOTE_SIDES)[number];

/** Whether an instrument is still listed. */
export const LISTING_STATUSES = ['active', 'delisted'] as const;
export type ListingStatus = (typeof LISTING_STATUSES)[number];

export const HISTORY_LIMITS = [500, 1000, 1500, 2000, 50_000] as const;
export type HistoryLimit = (typeof HISTORY_LIMITS)[number];

export const EXPORT_FORMATS = ['json', 'csv'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

export const FORECAST_STATUSES = ['queued', 'running', 'completed', 'failed'] as const;
export type ForecastStatus = (typeof FORECAST_STATUSES)[number];

/** What a caller can do with a forecast besides reading it. The policy has an action of each name. */
export const FORECAST_ACTIONS = ['update', 'cancel', 'delete', 'reproduce'] as const;
export type ForecastActionName = (typeof FORECAST_ACTIONS)[number];

/** What lists of forecasts can be sorted by. */
export const FORECAST_SORTS = ['created_at', 'finished_at', 'name', 'horizon', 'score'] as const;
export type ForecastSort = (typeof FORECAST_SORTS)[number];

export const SORT_DIRECTIONS = ['asc', 'desc'] as const;
export type SortDirection = (typeof SORT_DIRECTIONS)[number];

/**
 * How far the outcome of a forecast is known: no row yet, some rows, all rows that will come, or none because the rows
 * cannot be read.
 */
export const OUTCOME_STATUSES = ['waiting', 'partial', 'complete', 'unavailable'] as const;
export type OutcomeStatus = (typeof OUTCOME_STATUSES)[number];

/** The statuses of an event forecast. */
export const EVENT_STATUSES = ['pending', 'resolved_yes', 'resolved_no', 'annulled'] as const;
export type EventStatus = (typeof EVENT_STATUSES)[number];

/** The orders of a list of event forecasts. */
export const EVENT_SORTS = ['newest', 'deadline'] as const;
export type EventSort = (typeof EVENT_SORTS)[number];

/** What a caller can do with an event forecast besides reading it. */
export const EVENT_ACTIONS = ['revise', 'resolve'] as const;
export type EventActionName = (typeof EVENT_ACTIONS)[number];

/** How a resolution rule compares an observation with its threshold. */
export const RULE_OPERATORS = ['gt', 'gte', 'lt', 'lte'] as const;
export type RuleOperator = (typeof RULE_OPERATORS)[number];

/**
 * Why an event with a resolution rule is still pending: it is too early, the row is missing, the provider failed, or the
 * creator may no longer read the source.
 */
export const CHECK_STATES = ['waiting', 'missing', 'provider_failed', 'denied'] as const;
export type CheckState = (typeof CHECK_STATES)[number];

/** The capacity in which a caller, or a rule, created, revised or resolved an event forecast. */
export const EVENT_ACTORS = ['author', 'member', 'administrator', 'rule'] as const;
export type EventActor = (typeof EVENT_ACTORS)[number];

export const VISIBILITIES = ['private', 'workspace', 'public'] as const;
export type Visibility = (typeof VISIBILITIES)[number];

/** The types of events that a webhook can choose. */
export const WEBHOOK_EVENT_TYPES = [
  'forecast.completed',
  'forecast.failed',
  'forecast.outcome',
  'receipt.stamped',
  'event.resolved',
  'screener.matched',
] as const;
export type WebhookEventType = (typeof WEBHOOK_EVENT_TYPES)[number];
