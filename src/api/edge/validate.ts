import type { z } from 'zod';
import { Fault, fieldPath } from '../../contract/index.ts';

const SHOWN_ISSUES = 5;

/** Parses one part of a request, or throws the fault that names what is wrong with it. */
export function parsePart<Schema extends z.ZodType>(schema: Schema, value: unknown, part: string): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw new Fault('INVALID_REQUEST', describeIssues(result.error.issues, part, value));
}

function describeIssues(issues: readonly z.core.$ZodIssue[], part: string, value: unknown): string {
  const shown = issues.slice(0, SHOWN_ISSUES).map((issue) => describeIssue(issue, part, value));
  const more = issues.length - shown.length;
  return `${shown.join(' ')}${more > 0 ? ` (${more} more)` : ''}`;
}

function describeIssue(issue: z.core.$ZodIssue, part: string, value: unknown): string {
  if (issue.code === 'unrecognized_keys') {
    const names = issue.keys.slice(0, SHOWN_ISSUES).map((key) => JSON.stringify(key.slice(0, 60)));
    return `${placeOf(issue.path, part)}: unknown field ${names.join(', ')}.`;
  }
  const inner = issue.code === 'invalid_union' && hasParts(valueAt(value, issue.path)) ? withinUnion(issue) : null;
  if (inner) return describeIssue(inner, part, value);
  const isMissing = issue.path.length > 0 && valueAt(value, issue.path) === undefined;
  return `${placeOf(issue.path, part)}: ${isMissing ? 'is required' : issue.message}.`;
}

function hasParts(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

/**
 * Of a list or an object that could be one of several kinds of things: what is wrong with it as the only one that it can
 * be. Of a plain value it is better to say which kinds there are.
 */
function withinUnion({ errors, path }: z.core.$ZodIssueInvalidUnion): z.core.$ZodIssue | null {
  const ofItsKind = errors.filter((issues) => !issues.some(isOfAnotherKind));
  const [issue] = ofItsKind.length === 1 ? (ofItsKind[0] ?? []) : [];
  return issue ? { ...issue, path: [...path, ...issue.path] } : null;
}

function isOfAnotherKind({ code, path }: z.core.$ZodIssue): boolean {
  return path.length === 0 && (code === 'invalid_type' || code === 'invalid_value');
}

/** `scopes[0]` for a field, the name of the part for the whole of it. */
function placeOf(path: readonly PropertyKey[], part: string): string {
  return path.length === 0 ? part : fieldPath(path);
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((at, key) => (at as Record<PropertyKey, unknown> | null | undefined)?.[key], value);
}
