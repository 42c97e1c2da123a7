import { ACTION_SCOPES, type Action, GUEST_ACTIONS } from './actions.ts';
import type { Operation } from './operation.ts';

const ACCOUNT = [{ bearer: [] }, { oauth2: [] }, { session: [] }];
const GUEST = { guest: [] };

/** Returns the kinds of credentials that an operation accepts. */
export function securityOf({ action, guestsOnly }: Pick<Operation, 'action' | 'guestsOnly'>): object[] {
  if (ACTION_SCOPES[action] === null) return [{}];
  if (guestsOnly) return [GUEST];
  return isGuestAction(action) ? [...ACCOUNT, GUEST] : ACCOUNT;
}

function isGuestAction(action: Action): boolean {
  return (GUEST_ACTIONS as readonly Action[]).includes(action);
}

/** Describes the kinds of credentials. */
export function securitySchemes(siteUrl: string) {
  return {
    bearer: {
      type: 'http',
      scheme: 'bearer',
      description: 'A personal API key (alm_pat_…), a legacy service key (alm_svc_…) or an OAuth access token.',
    },
    oauth2: {
      type: 'oauth2',
      description: `Authorization code with PKCE (S256). Pass resource=${siteUrl} on authorization and token requests.`,
      flows: {
        authorizationCode: {
          authorizationUrl: `${siteUrl}/auth/oauth/authorize`,
          tokenUrl: `${siteUrl}/auth/oauth/token`,
          refreshUrl: `${siteUrl}/auth/oauth/token`,
          scopes: {
            openid: 'Identify the account',
            profile: 'Resolve the account profile',
            email: 'Verify the account email',
            offline_access: 'Refresh access after expiry',
          },
        },
      },
    },
    session: {
      type: 'apiKey',
      in: 'cookie',
      name: '__Host-almanac_session',
      description: 'The browser session cookie, set by POST /v1/sessions.',
    },
    guest: {
      type: 'apiKey',
      in: 'cookie',
      name: '__Host-almanac_guest',
      description: 'The guest session cookie, set by POST /v1/guest-sessions.',
    },
  };
}
