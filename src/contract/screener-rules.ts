import { z } from 'zod';
import { SCREENER_FIELDS, SCREENER_OPS } from './screener-fields.ts';

/** Of one filter. */
export const MAX_SCREENER_SYMBOLS = 500;
export const MAX_SCREENER_CONDITIONS = 20;

/** As the market writes them. Blanks around one, and small letters, are put right. */
const symbol = z
  .string()
  .trim()
  .min(1)
  .max(32)
  // Before capitals are made: those of some letters that are none of a symbol's are.
  .regex(/^[A-Za-z0-9.^$=/:_-]*$/, { error: 'must be a symbol such as AAPL, BRK.B or ^GSPC' })
  .toUpperCase();

const universe = z
  .union([z.literal('all'), z.array(symbol).min(1).max(MAX_SCREENER_SYMBOLS).superRefine(refuseRepeated)], {
    error: 'must be "all" or a list of symbols',
  })
  .describe('`all`, or the symbols to look at.');

const value = z
  .union([z.number(), z.array(z.number()).length(2)], { error: 'must be a number, or [low, high] with between' })
  .describe('A number; with `between` two of them, low and high.');

const Condition = z
  .strictObject({
    field: z.enum(SCREENER_FIELDS),
    op: z.enum(SCREENER_OPS),
    value: value.optional(),
    other_field: z
      .enum(SCREENER_FIELDS)
      .optional()
      .describe('Instead of a value: another field of the same symbol. Not with `between` and `eq`.'),
  })
  .superRefine(checkCondition)
  .meta({ id: 'ScreenerCondition' });

const conditions = z.array(Condition).min(1).max(MAX_SCREENER_CONDITIONS).superRefine(refuseRepeated);

/** What a filter asks, without its name: exactly one of `all` and `any`. */
export const screenerRules = {
  universe,
  all: conditions.optional().describe('A symbol matches that meets every one. Either this or `any`.'),
  any: conditions.optional().describe('A symbol matches that meets at least one.'),
};

type Combined = { readonly all?: unknown; readonly any?: unknown };

/** For bodies that must have conditions. */
export function needsOneCombination({ all, any }: Combined): boolean {
  return (all === undefined) !== (any === undefined);
}
export const ONE_COMBINATION = { error: 'must have either all or any, a list of conditions' };

/** For bodies that may leave them as they are. */
export function hasNotBoth({ all, any }: Combined): boolean {
  return all === undefined || any === undefined;
}
export const NOT_BOTH = { error: 'must not have both all and any' };

type Context = z.core.$RefinementCtx;

function checkCondition(condition: Given, context: Context): void {
  const problem = conditionProblem(condition);
  if (problem) context.addIssue({ code: 'custom', path: [problem[0]], message: problem[1] });
}

type Given = { field: string; op: string; value?: number | number[] | undefined; other_field?: string | undefined };

function conditionProblem({
  field,
  op,
  value: given,
  other_field: other,
}: Given): [path: string, message: string] | null {
  if (op === 'between') {
    if (other !== undefined) return ['other_field', 'cannot be used with between, which takes a value'];
    if (!Array.isArray(given)) return ['value', 'must be [low, high] with between'];
    const [low = 0, high = 0] = given;
    return low <= high ? null : ['value', 'must have the lower number first'];
  }
  if (Array.isArray(given)) return ['value', `must be one number with ${op}`];
  if (op === 'eq' && other !== undefined) return ['other_field', 'cannot be used with eq, which takes a value'];
  if (given === undefined && other === undefined) return ['value', 'must be there, or other_field'];
  if (given !== undefined && other !== undefined) return ['other_field', 'cannot be used beside value'];
  return other === field ? ['other_field', 'must be another field'] : null;
}

/** Names the second of two that are the same. */
function refuseRepeated(list: readonly unknown[], context: Context): void {
  const seen = new Map<string, number>();
  for (const [index, item] of list.entries()) {
    const text = JSON.stringify(item);
    const first = seen.get(text);
    if (first === undefined) seen.set(text, index);
    else context.addIssue({ code: 'custom', path: [index], message: `is the same as [${first}]` });
  }
}
