/** The id of the so many-th of an event's revisions or entries: they sort as they came, even within a millisecond. */
export function numbered(eventId: string, number: number): string {
  return `${eventId}.${String(number).padStart(6, '0')}`;
}
