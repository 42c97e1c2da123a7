import { z } from 'zod';
import { instant } from './fields.ts';
import { TimestampReceipt } from './forecast-result.ts';
import { ReadableSource } from './sources.ts';
import {
  CHECK_STATES,
  EVENT_ACTIONS,
  EVENT_ACTORS,
  EVENT_STATUSES,
  RULE_OPERATORS,
  VISIBILITIES,
} from './vocabulary.ts';

const DISTRIBUTION_PARTS = ['interior', 'lower_tail', 'upper_tail'] as const;

const Entity = z
  .strictObject({
    type: z.string(),
    name: z.string(),
    ticker: z.string().describe('Empty if the entity has no ticker.'),
  })
  .meta({ id: 'EventEntity' });

const ResolutionRule = z
  .strictObject({
    type: z.literal('threshold'),
    source: ReadableSource,
    op: z.enum(RULE_OPERATORS),
    threshold: z.number(),
    observed_at: instant().describe('The timestamp of the row that decides the question.'),
    settle_days: z.int().describe('Number of days from the end of the period until its value is final.'),
  })
  .meta({ id: 'ResolutionRule' });

/** The ensemble forecast from which the first probability was derived, and how it was derived. */
const SourceForecast = z
  .strictObject({
    forecast_id: z.string(),
    step: z.int(),
    timestamp: instant(),
    op: z.enum(RULE_OPERATORS),
    threshold: z.number(),
    part: z
      .enum(DISTRIBUTION_PARTS)
      .describe(
        'Whether the threshold lies between the outermost quantiles (`interior`) or beyond them, in a tail that is assumed to be normal.',
      ),
    ensemble_probability: z.number().describe('The probability derived from the quantiles alone.'),
    past_share: z
      .number()
      .nullable()
      .describe(
        'For prices: of all changes over the same number of steps in the rows of the forecast, the share that would have met the condition. The probability is then the mean of this share and `ensemble_probability`. Null if only the quantiles are used.',
      ),
    quantiles: z.record(z.string(), z.number()),
  })
  .meta({ id: 'SourceForecast' });

const Check = z
  .strictObject({
    state: z.enum(CHECK_STATES),
    message: z.string(),
    checked_at: instant().nullable(),
    next_check_at: instant().nullable(),
  })
  .meta({ id: 'ResolutionCheck' });

/** The score of a resolved question. */
const EventScore = z
  .strictObject({
    revision: z.int().describe('Number of the scored revision.'),
    probability: z.number().describe('Probability of the scored revision.'),
    log_score: z.number(),
    brier_score: z.number(),
  })
  .meta({ id: 'EventScore' });

export const EventForecast = z
  .strictObject({
    forecast_id: z.string(),
    slug: z.string(),
    category: z.string(),
    entity: Entity,
    question: z.string(),
    possible_future_headline: z.string(),
    probability: z.number(),
    status: z.enum(EVENT_STATUSES),
    revision: z.int().describe('Number of the current revision, counted from 1.'),
    created_at: instant(),
    revised_at: instant(),
    input_cutoff_at: instant(),
    resolution_deadline: instant(),
    visibility: z.enum(VISIBILITIES),
    workspace_id: z.string().nullable(),
    is_own: z.boolean().describe('Whether the caller created the event forecast.'),
    model: z.string().nullable().describe('The model that computed the first probability; null if no model did.'),
    resolution_rule: ResolutionRule.nullable(),
    source_forecast: SourceForecast.nullable(),
    check: Check.nullable().describe(
      'The latest check of the resolution rule; null if the question has no rule or is not pending.',
    ),
    stamped: z
      .boolean()
      .describe(
        'Whether the probability that counts is proven by a stamp. While the question is pending: whether the current revision is stamped. Afterwards: whether the scored revision, or the first one if none is scored, was stamped before the outcome was known.',
      ),
    resolved_at: instant().nullable(),
    score: EventScore.nullable().describe('Null if the question is pending, annulled or has no score.'),
  })
  .meta({ id: 'EventForecast' });

const Evidence = z
  .strictObject({
    text: z.string().nullable(),
    observation: z.strictObject({ timestamp: instant(), value: z.number() }).nullable(),
    source: ReadableSource.nullable().describe('The resolved source.'),
    provider: z.string().nullable(),
    snapshot_id: z.string().nullable().describe('The snapshot of the rows up to the observation.'),
  })
  .meta({ id: 'ResolutionEvidence' });

export const EventResolution = z
  .strictObject({
    forecast_id: z.string(),
    slug: z.string(),
    status: z.enum(EVENT_STATUSES),
    actual_outcome: z.string(),
    resolved_at: instant(),
    resolved_by: z.enum(EVENT_ACTORS),
    outcome_known_at: instant()
      .nullable()
      .describe('Only a revision made before this instant can be scored. If null, any revision can be scored.'),
    log_score: z
      .number()
      .nullable()
      .optional()
      .describe('Absent for an annulled question; null if no revision was made before the outcome was known.'),
    brier_score: z.number().nullable(),
    score_definition: z.string(),
    score_note: z.string().nullable().describe('Why the question has no score; null if it has one.'),
    revision: z.int().nullable().describe('Number of the scored revision.'),
    probability: z.number().nullable().describe('Probability of the scored revision.'),
    resolution_source: z.string(),
    resolution_rule: ResolutionRule.nullable(),
    evidence: Evidence.nullable(),
  })
  .meta({ id: 'EventResolution' });

export const EventRevision = z
  .strictObject({
    revision: z.int(),
    probability: z.number(),
    possible_future_headline: z.string(),
    input_cutoff_at: instant(),
    note: z.string().nullable(),
    by: z.enum(EVENT_ACTORS),
    created_at: instant(),
    provenance: TimestampReceipt.nullable().describe(
      'The receipt of the proof of this revision; null if the revision was made before revisions had proofs.',
    ),
  })
  .meta({ id: 'EventRevision' });

export const AllowedEventActions = z
  .strictObject({
    forecast_id: z.string(),
    is_own: z.boolean().describe('Whether the caller created the event forecast.'),
    actions: z.array(z.enum(EVENT_ACTIONS)),
    revisable_until: instant().describe(
      'The earlier of the deadline and the end of the period that decides the question. No revision is accepted from then on.',
    ),
  })
  .meta({ id: 'AllowedEventActions' });

/** A question that could be created from a forecast. */
const EventPreview = z
  .strictObject({
    step: z.int(),
    timestamp: instant(),
    op: z.enum(RULE_OPERATORS),
    threshold: z.number(),
    probability: z.number(),
    ensemble_probability: z.number(),
    past_share: z.number().nullable(),
    part: z.enum(DISTRIBUTION_PARTS),
    question: z.string(),
    possible_future_headline: z.string(),
    resolution_deadline: instant(),
    has_rule: z.boolean().describe('Whether the question would resolve automatically. Otherwise a person resolves it.'),
  })
  .meta({ id: 'EventPreview' });

export const EventPreviews = z
  .strictObject({
    forecast_id: z.string(),
    last_value: z.number().describe('The last observed value of the series, to which `changes_pct` apply.'),
    questions: z.array(EventPreview),
  })
  .meta({ id: 'EventPreviews' });

export const EventHistoryEntry = z
  .strictObject({
    at: instant(),
    action: z.enum(['created', 'revised', 'resolved', 'annulled', 'checked']),
    by: z.enum(EVENT_ACTORS),
    details: z.record(z.string(), z.unknown()),
  })
  .meta({ id: 'EventHistoryEntry' });
