import { isSafeWebAddress } from './checks.ts';

/** An OpenID issuer whose access tokens are accepted in addition to those of this service. */
export interface IssuerSettings {
  /** The identifier of the issuer, exactly as in its tokens and its discovery document. */
  readonly issuer: string;
  /** The audience that its tokens must have; undefined for the site URL. */
  readonly audience: string | undefined;
  readonly algorithms: readonly string[];
  /** The accepted types in the header of a token, in lower case. */
  readonly tokenTypes: readonly string[];
  /** Whether a subject without an account is refused (`existing`) or gets an account (`create`). */
  readonly accounts: 'existing' | 'create';
}

/** Only public-key algorithms are allowed: with a shared secret, every service that verifies tokens could create them. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512']
  .concat(['ES256', 'ES384', 'ES512'])
  .concat(['EdDSA', 'Ed25519']);
const DEFAULT_ALGORITHMS = ['RS256', 'ES256', 'PS256', 'EdDSA'];
const TOKEN_TYPES = ['at+jwt', 'JWT'];
const ACCOUNTS = ['existing', 'create'] as const;
const FIELDS = ['issuer', 'audience', 'algorithms', 'token_types', 'accounts'];
const MAX_ISSUERS = 20;
const MAX_TEXT_LENGTH = 500;

/** Reads the list of issuers. Throws an `Error` whose message completes "NAME must …" and names the field. */
export function readIssuers(text: string): readonly IssuerSettings[] {
  const items = parseJson(text);
  if (!Array.isArray(items) || items.length > MAX_ISSUERS) {
    throw new Error(`be a JSON list of up to ${MAX_ISSUERS} issuers such as [{"issuer":"https://login.example"}]`);
  }
  const issuers = items.map((item: unknown, index) => readIssuer(item, `[${index}]`));
  const names = issuers.map(({ issuer }) => issuer);
  const repeated = names.findIndex((name, index) => names.indexOf(name) !== index);
  if (repeated !== -1) throw new Error(`list every issuer once; [${repeated}].issuer repeats an earlier one`);
  return issuers;
}

function readIssuer(item: unknown, path: string): IssuerSettings {
  if (typeof item !== 'object' || item === null || Array.isArray(item)) {
    throw new Error(`have an object at ${path} such as {"issuer":"https://login.example"}`);
  }
  const unknown = Object.keys(item).find((name) => !FIELDS.includes(name));
  if (unknown !== undefined) {
    const shown = JSON.stringify(unknown.slice(0, 40)).replaceAll(/\p{Cc}/gu, '?');
    throw new Error(`have only the fields ${FIELDS.join(', ')} at ${path}; ${shown} is not one of these`);
  }
  const fields = item as Readonly<Record<string, unknown>>;
  return {
    issuer: readAddress(fields.issuer, `${path}.issuer`),
    audience: fields.audience === undefined ? undefined : readText(fields.audience, `${path}.audience`),
    algorithms: readChoices(fields.algorithms, ALGORITHMS, DEFAULT_ALGORITHMS, `${path}.algorithms`),
    tokenTypes: readChoices(fields.token_types, TOKEN_TYPES, TOKEN_TYPES, `${path}.token_types`).map((type) =>
      type.toLowerCase(),
    ),
    accounts: readAccounts(fields.accounts, `${path}.accounts`),
  };
}

function readAddress(value: unknown, path: string): string {
  if (
    typeof value === 'string' &&
    value.length <= MAX_TEXT_LENGTH &&
    isSafeWebAddress(value) &&
    !/[?#\s\p{Cc}]/u.test(value)
  ) {
    return value;
  }
  throw new Error(
    `have the address of an OpenID issuer at ${path}: https, or http on loopback, without user, query or fragment`,
  );
}

function readText(value: unknown, path: string): string {
  if (typeof value === 'string' && value !== '' && value.length <= MAX_TEXT_LENGTH) return value;
  throw new Error(`have a text of 1 to ${MAX_TEXT_LENGTH} characters at ${path}, or omit it for the site URL`);
}

/** Reads a list of one or more of the choices, or returns the fallback if there is none. */
function readChoices(
  value: unknown,
  choices: readonly string[],
  fallback: readonly string[],
  path: string,
): readonly string[] {
  if (value === undefined) return fallback;
  if (Array.isArray(value) && value.length > 0 && value.every((item) => choices.includes(item))) return value;
  throw new Error(`have a list of one or more of ${choices.join(', ')} at ${path}`);
}

function readAccounts(value: unknown, path: string): IssuerSettings['accounts'] {
  if (value === undefined) return 'existing';
  const choice = ACCOUNTS.find((candidate) => candidate === value);
  if (choice === undefined) throw new Error(`have one of ${ACCOUNTS.join(', ')} at ${path}`);
  return choice;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
