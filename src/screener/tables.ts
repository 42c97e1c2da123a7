import {
  SCREENER_FIELDS,
  type SCREENER_RUN_STATES,
  type ScreenerCombination,
  type ScreenerCondition,
  type ScreenerField,
  type ScreenerMailReason,
  type ScreenerMailState,
} from '../contract/index.ts';

export interface ScreenerFilterTable {
  id: string;
  account_id: string;
  name: string;
  /** The symbols of the filter, as the market spells them. Null for all symbols. */
  universe: string[] | null;
  combine: ScreenerCombination;
  conditions: ScreenerCondition[];
  email: boolean;
  created_at: Date;
  updated_at: Date;
}

/** The column of a field at the previous session. */
export type PreviousField = `previous_${ScreenerField}`;

export function previousField(field: ScreenerField): PreviousField {
  return `previous_${field}`;
}

/** The columns of `daily_metrics` that hold metrics. */
export const METRIC_COLUMNS: readonly (ScreenerField | PreviousField)[] = [
  ...SCREENER_FIELDS,
  ...SCREENER_FIELDS.map(previousField),
];

/**
 * The metrics of a symbol at a session and, computed from the same bars, at the session before. Rows stored a day apart
 * may lie on opposite sides of a stock split and would show crossings that never happened.
 */
export interface DailyMetricsTable
  extends Readonly<Record<ScreenerField, number | null>>,
    Readonly<Record<PreviousField, number | null>> {
  /** YYYY-MM-DD, the date at the exchange. */
  session: string;
  symbol: string;
  /**
   * Whether filters with the universe `all` cover the symbol. False for a symbol that only filters list, because it may
   * be another spelling of a listed symbol.
   */
  shared: boolean;
  /** Up to 30 closes, oldest first, ending with this session. */
  recent_closes: number[];
}

export interface ScreenerRunTable {
  session: string;
  /** `missed`: no bar had arrived when the next session closed. */
  state: (typeof SCREENER_RUN_STATES)[number];
  /** The claim of the worker that runs the session. No other worker may claim the session before `claimed_until`. */
  claim: string | null;
  claimed_until: Date | null;
  checked_at: Date;
  completed_at: Date | null;
  /** The number of symbols with metrics. */
  symbols: number | null;
  /** Symbols without a close: those that the run waits for or, after completion, those that it left out. */
  missing: string[];
  /** The providers that served bars. */
  providers: string[];
}

/**
 * The symbols that a filter matched in a session; the list is empty if nothing matched. One row holds all symbols,
 * because a row for each symbol would take most of the time of a run and a hundred times the space.
 */
export interface ScreenerResultTable {
  filter_id: string;
  session: string;
  /** Ordered by code points. */
  symbols: string[];
  /** The symbols that the filter did not match in the previous run. */
  new_symbols: string[];
  /** The columns of `daily_metrics` that the conditions compare, in the order of the conditions. */
  shown: string[];
}

/** A view of `screener_result` with one row per symbol. The values come from `daily_metrics`. */
export interface ScreenerMatchTable {
  filter_id: string;
  session: string;
  symbol: string;
  /** The values that the conditions compared. */
  values: Record<string, number | null>;
  /** Whether the filter did not match the symbol in the previous run. */
  is_new: boolean;
}

/** The email to an account about a session. */
export interface ScreenerMailTable {
  /** Derived from the account and the session, so that planning again gives the same id. */
  id: string;
  account_id: string;
  session: string;
  state: ScreenerMailState;
  reason: ScreenerMailReason | null;
  /** The number of attempts so far, which identifies the latest attempt. */
  attempts: number;
  message_id: string | null;
  created_at: Date;
  updated_at: Date;
  sent_at: Date | null;
}

export interface ScreenerTables {
  screener_filter: ScreenerFilterTable;
  daily_metrics: DailyMetricsTable;
  screener_run: ScreenerRunTable;
  screener_result: ScreenerResultTable;
  screener_match: ScreenerMatchTable;
  screener_mail: ScreenerMailTable;
}
