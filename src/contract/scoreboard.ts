import { z } from 'zod';
import { instant } from './fields.ts';
import { EVENT_STATUSES } from './vocabulary.ts';

export const SCOREBOARD_GROUPS = ['category', 'entity', 'model', 'month'] as const;

/** The group for probabilities that no model computed. Model names cannot contain parentheses, so none can equal it. */
export const NO_MODEL_GROUP = '(none)';

/** A 95% interval. */
const Interval = z.strictObject({ low: z.number(), high: z.number() }).meta({ id: 'Interval' });

const CalibrationBin = z
  .strictObject({
    from: z.number(),
    to: z.number(),
    questions: z.int(),
    mean_probability: z.number().nullable(),
    share_yes: z.number().nullable(),
    interval: Interval.nullable().describe('95% Wilson interval of `share_yes`; null if the bin is empty.'),
  })
  .meta({ id: 'CalibrationBin' });

const figure = () => z.number().nullable();
const interval = () => Interval.nullable();

const summary = {
  questions: z.int(),
  resolved_yes: z.int(),
  clusters: z
    .int()
    .describe(
      'Number of clusters of questions. Questions from one forecast form one cluster, because their errors are related; every other question is its own cluster.',
    ),
  draws: z
    .int()
    .describe('Number of bootstrap draws: 1,000, or fewer (at least 200) if there are more than 1,000 clusters.'),
  mean_log_loss: figure(),
  brier: figure(),
  base_rate: figure().describe('The share of these questions that resolved yes.'),
  skill_vs_half: figure(),
  skill_vs_base_rate: figure(),
  brier_skill_vs_base_rate: figure(),
  calibration_error: figure(),
  bins: z.array(CalibrationBin),
  intervals: z
    .strictObject({
      mean_log_loss: interval(),
      brier: interval(),
      base_rate: interval(),
      skill_vs_half: interval(),
      skill_vs_base_rate: interval(),
      brier_skill_vs_base_rate: interval(),
      calibration_error: interval(),
    })
    .describe(
      '95% bootstrap intervals, resampled by cluster. An interval is null if there are fewer than two clusters, or if the figure cannot be computed in enough of the draws.',
    ),
};

const ScoreSummary = z.strictObject(summary).meta({ id: 'ScoreSummary' });
const ScoreGroup = z
  .strictObject({
    group: z.string().describe(`The name of the group; ${NO_MODEL_GROUP} for probabilities that no model computed.`),
    ...summary,
  })
  .meta({ id: 'ScoreGroup' });

const ScoredQuestion = z
  .strictObject({
    forecast_id: z.string(),
    slug: z.string(),
    question: z.string(),
    status: z.enum(EVENT_STATUSES),
    revision: z.int().describe('Number of the scored revision.'),
    probability: z.number().describe('Probability of the scored revision.'),
    log_score: z.number(),
    brier_score: z.number(),
    resolved_at: instant(),
    stamped: z.boolean().describe('Whether the scored revision was stamped before the outcome was known.'),
  })
  .meta({ id: 'ScoredQuestion' });

export const Scoreboard = z
  .strictObject({
    score_definition: z.string(),
    overall: ScoreSummary,
    annulled: z.int().describe('Number of matching questions that have no score because they were annulled.'),
    unscored: z
      .int()
      .describe(
        'Number of matching questions that have no score because no revision was made before the outcome was known.',
      ),
    group_by: z.enum(SCOREBOARD_GROUPS).nullable(),
    groups: z.array(ScoreGroup),
    groups_left_out: z.int().describe('Number of groups that were left out. The smallest groups are left out first.'),
    first_resolved_at: instant().nullable(),
    last_resolved_at: instant().nullable(),
    truncated: z.boolean().describe('Whether older questions were left out. Request a shorter period to include them.'),
    latest: z.array(ScoredQuestion).describe('The scored questions that were resolved last, at most 20.'),
  })
  .meta({ id: 'Scoreboard' });
