import { Fault } from '../../../../contract/index.ts';
import type { FieldErrors } from '../../forms.ts';

/** Labels by the field name in a fault. A pair also gives the name that the field has in the form. */
type Labels = Readonly<Record<string, string | readonly [field: string, label: string]>>;

/** A fault names one field after the other: `status: must be one of a, b. sort: must be …`. */
const FIELD = /(?:^|(?<=[.)] ))(\w+): (.+?)(?= \w+: |$)/gs;

/**
 * Turns a fault about parameters of the address into the errors of their fields. Throws any other error again, also one
 * about a parameter without a field.
 */
export function toErrors(error: unknown, labels: Labels): FieldErrors {
  if (!(error instanceof Fault)) throw error;
  if (error.code === 'WORKSPACE_DENIED') return { workspace_id: error.message };
  if (error.code !== 'INVALID_REQUEST') throw error;
  const errors: Record<string, string> = {};
  for (const [, name = '', problem = ''] of error.message.matchAll(FIELD)) {
    const label = Object.hasOwn(labels, name) ? labels[name] : undefined;
    if (label === undefined) continue;
    const [field, text] = typeof label === 'string' ? [name, label] : label;
    errors[field] ??= describeProblem(text, problem);
  }
  if (Object.keys(errors).length === 0) throw error;
  return errors;
}

/** The values of a choice are names of the API, which the visitor does not see. */
function describeProblem(label: string, problem: string): string {
  return problem.startsWith('must be one of ') ? `${label}: choose one from the list.` : `${label} ${problem}`;
}
