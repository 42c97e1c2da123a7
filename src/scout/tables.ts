import type { ColumnType, Selectable } from 'kysely';
import type {
  CheckState,
  EventActor,
  EventStatus,
  RuleOperator,
  SourceReference,
  Visibility,
} from '../contract/index.ts';
import type { DistributionPart } from './distribution/distribution.ts';

/** The row of a series decides. */
export interface ResolutionRule {
  readonly type: 'threshold';
  readonly source: SourceReference;
  readonly op: RuleOperator;
  readonly threshold: number;
  /** The timestamp of that row. */
  readonly observed_at: string;
  readonly settle_days: number;
}

/** How the quantiles of a forecast became a probability. */
export interface Origin {
  readonly forecast_id: string;
  readonly step: number;
  readonly timestamp: string;
  readonly op: RuleOperator;
  readonly threshold: number;
  readonly part: DistributionPart;
  /** What the quantiles alone say. */
  readonly ensemble_probability: number;
  /** How often prices have moved so far in so many steps, within the rows of the forecast. */
  readonly past_share: number | null;
  readonly quantiles: Readonly<Record<string, number>>;
}

export interface Evidence {
  readonly text: string | null;
  readonly observation: { readonly timestamp: string; readonly value: number } | null;
  readonly source: SourceReference | null;
  readonly provider: string | null;
  readonly snapshot_id: string | null;
}

/** Written once. */
type Fixed<Value> = ColumnType<Value, Value, never>;

export interface EventForecastTable {
  id: Fixed<string>;
  slug: Fixed<string>;
  /** What its author asked for, whoever has it: nobody asks for the same twice. Null: nothing was asked for. */
  asked_slug: Fixed<string | null>;
  author_account_id: Fixed<string>;
  workspace_id: Fixed<string | null>;
  visibility: Fixed<Visibility>;
  category: Fixed<string>;
  entity_type: Fixed<string>;
  entity_name: Fixed<string>;
  /** Empty: none. */
  entity_ticker: Fixed<string>;
  question: Fixed<string>;
  resolution_deadline: Fixed<Date>;
  resolution_rule: Fixed<ResolutionRule | null>;
  /** The end of what the question is about, with or without a rule: from then on the outcome is known. */
  observed_until: Fixed<Date | null>;
  /** Until when to read so that the row of that period is the last, whichever provider serves it. */
  read_until: Fixed<Date | null>;
  /** When the value that the rule observes counts as final: not before it is known, and settled. */
  final_at: Fixed<Date | null>;
  model: Fixed<string | null>;
  source_forecast_id: Fixed<string | null>;
  origin: Fixed<Origin | null>;
  created_at: Fixed<Date>;
  /** The number of the latest revision, whose words are repeated here. */
  revision: number;
  probability: number;
  possible_future_headline: string;
  input_cutoff_at: Date;
  revised_at: Date;
  status: EventStatus;
  resolved_at: Date | null;
  resolved_by: EventActor | null;
  actual_outcome: string | null;
  resolution_source: string | null;
  outcome_known_at: Date | null;
  evidence: Evidence | null;
  scored_revision: number | null;
  scored_probability: number | null;
  log_score: number | null;
  brier_score: number | null;
  check_state: CheckState | null;
  check_message: string | null;
  checked_at: Date | null;
  next_check_at: Date | null;
}

/** What was said at one time. Rows are added and never changed. */
export interface EventRevisionTable {
  /** Of the event, with the number in places enough to sort by. */
  id: Fixed<string>;
  event_id: Fixed<string>;
  number: Fixed<number>;
  probability: Fixed<number>;
  possible_future_headline: Fixed<string>;
  input_cutoff_at: Fixed<Date>;
  note: Fixed<string | null>;
  author_account_id: Fixed<string>;
  made_by: Fixed<EventActor>;
  created_at: Fixed<Date>;
}

export type EventAction = 'created' | 'revised' | 'resolved' | 'annulled' | 'checked';

/** What happened to an event forecast. Rows are added and never changed. */
export interface EventAuditTable {
  id: Fixed<string>;
  event_id: Fixed<string>;
  action: Fixed<EventAction>;
  /** Null: the rule. */
  actor_account_id: Fixed<string | null>;
  actor: Fixed<EventActor>;
  details: Fixed<object>;
  created_at: Fixed<Date>;
}

export interface ScoutTables {
  event_forecast: EventForecastTable;
  event_revision: EventRevisionTable;
  event_audit: EventAuditTable;
}

export type EventRow = Selectable<EventForecastTable>;
export type RevisionRow = Selectable<EventRevisionTable>;
