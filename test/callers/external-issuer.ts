import type { IdentityContext } from '../../src/identity/index.ts';
import type { IdentityTables } from '../../src/identity/tables.ts';
import { newId } from '../../src/platform/index.ts';
import { SITE_URL } from '../support/api/api.ts';
import { type AccountSpec, makeAccount } from '../support/identity/callers.ts';
import { startLoopbackIssuer } from '../support/identity/loopback-issuer.ts';
import type { Caller } from './callers.ts';

/** The external issuer of the callers with external tokens. */
export const externalIssuer = await startLoopbackIssuer({ audience: SITE_URL });

let subjects = 0;

/** Creates a caller whose account is linked already: a first token would change the database. */
export function byExternalToken(spec: AccountSpec, claims: Readonly<Record<string, unknown>> = {}) {
  return async (identity: IdentityContext): Promise<Caller> => {
    const { id } = await makeAccount(identity, { ...spec, password: null });
    const subject = `subject-${++subjects}`;
    const now = identity.clock.now();
    await identity.database
      .query<IdentityTables>()
      .insertInto('outside_identity')
      .values({
        id: newId('oid'),
        issuer: externalIssuer.url,
        subject,
        account_id: id,
        linked_at: now,
        last_used_at: now,
      })
      .execute();
    const token = await externalIssuer.sign({ claims: { sub: subject, ...claims } });
    return { credentials: { authorization: `Bearer ${token}` }, accountId: id };
  };
}
