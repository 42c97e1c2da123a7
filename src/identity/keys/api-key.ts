import type { z } from 'zod';
import type { ApiKey } from '../../contract/index.ts';
import type { ApiKeyTable } from '../tables.ts';

/** The columns of a key that may be shown. */
export const SHOWN_COLUMNS = [
  'id',
  'name',
  'hint',
  'kind',
  'scopes',
  'created_at',
  'expires_at',
  'last_used_at',
] as const;

export function showApiKey(row: Pick<ApiKeyTable, (typeof SHOWN_COLUMNS)[number]>): z.output<typeof ApiKey> {
  return {
    id: row.id,
    name: row.name,
    hint: row.hint,
    kind: row.kind,
    scopes: row.scopes,
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at?.toISOString() ?? null,
    last_used_at: row.last_used_at?.toISOString() ?? null,
  };
}
