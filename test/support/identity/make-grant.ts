import { randomUUID } from 'node:crypto';
import { createClient, type IdentityContext } from '../../../src/identity/index.ts';
import { saveGrant } from '../../../src/identity/oauth/adapter.ts';
import { newRecord } from '../../../src/identity/oauth/records.ts';

/** Stores a grant with which a new application can use an account. Returns the id of the grant. */
export async function makeGrant(identity: IdentityContext, accountId: string, name = 'Harbor Charts'): Promise<string> {
  const { client_id: clientId } = await createClient(identity, { name, redirectUris: ['https://app.example/'] });
  const grantId = `grt_${randomUUID()}`;
  const payload = { accountId, clientId, jti: grantId, kind: 'Grant' };
  await saveGrant(identity, newRecord(identity.clock.now(), 'Grant', grantId, payload, 3_600));
  return grantId;
}
