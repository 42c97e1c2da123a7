import { routeNotFound } from '../../../edge/faults.ts';
import type { ConsoleVisit } from '../visit.ts';

/** Returns the id of the filter that the address of a page names. */
export function filterIdOf({ params }: ConsoleVisit): string {
  // The router also matches addresses such as /screener//edit.
  if (!params.id) throw routeNotFound();
  return params.id;
}

/** Returns the address of the page of a filter. */
export function filterPath(id: string): string {
  return `/screener/${encodeURIComponent(id)}`;
}
