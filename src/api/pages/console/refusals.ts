import { Fault } from '../../../contract/index.ts';
import { formatInteger } from '../format.ts';
import type { FieldErrors } from '../forms.ts';

/** A fault that a page shows above its form, so that nothing the visitor entered is lost. */
export interface Refusal {
  readonly status: number;
  readonly message: string;
}

/** The statuses of faults that a page with a form explains. All others have a page of their own. */
const EXPLAINED = [400, 403, 409, 412, 413, 422];

/** Returns how a page explains a fault above its form. Throws any other error again. */
export function toRefusal(error: unknown): Refusal {
  if (!(error instanceof Fault) || !EXPLAINED.includes(error.status)) throw error;
  return { status: error.status, message: error.message };
}

/** Runs an operation. @returns its data, or the fault with which it was refused */
export async function attempt<Data>(run: () => Promise<Data>): Promise<Data | Fault> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof Fault) return error;
    throw error;
  }
}

/** Labels by the path in a fault, such as `entity.name`. A pair also gives the name that the field has in the form. */
export type FieldLabels = Readonly<Record<string, string | readonly [field: string, label: string]>>;

/** A fault names one field after the other: `status: must be one of a, b. sort: must be …`. */
const FIELD = /(?:^|(?<=[.)] ))([a-z_]+(?:[.[][^:\s]*)?): (.+?)(?= [a-z_]+(?:[.[][^:\s]*)?: |$)/gs;
/** How a problem begins that continues the name of its field. */
const CONTINUES = /^(?:must|is|are|cannot|has|have|may|follows|requires|needs|belongs)\b/;

/**
 * Returns the errors of the fields that a fault names, by the name of the field in the form. A problem of an element, such
 * as `thresholds[2]`, belongs to the field of its list unless the labels name the element.
 *
 * @returns null if the fault names no field of the form
 */
export function toFieldErrors({ message, status }: Fault, labels: FieldLabels): FieldErrors | null {
  if (status === 429 || status >= 500) return null;
  const errors: Record<string, string> = {};
  for (const [, path = '', problem = ''] of message.matchAll(FIELD)) {
    const label = findLabel(path, labels);
    if (label === undefined) continue;
    const [field, text] = typeof label === 'string' ? [path.replace(/[.[].*$/, ''), label] : label;
    errors[field] ??= describeProblem(text, problem, labels);
  }
  return Object.keys(errors).length === 0 ? null : errors;
}

function findLabel(path: string, labels: FieldLabels): FieldLabels[string] | undefined {
  const shorter = [path, path.replace(/\[\d+\].*$/, ''), path.replace(/[.[].*$/, '')];
  const known = shorter.find((name) => Object.hasOwn(labels, name));
  return known === undefined ? undefined : labels[known];
}

/** The values of a choice are names of the API, which the visitor does not see. */
function describeProblem(label: string, problem: string, labels: FieldLabels): string {
  if (problem.startsWith('must be one of ')) return `${label}: choose one from the list.`;
  const words = toFormWords(problem, labels);
  return CONTINUES.test(words) ? `${label} ${words}` : `${label}: ${words}`;
}

/** What the API expects of a time. A form adds the time of day and the offset to the day that was chosen. */
const INSTANT = /\bmust be a date and time with an offset, such as [\dT:Z-]+/;

/** Returns a problem without the words of the API: other fields are named by their labels, and no form can send null. */
function toFormWords(problem: string, labels: FieldLabels): string {
  return problem
    .replace(INSTANT, 'must be a date, such as 2024-01-31')
    .replace(/, or null(?=[.,]|$)/, '')
    .replace(/\b(from -?\d+ to )(\d{5,})\b/, (_, start: string, end: string) => start + formatInteger(Number(end)))
    .replace(/\b(after|before) ([a-z_]+)(?=[.,]|$)/g, (words, order: string, name: string) => {
      const label = Object.hasOwn(labels, name) ? labels[name] : undefined;
      if (label === undefined) return words;
      return `${order} “${typeof label === 'string' ? label : label[1]}”`;
    });
}
