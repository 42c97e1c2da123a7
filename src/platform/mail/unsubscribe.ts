import type { Executor } from '../database/index.ts';
import { openCursor, sealCursor } from '../signing/cursor.ts';
import { createSigningKeysReader, readSigningKeys } from '../signing/signing-key.ts';

/**
 * A kind of emails that an account can turn off by a link. It is the name of the signing key and part of the signature of
 * every token, so it must not change.
 */
export type UnsubscribeKind = 'screener unsubscribe' | 'notification unsubscribe';

/**
 * Returns a token that turns off the emails of one kind to an account without signing in. It allows nothing else and never
 * expires, because the link in an email that is a year old must still work. A rotation of the key ends it after 400 days.
 */
export async function sealUnsubscribeToken(
  executor: Executor,
  kind: UnsubscribeKind,
  accountId: string,
): Promise<string> {
  return sealCursor(await readSigningKeys(executor, kind), kind, { accountId });
}

/**
 * Returns a function that returns the account id of a token of one kind, or null for any other token. The keys are in
 * memory, so that thousands of invalid tokens do not cause database queries.
 */
export function openUnsubscribeTokens(
  executor: Executor,
  kind: UnsubscribeKind,
): (token: string) => Promise<string | null> {
  const readKeys = createSigningKeysReader(executor, kind);
  return async (token) => {
    const opened = openCursor(await readKeys(), kind, token) as { readonly accountId: string } | null;
    return opened?.accountId ?? null;
  };
}

/** Returns the headers of an email that can be turned off at a URL. */
export function unsubscribeHeaders(url: string): Readonly<Record<string, string>> {
  return {
    'List-Unsubscribe': `<${url}>`,
    // RFC 8058: lets mail programs offer a button that unsubscribes with one request.
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  };
}
