import { sql } from 'kysely';
import { newId, type Transaction } from '../../platform/index.ts';
import { insertAccount } from '../accounts/insert-account.ts';
import type { IdentityContext } from '../context.ts';
import type { Origin } from '../security-events/origin.ts';
import { recordSecurityEvent } from '../security-events/record-event.ts';
import type { IdentityTables } from '../tables.ts';
import type { OutsideClaims } from './verify-token.ts';

/** Somebody of an outside issuer, with the address that the issuer vouches for. */
export interface Newcomer {
  readonly claims: OutsideClaims;
  readonly email: string;
  readonly origin: Origin | undefined;
}

/**
 * Makes out whose account a newcomer's is: the one with the same address, if its owner has proved that it is theirs, or
 * a new one where the issuer may bring people. Whether it came to that is for the caller to look up: of many that ask at
 * once for the same person one does it.
 */
export async function linkIdentity(context: IdentityContext, newcomer: Newcomer): Promise<void> {
  if ((await linkToAccount(context, newcomer)) || !newcomer.claims.mayCreate) return;
  // The address can have been taken in between, by somebody who came at the same time: then that account is the one.
  if (!(await createLinked(context, newcomer))) await linkToAccount(context, newcomer);
}

function linkToAccount(context: IdentityContext, newcomer: Newcomer): Promise<boolean> {
  return context.database.transaction((tx) => link(tx, newcomer, context.clock.now()));
}

/** Takes the new account back when the same person has been linked to another one meanwhile. */
class LinkedMeanwhile extends Error {}

async function createLinked(context: IdentityContext, newcomer: Newcomer): Promise<boolean> {
  const { email, origin } = newcomer;
  const traits = { email, origin, plan: 'free', administrator: false, verified: true, passwordHash: null } as const;
  try {
    return await context.database.transaction(async (tx) => {
      if ((await insertAccount(context, tx, traits)) === null) return false;
      if (await link(tx, newcomer, context.clock.now())) return true;
      throw new LinkedMeanwhile();
    });
  } catch (error) {
    if (error instanceof LinkedMeanwhile) return true;
    throw error;
  }
}

/** One statement decides: no account with this address, or one that is linked to somebody else of this issuer, gives none. */
async function link(tx: Transaction, { claims, email, origin }: Newcomer, now: Date): Promise<boolean> {
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
        .where('email_verified', '=', true),
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
