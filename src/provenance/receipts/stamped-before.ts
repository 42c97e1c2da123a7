import { type RawBuilder, sql } from 'kysely';

/** Returns the condition that the proof with this content id was stamped before this instant. */
export function stampedBefore(contentCid: RawBuilder<string | null>, instant: RawBuilder<Date>): RawBuilder<boolean> {
  // A constraint of the table makes `stamped_at` null while the proof is not stamped.
  return sql<boolean>`EXISTS (
    SELECT FROM proof WHERE proof.content_cid = ${contentCid} AND proof.stamped_at < ${instant}
  )`;
}
