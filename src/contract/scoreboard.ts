import { z } from 'zod';
import { instant } from './fields.ts';

export const SCOREBOARD_GROUPS = ['category', 'entity', 'model', 'month'] as const;

/** Stands for a model where none made the scored probability. No model can have this name: it has parentheses. */
export const NO_MODEL = '(none)';

/** Of 95 %. */
const Interval = z.strictObject({ low: z.number(), high: z.number() }).meta({ id: 'Interval' });

const CalibrationBin = z
  .strictObject({
    from: z.number(),
    to: z.number(),
    questions: z.int(),
    mean_probability: z.number().nullable(),
    share_yes: z.number().nullable(),
    interval: Interval.nullable().describe('Of the share of yes, by Wilson.'),
  })
  .meta({ id: 'CalibrationBin' });

const figure = () => z.number().nullable();
const interval = () => Interval.nullable();

const summary = {
  questions: z.int(),
  resolved_yes: z.int(),
  clusters: z.int().describe('Questions of one forecast are one: they err together.'),
  draws: z.int().describe('Of the bootstrap: 1,000, and fewer where there are very many clusters.'),
  mean_log_loss: figure(),
  brier: figure(),
  base_rate: figure().describe('The share of yes among these questions, which is known only afterwards.'),
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
      'Bootstrap intervals of 95 %, clusters drawn whole; null with fewer than two clusters, and where too few draws had the figure.',
    ),
};

const ScoreSummary = z.strictObject(summary).meta({ id: 'ScoreSummary' });
const ScoreGroup = z
  .strictObject({
    group: z.string().describe(`By model, ${NO_MODEL} where none made the scored probability.`),
    ...summary,
  })
  .meta({ id: 'ScoreGroup' });

export const Scoreboard = z
  .strictObject({
    score_definition: z.string(),
    overall: ScoreSummary,
    annulled: z.int().describe('Questions that match too and have no score, because they were annulled.'),
    unscored: z.int().describe('The same, because nothing was said before the outcome was known.'),
    group_by: z.enum(SCOREBOARD_GROUPS).nullable(),
    groups: z.array(ScoreGroup),
    groups_left_out: z.int().describe('The smallest, where there are too many.'),
    first_resolved_at: instant().nullable(),
    last_resolved_at: instant().nullable(),
    truncated: z.boolean().describe('Older questions are left out. Ask for a shorter time.'),
  })
  .meta({ id: 'Scoreboard' });
