import { Fault } from '../../../../contract/index.ts';
import type { FieldErrors } from '../../forms.ts';
import { type FieldLabels, toFieldErrors } from '../refusals.ts';

/**
 * Turns a fault about parameters of the address into the errors of their fields. Throws any other error again, also one
 * about a parameter without a field.
 */
export function toErrors(error: unknown, labels: FieldLabels): FieldErrors {
  if (!(error instanceof Fault)) throw error;
  if (error.code === 'WORKSPACE_DENIED') return { workspace_id: error.message };
  const errors = error.code === 'INVALID_REQUEST' ? toFieldErrors(error, labels) : null;
  if (errors === null) throw error;
  return errors;
}
