import {
  type Clock,
  type Database,
  type Executor,
  openUnsubscribeTokens,
  sealUnsubscribeToken,
} from '../../platform/index.ts';
import { changeChoice } from './choices.ts';

const KIND = 'notification unsubscribe';

/** The path of the page that turns the emails off. */
export const UNSUBSCRIBE_PATH = '/notifications/unsubscribe';

/** Returns the URL that turns off the emails about forecasts to an account. */
export async function createUnsubscribeUrl(executor: Executor, siteUrl: string, accountId: string): Promise<string> {
  return `${siteUrl}${UNSUBSCRIBE_PATH}?token=${await sealUnsubscribeToken(executor, KIND, accountId)}`;
}

/** Returns a function that returns the account id of a token in such a URL, or null for an invalid token. */
export function createMailTokenReader(executor: Executor): (token: string) => Promise<string | null> {
  return openUnsubscribeTokens(executor, KIND);
}

/**
 * Turns off emails about forecasts and outcomes. An email that is waiting is then not sent. The account can turn them on
 * again. Calling it again is safe.
 */
export async function turnMailsOff(
  context: { readonly database: Database; readonly clock: Clock },
  accountId: string,
): Promise<void> {
  await changeChoice(context, accountId, { forecasts: false, outcomes: false });
}
