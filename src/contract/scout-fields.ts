import { z } from 'zod';
import { identifier, timestamp } from './fields.ts';
import { findNameProblem } from './names.ts';
import { ReadableSource } from './sources.ts';
import { RULE_OPERATORS, VISIBILITIES } from './vocabulary.ts';

/** Larger thresholds are refused, because doubles of that size cannot represent decimals precisely. */
const MAX_THRESHOLD = 1e15;

/** Returns the schema of a one-line text. */
const line = (limits: { readonly min?: number; readonly max: number }) =>
  z
    .string()
    .trim()
    .min(limits.min ?? 1)
    .max(limits.max)
    .refine((text) => text === '' || findNameProblem(text) === null, {
      error: ({ input }) => findNameProblem(String(input)) ?? '',
    });

/** Returns the schema of a string of one or more lines. */
const prose = (limits: { readonly max: number }) =>
  z
    .string()
    .trim()
    .min(1)
    .max(limits.max)
    .refine((text) => text === '' || findProseProblem(text) === null, {
      error: ({ input }) => findProseProblem(String(input)) ?? '',
    });

function findProseProblem(text: string): string | null {
  return findNameProblem(text.replace(/[\t\r\n]/g, ' '))?.replace('be one line without', 'not contain') ?? null;
}

const word = () =>
  z
    .string()
    .regex(/^[a-z0-9_-]{1,40}$/, { error: 'must be 1 to 40 lower-case letters, digits, dashes and underscores' });

export const category = word;
export const probability = () => z.number().min(0).max(1);
export const threshold = () => z.number().min(-MAX_THRESHOLD).max(MAX_THRESHOLD);
export const operator = () => z.enum(RULE_OPERATORS);

/** The company, person or other entity that a question is about. */
export const EntityChoice = z.strictObject({
  type: word(),
  name: line({ max: 200 }),
  ticker: line({ min: 0, max: 32 }).optional().describe('Omit it or leave it empty if the entity has no ticker.'),
});

/** A rule that resolves a question by comparing the value of one row of a series with a threshold. */
export const ResolutionRuleChoice = z
  .strictObject({
    type: z.literal('threshold'),
    source: ReadableSource,
    op: operator(),
    threshold: threshold(),
    observed_at: timestamp().describe('The value of the period that contains this instant decides the question.'),
    settle_days: z
      .int()
      .min(0)
      .max(365)
      .default(0)
      .describe('Number of days from the end of that period until its value is final.'),
  })
  .meta({ id: 'ResolutionRuleChoice' });

const sharing = {
  workspace_id: identifier().optional(),
  visibility: z
    .enum(VISIBILITIES)
    .optional()
    .describe('Default: `workspace` if `workspace_id` is given, otherwise `private`.'),
};

const MODEL_RULE =
  'must be 1 to 60 lower-case letters, digits, dots, dashes and underscores, and must not begin with almanac';

export const EventRequestBody = z.strictObject({
  category: category(),
  entity: EntityChoice,
  question: line({ min: 10, max: 500 }),
  possible_future_headline: line({ max: 300 }),
  probability: probability(),
  input_cutoff_at: timestamp().describe(
    'The probability uses only information known by this instant. The instant must not be in the future.',
  ),
  resolution_deadline: timestamp(),
  slug: z
    .string()
    .regex(/^[a-z0-9][a-z0-9-]{1,78}[a-z0-9]$/, {
      error: 'must be 3 to 80 lower-case letters, digits and dashes, without a dash at either end',
    })
    .optional(),
  model: z
    .string()
    .regex(/^[a-z0-9][a-z0-9._-]{0,59}$/, { error: MODEL_RULE })
    .refine((name) => !name.startsWith('almanac'), { error: MODEL_RULE })
    .optional()
    .describe('The model that computed the probability. Omit it if no model did.'),
  resolution_rule: ResolutionRuleChoice.optional(),
  ...sharing,
});

export const RevisionRequestBody = z.strictObject({
  probability: probability(),
  possible_future_headline: line({ max: 300 }).optional().describe('Default: unchanged.'),
  input_cutoff_at: timestamp(),
  note: prose({ max: 1_000 }).optional(),
});

export const ResolveRequestBody = z.strictObject({
  outcome: z.enum(['yes', 'no', 'annulled']),
  actual_outcome: prose({ max: 1_000 }),
  resolution_source: prose({ max: 500 }),
  outcome_known_at: timestamp()
    .optional()
    .describe('Revisions made at or after this instant are not scored. The instant must not be in the future.'),
  evidence: z
    .strictObject({
      text: prose({ max: 5_000 }),
      observation: z.strictObject({ timestamp: timestamp(), value: threshold() }).optional(),
    })
    .optional(),
});

/** Maximum number of revisions of an event. */
export const MAX_REVISIONS = 1_000;

/** Maximum number of questions that one request can create. */
export const MAX_QUESTIONS = 100;

export const FromForecastBody = z.strictObject({
  forecast_id: identifier().describe('Id or slug of a completed ensemble forecast.'),
  thresholds: z.array(threshold()).min(1).max(MAX_QUESTIONS).optional(),
  changes_pct: z
    .array(z.number().min(-99.99).max(10_000))
    .min(1)
    .max(MAX_QUESTIONS)
    .optional()
    .describe('Thresholds as percentage changes from the last observed value.'),
  steps: z
    .array(z.int().min(1).max(365))
    .min(1)
    .max(MAX_QUESTIONS)
    .optional()
    .describe('Steps of the forecast, counted from 1. Default: the last step.'),
  op: operator().default('gt'),
  category: category().optional(),
  entity: EntityChoice.optional(),
  ...sharing,
});
