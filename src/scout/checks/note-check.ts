import type { CheckState } from '../../contract/index.ts';
import type { ScoutContext } from '../context.ts';
import { recordEntry, THE_RULE } from '../history/record-entry.ts';
import type { EventRow, ScoutTables } from '../tables.ts';

/** Why an event could not be resolved now. */
export interface CheckNote {
  readonly state: CheckState;
  readonly message: string;
  readonly nextCheckAt: Date;
}

/**
 * Notes that an event stays pending, and why; its history is told when the reason changes. Nothing happens to one that was
 * resolved, or noted by another worker, in the meantime.
 */
export async function noteCheck(context: ScoutContext, event: EventRow, note: CheckNote): Promise<void> {
  const { state, message, nextCheckAt } = note;
  await context.database.transaction(async (tx) => {
    const now = context.clock.now();
    const noted = await tx
      .query<ScoutTables>()
      .updateTable('event_forecast')
      .set({ check_state: state, check_message: message, checked_at: now, next_check_at: nextCheckAt })
      .where('id', '=', event.id)
      .where('status', '=', 'pending')
      .where('next_check_at', '=', event.next_check_at)
      .returning('id')
      .executeTakeFirst();
    if (noted === undefined || event.check_state === state) return;
    await recordEntry(tx, { eventId: event.id, action: 'checked', actor: THE_RULE, details: { state, message }, now });
  });
}
