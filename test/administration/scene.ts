import { requestAs, type SendRequest } from '../support/api/request-as.ts';
import type { ForecastService } from '../support/forecasts/forecast-service.ts';
import { type AccountSpec, makeAccount, withKey, withSession } from '../support/identity/callers.ts';

/** An account with a browser session and, on a paid plan, an API key. */
export interface Person {
  readonly id: string;
  readonly email: string;
  readonly cookie: string;
  readonly bySession: SendRequest;
  readonly byKey: SendRequest;
}

export const USERS = '/v1/admin/users';

/** The account as the operations of administrators return it. */
export interface ShownAccount {
  readonly id: string;
  readonly email: string;
  readonly plan: string;
  readonly administrator: boolean;
  readonly locked: boolean;
  readonly last_sign_in_at: string | null;
  readonly is_own: boolean;
  readonly counts: Readonly<Record<string, number>>;
}

export async function makePerson({ app, identity }: ForecastService, spec: AccountSpec = {}): Promise<Person> {
  const { id, email } = await makeAccount(identity, spec);
  const session = await withSession(identity, email);
  const key = await withKey(identity, id);
  return { id, email, cookie: session.cookie ?? '', bySession: requestAs(app, session), byKey: requestAs(app, key) };
}

export function makeAdministrator(service: ForecastService): Promise<Person> {
  return makePerson(service, { administrator: true, verified: true });
}
