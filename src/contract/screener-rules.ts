import { z } from 'zod';
import { SCREENER_FIELDS, SCREENER_OPS } from './screener-fields.ts';

/** Limits of one filter. */
export const MAX_SCREENER_SYMBOLS = 500;
export const MAX_SCREENER_CONDITIONS = 20;

/** A symbol. Surrounding blanks are removed and letters are converted to upper case. */
const symbol = z
  .string()
  .trim()
  .min(1)
  .max(32)
  // Checked before the conversion to upper case, which turns some invalid letters into valid ones.
  .regex(/^[A-Za-z0-9.^$=/:_-]*$/, { error: 'must be a symbol such as AAPL, BRK.B or ^GSPC' })
  .toUpperCase();

const universe = z
  .union([z.literal('all'), z.array(symbol).min(1).max(MAX_SCREENER_SYMBOLS).superRefine(refuseRepeated)], {
    error: 'must be "all" or a list of symbols',
  })
  .describe('`all`, or a list of symbols.');

const value = z
  .union([z.number(), z.array(z.number()).length(2)], { error: 'must be a number, or [low, high] for between' })
  .describe('A number, or a pair [low, high] for `between`.');

const Condition = z
  .strictObject({
    field: z.enum(SCREENER_FIELDS),
    op: z.enum(SCREENER_OPS),
    value: value.optional(),
    other_field: z
      .enum(SCREENER_FIELDS)
      .optional()
      .describe('A field of the same symbol to compare with, instead of `value`. Not allowed with `between` or `eq`.'),
  })
  .superRefine(checkCondition)
  .meta({ id: 'ScreenerCondition' });

const conditions = z.array(Condition).min(1).max(MAX_SCREENER_CONDITIONS).superRefine(refuseRepeated);

/** The universe and the conditions of a filter. Exactly one of `all` and `any` is given. */
export const screenerRules = {
  universe,
  all: conditions.optional().describe('A symbol matches when it meets every condition. Send either `all` or `any`.'),
  any: conditions.optional().describe('A symbol matches when it meets at least one condition.'),
};

type Combined = { readonly all?: unknown; readonly any?: unknown };

/** Returns whether a body that needs conditions has exactly one list of them. */
export function hasOneCombination({ all, any }: Combined): boolean {
  return (all === undefined) !== (any === undefined);
}
export const ONE_COMBINATION_RULE = { error: 'must contain either all or any, with a list of conditions' };

/** Returns whether a body that may leave the conditions unchanged has at most one list of them. */
export function hasAtMostOneCombination({ all, any }: Combined): boolean {
  return all === undefined || any === undefined;
}
export const AT_MOST_ONE_COMBINATION_RULE = { error: 'must not contain both all and any' };

type Context = z.core.$RefinementCtx;

function checkCondition(condition: ConditionFields, context: Context): void {
  const problem = findConditionProblem(condition);
  if (problem) context.addIssue({ code: 'custom', path: [problem[0]], message: problem[1] });
}

type ConditionFields = {
  field: string;
  op: string;
  value?: number | number[] | undefined;
  other_field?: string | undefined;
};

function findConditionProblem(condition: ConditionFields): [path: string, message: string] | null {
  const { field, op, value, other_field: otherField } = condition;
  if (op === 'between') {
    if (otherField !== undefined) return ['other_field', 'cannot be used with between, which needs a value'];
    if (!Array.isArray(value)) return ['value', 'must be [low, high] for between'];
    const [low = 0, high = 0] = value;
    return low <= high ? null : ['value', 'must have the lower number first'];
  }
  if (Array.isArray(value)) return ['value', `must be one number for ${op}`];
  if (op === 'eq' && otherField !== undefined) return ['other_field', 'cannot be used with eq, which needs a value'];
  if (value === undefined && otherField === undefined) return ['value', 'is required unless other_field is given'];
  if (value !== undefined && otherField !== undefined) return ['other_field', 'cannot be combined with value'];
  return otherField === field ? ['other_field', 'must differ from field'] : null;
}

/** Adds an issue for each item that is equal to an earlier one. */
function refuseRepeated(list: readonly unknown[], context: Context): void {
  const seen = new Map<string, number>();
  for (const [index, item] of list.entries()) {
    const text = JSON.stringify(item);
    const first = seen.get(text);
    if (first === undefined) seen.set(text, index);
    else context.addIssue({ code: 'custom', path: [index], message: `is the same as [${first}]` });
  }
}
