const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

export interface SigningKeyKind {
  /** What the key protects, for operators. */
  readonly protects: string;
  /** How long the previous key is still accepted after it signed for the last time. null: while a webhook has a secret of it. */
  readonly acceptedMs: number | null;
  /** What stops working when the earlier keys are withdrawn at once. */
  readonly withdrawal: string;
}

/** Every key that an installation creates for itself, by the name in the table `signing_key`, which must not change. */
export const SIGNING_KEYS = {
  cursors: {
    protects: 'cursors of lists',
    acceptedMs: DAY_MS,
    withdrawal: 'Cursors of lists that are open now are refused; their readers start the list again.',
  },
  // Far longer than a sign-in may take.
  'oauth-cookies': {
    protects: 'cookies of sign-ins to OAuth applications',
    acceptedMs: DAY_MS,
    withdrawal: 'Sign-ins to OAuth applications that are open now must be started again.',
  },
  // The link in an email that is a year old must still work.
  'screener unsubscribe': {
    protects: 'links that turn off emails of the screener',
    acceptedMs: 400 * DAY_MS,
    withdrawal: 'The unsubscribe links in emails of the screener that were sent until now no longer work.',
  },
  'notification unsubscribe': {
    protects: 'links that turn off emails about forecasts',
    acceptedMs: 400 * DAY_MS,
    withdrawal: 'The unsubscribe links in emails about forecasts that were sent until now no longer work.',
  },
  webhooks: {
    protects: 'secrets of webhooks, which are derived from it',
    acceptedMs: null,
    withdrawal:
      'Every webhook has another secret, and receivers refuse deliveries until their owners have rotated it and stored the new one.',
  },
  // Nothing that callers present is checked with this key. Its hashes only count.
  guest_networks: {
    protects: 'hashes of the networks of guests, by which their limits are counted',
    acceptedMs: 0,
    withdrawal: 'The counts of the networks of guests begin again.',
  },
} as const satisfies Readonly<Record<string, SigningKeyKind>>;

export type SigningKeyName = keyof typeof SIGNING_KEYS;
export const SIGNING_KEY_NAMES = Object.keys(SIGNING_KEYS) as readonly SigningKeyName[];
