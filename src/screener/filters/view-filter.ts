import type { z } from 'zod';
import type { ScreenerAlert } from '../../contract/index.ts';
import type { ScreenerFilterTable } from '../tables.ts';
import { sentRulesOf } from './rules-of.ts';

/** A filter as it is answered. */
export function viewFilter(row: ScreenerFilterTable): z.input<typeof ScreenerAlert> {
  return {
    id: row.id,
    name: row.name,
    ...sentRulesOf(row),
    email: row.email,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
