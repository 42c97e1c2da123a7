import type { ColumnType, Selectable } from 'kysely';
import type {
  CheckState,
  EventActor,
  EventStatus,
  RuleOperator,
  SourceReference,
  Visibility,
} from '../contract/index.ts';
import type { PROOF_HASH } from '../provenance/index.ts';
import type { DistributionPart } from './distribution/distribution.ts';

/** A rule that is decided by one row of a series. */
export interface ResolutionRule {
  readonly type: 'threshold';
  readonly source: SourceReference;
  readonly op: RuleOperator;
  readonly threshold: number;
  /** The timestamp of the row. */
  readonly observed_at: string;
  readonly settle_days: number;
}

/** How a probability was computed from a forecast. */
export interface Origin {
  readonly forecast_id: string;
  readonly step: number;
  readonly timestamp: string;
  readonly op: RuleOperator;
  readonly threshold: number;
  readonly part: DistributionPart;
  /** The probability according to the quantiles alone. */
  readonly ensemble_probability: number;
  /**
   * The share of windows within the rows of the forecast in which the price moved far enough to reach the threshold;
   * null if it was not used.
   */
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

/** A column that is never updated. */
type Fixed<Value> = ColumnType<Value, Value, never>;

export interface EventForecastTable {
  id: Fixed<string>;
  slug: Fixed<string>;
  /** The slug that the author requested, without random characters at its end. Unique per author. */
  asked_slug: Fixed<string | null>;
  author_account_id: Fixed<string>;
  workspace_id: Fixed<string | null>;
  visibility: Fixed<Visibility>;
  category: Fixed<string>;
  entity_type: Fixed<string>;
  entity_name: Fixed<string>;
  /** Empty if there is none. */
  entity_ticker: Fixed<string>;
  question: Fixed<string>;
  resolution_deadline: Fixed<Date>;
  resolution_rule: Fixed<ResolutionRule | null>;
  /**
   * When the outcome becomes known: at the end of the observed period. Also set for questions from a forecast that have
   * no rule.
   */
  observed_until: Fixed<Date | null>;
  /** The cutoff for reading rows. With it, the observed row is the last one that any provider returns. */
  read_until: Fixed<Date | null>;
  /** When the observed value counts as final: the end of the period plus the days to settle. */
  final_at: Fixed<Date | null>;
  model: Fixed<string | null>;
  source_forecast_id: Fixed<string | null>;
  origin: Fixed<Origin | null>;
  created_at: Fixed<Date>;
  /** The number of the latest revision. The columns below repeat that revision. */
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

/** A column that is set once: with the row, or later if the row is older than proofs are. */
type SetOnce<Value> = ColumnType<Value | null, Value | null, Value>;

/** The revisions of events. Rows are added and never changed, except that older rows can get a proof. */
export interface EventRevisionTable {
  /** The id of the event followed by the zero-padded number, so that ids sort by number. */
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
  /** The id of the proof. Null, like the two columns below, if the revision is older than proofs are. */
  content_cid: SetOnce<string>;
  proof_hash: SetOnce<typeof PROOF_HASH>;
  proof_salt: SetOnce<string>;
}

export type EventAction = 'created' | 'revised' | 'resolved' | 'annulled' | 'checked';

/** The history of events. Rows are added and never changed. */
export interface EventAuditTable {
  id: Fixed<string>;
  event_id: Fixed<string>;
  action: Fixed<EventAction>;
  /** Null if the actor is the rule. */
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
