import { createMailTokenReader, turnMailsOff, UNSUBSCRIBE_PATH } from '../../notifications/index.ts';
import { createUnsubscribeTokenReader, unsubscribe } from '../../screener/index.ts';
import type { ApiParts } from '../parts.ts';

/** A kind of emails that a link turns off. */
export interface MailKind {
  readonly path: string;
  /** Returns the account id of a token, or null for a token that is invalid or of another kind. */
  readonly readAccountId: (token: string) => Promise<string | null>;
  readonly turnOff: (accountId: string) => Promise<void>;
  /** The emails, as a sentence names them. */
  readonly emails: string;
  /** What does not change. */
  readonly stays: string;
  /** The page to which the account can continue. */
  readonly next: { readonly href: string; readonly label: string };
  /** The page that turns the emails on and off. */
  readonly switches: string;
}

/** Returns every kind of emails that a link turns off. Links in old emails must work, so no path changes. */
export function listMailKinds(parts: ApiParts): readonly MailKind[] {
  const { database } = parts;
  return [
    {
      path: '/screener/unsubscribe',
      readAccountId: createUnsubscribeTokenReader(database),
      turnOff: (accountId) => unsubscribe(parts.screener, accountId),
      emails: 'emails about your filters',
      stays: 'Your filters are kept and still evaluated.',
      next: { href: '/screener', label: 'Your filters' },
      switches: '/screener/mails',
    },
    {
      path: UNSUBSCRIBE_PATH,
      readAccountId: createMailTokenReader(database),
      turnOff: (accountId) => turnMailsOff(parts, accountId),
      emails: 'emails about your forecasts',
      stays: 'Your forecasts are kept, and outcomes are still collected.',
      next: { href: '/forecasts', label: 'Your forecasts' },
      switches: '/auth/account/notifications',
    },
  ];
}
