import type {
  ScreenerCombination,
  ScreenerCondition,
  ScreenerField,
  ScreenerMailReason,
  ScreenerMailState,
} from '../contract/index.ts';

export interface ScreenerFilterTable {
  id: string;
  account_id: string;
  name: string;
  /** The symbols it looks at, in the market's spelling; null: all. */
  universe: string[] | null;
  combine: ScreenerCombination;
  conditions: ScreenerCondition[];
  email: boolean;
  created_at: Date;
  updated_at: Date;
}

/** A field as it was one session earlier. */
export type PreviousField = `previous_${ScreenerField}`;

/**
 * The numbers of a symbol at a session and, read from the same bars, at the session before: rows that were stored a day
 * apart may lie on two sides of a split, and what crosses there never crossed.
 */
export interface DailyMetricsTable
  extends Readonly<Record<ScreenerField, number | null>>,
    Readonly<Record<PreviousField, number | null>> {
  /** YYYY-MM-DD, the exchange's date. */
  session: string;
  symbol: string;
  /** Whether filters on all symbols look at it. Not what nothing but somebody's list names: it may be a second spelling. */
  shared: boolean;
  /** The last closes, oldest first, this session's included: at most 30. */
  recent_closes: number[];
}

export const RUN_STATES = ['waiting', 'running', 'completed', 'missed'] as const;
export type RunState = (typeof RUN_STATES)[number];

export interface ScreenerRunTable {
  session: string;
  /** `missed`: no bar of it had come when the next session closed. */
  state: RunState;
  /** Who works on it, and until when nobody else may. */
  claim: string | null;
  claimed_until: Date | null;
  checked_at: Date;
  completed_at: Date | null;
  /** How many symbols were looked at. */
  symbols: number | null;
  /** While it waits: whose close has not come. Once it is completed: who was left out. */
  missing: string[];
  /** Who served the bars. */
  providers: string[];
}

/**
 * What a filter matched at a session; a row without symbols says that it was evaluated and matched nothing. One row for
 * all symbols: a row for each would take most of a run's time, and a hundred times the space.
 */
export interface ScreenerResultTable {
  filter_id: string;
  session: string;
  /** In the order of their code points. */
  symbols: string[];
  /** Those of them that the filter did not match in the run before. */
  new_symbols: string[];
  /** The columns of the session's metrics that the filter looked at, in its order; `previous_…` of what had to cross. */
  shown: string[];
}

/** A view: the results unfolded, a row for each symbol. The values are those of the session's metrics. */
export interface ScreenerMatchTable {
  filter_id: string;
  session: string;
  symbol: string;
  /** What the filter looked at, as it matched. */
  values: Record<string, number | null>;
  /** Whether the filter did not match the symbol in the run before. */
  is_new: boolean;
}

/** The one mail of an account and a session. */
export interface ScreenerMailTable {
  /** Made from the two: the same mail has the same name, whoever makes it. */
  id: string;
  account_id: string;
  session: string;
  state: ScreenerMailState;
  reason: ScreenerMailReason | null;
  /** How often somebody has begun to send it. Tells attempts apart. */
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
