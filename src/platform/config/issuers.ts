import { isSafeWebAddress } from './checks.ts';

/** An OpenID issuer whose access tokens are accepted beside our own. */
export interface IssuerSettings {
  /** As its tokens and its discovery document write it, letter by letter. */
  readonly issuer: string;
  /** What its tokens for us name as their audience. Undefined: the site's own address. */
  readonly audience: string | undefined;
  readonly algorithms: readonly string[];
  /** What the header of a token may call it, in lower case. */
  readonly tokenTypes: readonly string[];
  /** Whether a person who has no account here is refused or gets one. */
  readonly accounts: 'existing' | 'create';
}

/** With a public key only. A shared secret, or none, would let whoever checks a token make one. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512']
  .concat(['ES256', 'ES384', 'ES512'])
  .concat(['EdDSA', 'Ed25519']);
const DEFAULT_ALGORITHMS = ['RS256', 'ES256', 'PS256', 'EdDSA'];
const TOKEN_TYPES = ['at+jwt', 'JWT'];
const ACCOUNTS = ['existing', 'create'] as const;
const FIELDS = ['issuer', 'audience', 'algorithms', 'token_types', 'accounts'];
const MAX_ISSUERS = 20;
const LONGEST_TEXT = 500;

/** Reads the list of issuers, or throws an `Error` whose message completes "NAME must …" and names the field. */
export function readIssuers(text: string): readonly IssuerSettings[] {
  const items = parseJson(text);
  if (!Array.isArray(items) || items.length > MAX_ISSUERS) {
    throw new Error(`be a JSON list of up to ${MAX_ISSUERS} issuers such as [{"issuer":"https://login.example"}]`);
  }
  const issuers = items.map((item: unknown, place) => readIssuer(item, `[${place}]`));
  const names = issuers.map(({ issuer }) => issuer);
  const repeated = names.findIndex((name, place) => names.indexOf(name) !== place);
  if (repeated !== -1) throw new Error(`name every issuer once; [${repeated}].issuer repeats an earlier one`);
  return issuers;
}

function readIssuer(item: unknown, place: string): IssuerSettings {
  if (typeof item !== 'object' || item === null || Array.isArray(item)) {
    throw new Error(`have an object at ${place} such as {"issuer":"https://login.example"}`);
  }
  const stranger = Object.keys(item).find((name) => !FIELDS.includes(name));
  if (stranger !== undefined) {
    const shown = JSON.stringify(stranger.slice(0, 40)).replaceAll(/\p{Cc}/gu, '?');
    throw new Error(`have only the fields ${FIELDS.join(', ')} at ${place}; ${shown} is none of them`);
  }
  const fields = item as Readonly<Record<string, unknown>>;
  return {
    issuer: readAddress(fields.issuer, `${place}.issuer`),
    audience: fields.audience === undefined ? undefined : readWord(fields.audience, `${place}.audience`),
    algorithms: readSome(fields.algorithms, ALGORITHMS, DEFAULT_ALGORITHMS, `${place}.algorithms`),
    tokenTypes: readSome(fields.token_types, TOKEN_TYPES, TOKEN_TYPES, `${place}.token_types`).map((type) =>
      type.toLowerCase(),
    ),
    accounts: readAccounts(fields.accounts, `${place}.accounts`),
  };
}

function readAddress(value: unknown, place: string): string {
  if (
    typeof value === 'string' &&
    value.length <= LONGEST_TEXT &&
    isSafeWebAddress(value) &&
    !/[?#\s\p{Cc}]/u.test(value)
  ) {
    return value;
  }
  throw new Error(
    `have at ${place} the address of an OpenID issuer: https, or http on loopback, without user, query or fragment`,
  );
}

function readWord(value: unknown, place: string): string {
  if (typeof value === 'string' && value !== '' && value.length <= LONGEST_TEXT) return value;
  throw new Error(`have at ${place} a text of 1 to ${LONGEST_TEXT} characters, or leave it out for the site's address`);
}

/** Some of the choices, at least one. */
function readSome(
  value: unknown,
  choices: readonly string[],
  fallback: readonly string[],
  place: string,
): readonly string[] {
  if (value === undefined) return fallback;
  if (Array.isArray(value) && value.length > 0 && value.every((item) => choices.includes(item))) return value;
  throw new Error(`have at ${place} a list of one or more of ${choices.join(', ')}`);
}

function readAccounts(value: unknown, place: string): IssuerSettings['accounts'] {
  if (value === undefined) return 'existing';
  const known = ACCOUNTS.find((choice) => choice === value);
  if (known === undefined) throw new Error(`have at ${place} one of ${ACCOUNTS.join(', ')}`);
  return known;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
