import type { Json } from './component-schemas.ts';

/** The ways to say who is asking. */
export function securitySchemes(siteUrl: string): Json {
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
            email: 'Verify the account e-mail',
            offline_access: 'Refresh access after expiry',
          },
        },
      },
    },
    session: { type: 'apiKey', in: 'cookie', name: '__Host-almanac_session' },
  };
}
