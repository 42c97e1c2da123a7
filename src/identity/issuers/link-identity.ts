import { sql } from 'kysely';
import { newId, type Transaction } from '../../platform/index.ts';
import { insertAccount } from '../accounts/create-account.ts';
import type { IdentityContext } from '../context.ts';
import { type Origin, recordSecurityEvent } from '../security-events.ts';
import type { IdentityTables } from '../tables.ts';
import type { ExternalClaims } from './verify-token.ts';

/** A subject of an external issuer that is not linked yet, with the address that the issuer has verified. */
export interface NewSubject {
  readonly claims: ExternalClaims;
  readonly email: string;
  readonly origin: Origin | undefined;
}

/**
 * Links a new subject to the account with the same verified address or, if the issuer may create accounts, to a new
 * account. The calling function reads the link afterwards, because a concurrent request may have created it.
 */
export async function linkIdentity(context: IdentityContext, newSubject: NewSubject): Promise<void> {
  if ((await linkToAccount(context, newSubject)) || !newSubject.claims.canCreateAccount) return;
  // If a concurrent request has created the account in the meantime, the subject is linked to that account.
  if (!(await createLinked(context, newSubject))) await linkToAccount(context, newSubject);
}

function linkToAccount(context: IdentityContext, newSubject: NewSubject): Promise<boolean> {
  return context.database.transaction((tx) => insertLink(tx, newSubject, context.clock.now()));
}

/** Rolls the new account back if the subject has been linked to another account in the meantime. */
class LinkedMeanwhile extends Error {}

async function createLinked(context: IdentityContext, newSubject: NewSubject): Promise<boolean> {
  const { email, origin } = newSubject;
  const traits = { email, origin, plan: 'free', administrator: false, verified: true, passwordHash: null } as const;
  try {
    return await context.database.transaction(async (tx) => {
      if ((await insertAccount(context, tx, traits)) === null) return false;
      if (await insertLink(tx, newSubject, context.clock.now())) return true;
      throw new LinkedMeanwhile();
    });
  } catch (error) {
    if (error instanceof LinkedMeanwhile) return true;
    throw error;
  }
}

/**
 * Inserts a link. Returns false if there is no such account, or if the account is linked to another subject of the
 * issuer.
 */
async function insertLink(tx: Transaction, { claims, email, origin }: NewSubject, now: Date): Promise<boolean> {
  const { issuer, subject } = claims;
  const id = newId('oid', now.getTime());
  const linked = await tx
    .query<IdentityTables>()
    .insertInto('outside_identity')
    .columns(['id', 'issuer', 'subject', 'account_id', 'linked_at', 'last_used_at'])
    .expression((db) =>
      db
        .selectFrom('account')
        .select(({ ref }) => [
          sql<string>`${id}::text`.as('id'),
          sql<string>`${issuer}::text`.as('issuer'),
          sql<string>`${subject}::text`.as('subject'),
          ref('account.id').as('account_id'),
          sql<Date>`${now}::timestamptz`.as('linked_at'),
          sql<Date>`${now}::timestamptz`.as('last_used_at'),
        ])
        .where('email', '=', email)
        .where('email_verified', '=', true)
        .where('locked_at', 'is', null),
    )
    .onConflict((conflict) => conflict.doNothing())
    .returning('account_id')
    .executeTakeFirst();
  if (!linked) return false;
  const details = { issuer };
  const event = { accountId: linked.account_id, kind: 'outside_identity_linked', at: now, origin, details } as const;
  await recordSecurityEvent(tx, event);
  return true;
}

/**
 * Removes an account's link to an issuer, so that a person whose subject at the issuer has changed can be linked again.
 * The next token with the account's verified address creates the new link. Returns false if there was no link.
 */
export function unlinkIdentity(context: IdentityContext, accountId: string, issuer: string): Promise<boolean> {
  const now = context.clock.now();
  return context.database.transaction(async (tx) => {
    const removed = await tx
      .query<IdentityTables>()
      .deleteFrom('outside_identity')
      .where('account_id', '=', accountId)
      .where('issuer', '=', issuer)
      .returning('subject')
      .executeTakeFirst();
    if (!removed) return false;
    await recordSecurityEvent(tx, { accountId, kind: 'outside_identity_unlinked', at: now, details: { issuer } });
    return true;
  });
}
