/** What a request states of its event. */
export interface SentEvent {
  readonly id: string;
  readonly type: string;
  readonly createdAt: Date;
}

/** Returns the body of the requests about an event. */
export function formatBody({ id, type, createdAt }: SentEvent, sequence: number, data: object): string {
  return JSON.stringify({ id, type, created_at: createdAt.toISOString(), sequence, data });
}
