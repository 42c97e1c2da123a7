import fc from 'fast-check';

const words = (text: string) => text.trim().split(/\s+/);

/** Every parameter of the provider, present or past, and some names of object members. */
const NAMES = words(`
  client_id redirect_uri response_type response_mode scope state nonce prompt max_age
  code_challenge code_challenge_method resource login_hint id_token_hint claims acr_values ui_locales
  grant_type code code_verifier refresh_token token token_type_hint client_secret client_assertion
  request request_uri registration web_message_uri dpop_jkt __proto__ toString
`);

const VALUES = [
  ...words('none plain S256 code token form_post fragment -1 null [] a.b.c e30.e30. %00 javascript:alert(1) ../..'),
  ...words('authorization_code refresh_token client_credentials urn:ietf:params:oauth:grant-type:device_code'),
  ...['', ' ', '\u0000', 'a\u0000b', 'é\u202e', "' OR 1=1 --", '{"$ne":null}', 'login consent', 'consent consent'],
  ...['openid openid', 'openid  profile', 'code token id_token', '9'.repeat(400), 'x'.repeat(5_000)],
];

/** Endpoints, mostly with a supported method. The most powerful ones are the most frequent. */
const ENDPOINTS = [
  ...Array<string>(6).fill('GET /auth/oauth/authorize'),
  'POST /auth/oauth/authorize',
  ...Array<string>(6).fill('POST /auth/oauth/token'),
  ...Array<string>(3).fill('POST /auth/oauth/revoke'),
  ...['GET /auth/oauth/userinfo', 'POST /auth/oauth/userinfo', 'GET /auth/oauth/jwks', 'GET /auth/oauth/authorize/x'],
  ...['GET /auth/interaction/x', 'POST /auth/interaction/x', 'GET /.well-known/oauth-protected-resource'],
  ...['GET /auth/.well-known/openid-configuration', 'OPTIONS /auth/oauth/token', 'OPTIONS /auth/oauth/jwks'],
  ...['PUT /auth/oauth/authorize', 'GET /auth/oauth/token', 'HEAD /auth/oauth/jwks'],
];

const HEADERS = words('authorization cookie origin accept content-type dpop x-forwarded-host expect');
const HEADER_VALUES = [
  ...['', 'Basic eDp5', 'Basic !!', 'Bearer x', 'null', 'https://evil.example', 'application/json', 'text/html', '*/*'],
  'a=b; __Host-almanac_oauth=x; almanac_interaction=%00',
];

export interface HostileRequest {
  /** Method and path. */
  readonly endpoint: string;
  /** Changes to a valid request; otherwise the whole request. */
  readonly changes: boolean;
  readonly fields: readonly (readonly [string, string])[];
  readonly headers: Readonly<Record<string, string>>;
  readonly signedIn: boolean;
}

export const hostileRequests: fc.Arbitrary<HostileRequest> = fc.record({
  endpoint: fc.constantFrom(...ENDPOINTS),
  changes: fc.boolean(),
  fields: fc.array(
    fc.tuple(fc.constantFrom(...NAMES), fc.oneof(fc.constantFrom(...VALUES), fc.string({ unit: 'binary' }))),
    { maxLength: 5 },
  ),
  headers: fc.dictionary(fc.constantFrom(...HEADERS), fc.constantFrom(...HEADER_VALUES), { maxKeys: 3 }),
  signedIn: fc.boolean(),
});
