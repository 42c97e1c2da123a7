import type { z } from 'zod';
import { formatFieldPath } from '../../contract/index.ts';
import { invalidFields } from './faults.ts';

const MAX_SHOWN_ISSUES = 5;

/** Parses one part of a request. Throws a fault that names the invalid fields. */
export function parsePart<Schema extends z.ZodType>(schema: Schema, value: unknown, part: string): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw invalidFields(describeIssues(result.error.issues, part, value));
}

function describeIssues(issues: readonly z.core.$ZodIssue[], part: string, value: unknown): string {
  const shown = issues.slice(0, MAX_SHOWN_ISSUES).map((issue) => describeIssue(issue, part, value));
  const more = issues.length - shown.length;
  return `${shown.join(' ')}${more > 0 ? ` (${more} more)` : ''}`;
}

function describeIssue(issue: z.core.$ZodIssue, part: string, value: unknown): string {
  if (issue.code === 'unrecognized_keys') {
    const names = issue.keys.slice(0, MAX_SHOWN_ISSUES).map((key) => JSON.stringify(key.slice(0, 60)));
    return `${fieldName(issue.path, part)}: unknown field ${names.join(', ')}.`;
  }
  const inner = issue.code === 'invalid_union' && isObject(valueAt(value, issue.path)) ? findVariantIssue(issue) : null;
  if (inner) return describeIssue(inner, part, value);
  const isMissing = issue.path.length > 0 && valueAt(value, issue.path) === undefined;
  return `${fieldName(issue.path, part)}: ${isMissing ? 'is required' : describeProblem(issue)}.`;
}

/** Returns the message of an issue. Default messages of the library are replaced by plainer ones. */
function describeProblem(issue: z.core.$ZodIssue): string {
  if (issue.code === 'too_small' && issue.message.startsWith('Too small')) {
    return describeBound(issue, issue.minimum, issue.inclusive === false ? 'more than' : 'at least');
  }
  if (issue.code === 'too_big' && issue.message.startsWith('Too big')) {
    return describeBound(issue, issue.maximum, issue.inclusive === false ? 'less than' : 'at most');
  }
  if (issue.code === 'invalid_value' && issue.message.startsWith('Invalid option')) {
    return `must be one of ${issue.values.map(String).join(', ')}`;
  }
  if (issue.code === 'invalid_type' && issue.message.startsWith('Invalid input')) {
    return `must be of the type ${issue.expected}`;
  }
  return issue.message;
}

function describeBound({ origin }: { readonly origin: string }, bound: number | bigint, words: string): string {
  const unit = { string: 'character', array: 'item', set: 'item' }[origin];
  if (unit === undefined) return `must be ${words} ${bound}`;
  return `must have ${words} ${bound} ${unit}${Number(bound) === 1 ? '' : 's'}`;
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

/**
 * Finds the only variant of a union that has the type of the value, and returns its first issue. Returns null if no
 * variant or several variants have that type. For a plain value, the message of the union is better, because it lists
 * the variants.
 */
function findVariantIssue({ errors, path }: z.core.$ZodIssueInvalidUnion): z.core.$ZodIssue | null {
  const candidates = errors.filter((issues) => !issues.some(isVariantMismatch));
  const [issue] = candidates.length === 1 ? (candidates[0] ?? []) : [];
  return issue ? { ...issue, path: [...path, ...issue.path] } : null;
}

function isVariantMismatch({ code, path }: z.core.$ZodIssue): boolean {
  return path.length === 0 && (code === 'invalid_type' || code === 'invalid_value');
}

/** Returns the path of a field, such as `scopes[0]`, or the name of the part if the path is empty. */
function fieldName(path: readonly PropertyKey[], part: string): string {
  return path.length === 0 ? part : formatFieldPath(path);
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((at, key) => (at as Record<PropertyKey, unknown> | null | undefined)?.[key], value);
}
