import { MAX_SCREENER_CONDITIONS } from '../../../../contract/index.ts';
import type { FieldErrors } from '../../forms.ts';
import { isField, isOp, type ShownCondition, type ShownRules } from './filter-words.ts';
import { readNumber } from './read-number.ts';

/** A condition as the form has it, each field as text. */
export interface EnteredCondition {
  readonly field: string;
  readonly op: string;
  readonly value: string;
  /** The upper end of a range. */
  readonly high: string;
  /** The field to compare with; empty for a number. */
  readonly other: string;
}

/** A filter as the form has it. */
export interface Entered {
  readonly name: string;
  /** `all` or `list`; anything else is refused. */
  readonly universe: string;
  readonly symbols: string;
  /** `all` or `any`; anything else is refused. */
  readonly combine: string;
  readonly email: boolean;
  readonly conditions: readonly EnteredCondition[];
  /** Present if numbers between those of the conditions are missing. The form then shows them closed up. */
  readonly hasGap?: true;
}

export const NEW_CONDITION: EnteredCondition = { field: 'change_pct', op: 'gt', value: '', high: '', other: '' };

export const NEW_FILTER: Entered = {
  name: '',
  universe: 'all',
  symbols: '',
  combine: 'all',
  email: false,
  conditions: [NEW_CONDITION],
};

const PARTS = ['field', 'op', 'value', 'high', 'other'] as const;

/** Reads the state of the form from an address or from a sent form. @returns null if it has none */
export function readEntered(given: unknown): Entered | null {
  const fields = (given ?? {}) as Readonly<Record<string, unknown>>;
  const read = (name: string): string => (typeof fields[name] === 'string' ? fields[name] : '');
  const numbers = Object.keys(fields)
    .flatMap((name) => /^field\.(\d{1,9})$/.exec(name)?.[1] ?? [])
    .sort((one, other) => Number(one) - Number(other));
  // One more than allowed, so that the operation refuses a form that has too many.
  const conditions = numbers.slice(0, MAX_SCREENER_CONDITIONS + 1).map((i): EnteredCondition => {
    const [field = '', op = '', value = '', high = '', other = ''] = PARTS.map((part) => read(`${part}.${i}`));
    return { field, op: op || 'gt', value, high, other };
  });
  const hasGap = numbers.some((number, i) => number !== String(i));
  if (conditions.length === 0 && fields.universe === undefined && fields.combine === undefined) return null;
  return {
    name: read('name'),
    universe: read('universe') || 'all',
    symbols: read('symbols'),
    combine: read('combine') || 'all',
    email: read('email') === 'on',
    conditions,
    ...(hasGap && { hasGap }),
  };
}

/** Returns the state of the form for a stored filter. */
export function enterFilter(filter: ShownRules & { readonly name: string; readonly email: boolean }): Entered {
  const { name, email, universe, all, any } = filter;
  return {
    name,
    email,
    universe: universe === 'all' ? 'all' : 'list',
    symbols: universe === 'all' ? '' : universe.join(' '),
    combine: all === undefined ? 'any' : 'all',
    conditions: (all ?? any ?? []).map(enterCondition),
  };
}

function enterCondition({ field, op, value, other_field: other = '' }: ShownCondition): EnteredCondition {
  const [low = '', high = ''] = typeof value === 'number' ? [String(value)] : (value ?? []).map(String);
  return { field, op, value: low, high, other };
}

/** Returns the parameters of an address that shows the form in this state. */
export function toParams({ name, universe, symbols, combine, email, conditions }: Entered): URLSearchParams {
  const params = new URLSearchParams();
  if (name !== '') params.append('name', name);
  params.append('universe', universe);
  if (universe === 'list')
    params.append(
      'symbols',
      symbols
        .trim()
        .split(/[\s,;]+/)
        .join(' '),
    );
  params.append('combine', combine);
  if (email) params.append('email', 'on');
  for (const [i, condition] of conditions.entries())
    for (const part of PARTS)
      if (condition[part] !== '' || part === 'field') params.append(`${part}.${i}`, condition[part]);
  return params;
}

/** A filter as the operations receive it, or the fields that must be changed first. */
export type Checked = { readonly rules: ShownRules } | { readonly errors: FieldErrors };

/** Reads the rules from the form. Everything that is not text, the operations check. */
export function checkEntered({ universe, symbols, combine, conditions, hasGap }: Entered): Checked {
  const errors: Record<string, string> = {};
  const list = [
    ...new Set(
      symbols
        .split(/[\s,;]+/)
        .filter(Boolean)
        .map((symbol) => symbol.toUpperCase()),
    ),
  ];
  if (universe !== 'all' && universe !== 'list') errors.universe = 'Which symbols: choose all symbols or only these.';
  if (combine !== 'all' && combine !== 'any') errors.combine = 'A symbol matches if it: choose one from the list.';
  if (universe === 'list' && list.length === 0)
    errors.symbols = 'Enter at least one symbol such as AAPL, or choose all symbols.';
  if (conditions.length === 0) errors[''] = 'Add at least one condition.';
  else if (hasGap)
    errors[''] = 'Some conditions did not arrive. Check those below, add what is missing, and try again.';
  const read = conditions.map((condition, i) => readCondition(condition, i, errors));
  if (Object.keys(errors).length > 0) return { errors };
  const rules = { universe: universe === 'all' ? ('all' as const) : list };
  return { rules: combine === 'any' ? { ...rules, any: read } : { ...rules, all: read } };
}

/** Returns whether a condition can compare with another field. */
export function comparesFields(op: string): boolean {
  return op !== 'between' && op !== 'eq';
}

function readCondition(condition: EnteredCondition, i: number, errors: Record<string, string>): ShownCondition {
  const { field, op, value, high, other } = condition;
  const place = `Condition ${i + 1}`;
  if (!isField(field)) errors[`field.${i}`] = `${place}: choose a field from the list.`;
  if (!isOp(op)) errors[`op.${i}`] = `${place}: choose a comparison from the list.`;
  if (comparesFields(op) && other !== '') return { field, op, other_field: other };
  const number = (name: 'value' | 'high', text: string, what: string): number => {
    const found = readNumber(text);
    if (found === null)
      errors[`${name}.${i}`] =
        text.trim() === ''
          ? `${place}: enter ${what}.`
          : `${place}: “${text.trim().slice(0, 40)}” is not a number. Write it like 1.5, −3 or 2,000,000.`;
    return found ?? 0;
  };
  if (op !== 'between') return { field, op, value: number('value', value, 'a number to compare with') };
  const range = [number('value', value, 'the lower number'), number('high', high, 'the upper number')] as const;
  if (range[0] > range[1]) errors[`value.${i}`] ??= `${place}: the lower number must come first.`;
  return { field, op, value: range };
}
