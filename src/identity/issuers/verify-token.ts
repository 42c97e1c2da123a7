import type { CryptoKey, JWTPayload, JWTVerifyOptions, JWTVerifyResult } from 'jose';
import { email as emailSchema, isStorableText } from '../../contract/index.ts';
import type { IssuerSettings } from '../../platform/index.ts';
import type { IssuerKeys, KeySet } from './issuer-keys.ts';

/** The claims of a verified token of an external issuer. */
export interface ExternalClaims {
  readonly issuer: string;
  /** The identifier of the person at the issuer. It is the only claim that an issuer must never reassign. */
  readonly subject: string;
  /** The address, if the issuer has verified it. */
  readonly verifiedEmail: string | null;
  readonly expiresAt: Date;
  /** Whether an account may be created for the subject. */
  readonly canCreateAccount: boolean;
}

export interface TokenCheck {
  readonly settings: IssuerSettings;
  readonly audience: string;
  readonly keys: IssuerKeys;
  readonly now: Date;
}

/** Allows for differences between clocks, except for the expiry. */
const TOLERANCE_SECONDS = 30;
const MAX_SUBJECT_LENGTH = 255;
/** Maximum number of keys that are tried for a token that does not name its key. Each try verifies a signature. */
const MAX_TRIES = 16;
/** The last second of the year 9999. Later times can be neither stored nor shown. */
const LAST_SECOND = 253_402_300_799;

/**
 * Claims of tokens that are not bearer access tokens: an ID token (nonce, at_hash, c_hash, s_hash), a logout token
 * (events), or a token that needs a proof of possession (cnf).
 */
const NON_ACCESS_CLAIMS = ['nonce', 'at_hash', 'c_hash', 's_hash', 'events', 'cnf'];

/** Returns the claims of a valid access token that this issuer signed for this service; null for any other token. */
export async function verifyToken(token: string, check: TokenCheck): Promise<ExternalClaims | null> {
  try {
    const verified = await verifySignature(token, check);
    return verified && readClaims(verified, check);
  } catch {
    // All errors are caught, because the runtime throws its own for a malformed key. The token or a key is the cause.
    return null;
  }
}

async function verifySignature(token: string, check: TokenCheck): Promise<JWTVerifyResult | null> {
  const keys = await check.keys.current();
  if (keys === null) return null;
  try {
    return await verifyWith(keys, token, check);
  } catch (error) {
    if (!(await mayHaveRotated(error, token))) throw error;
    const newer = await check.keys.newerThan(keys);
    return newer && verifyWith(newer, token, check);
  }
}

async function verifyWith(keys: KeySet, token: string, check: TokenCheck): Promise<JWTVerifyResult> {
  const { errors, jwtVerify } = await import('jose');
  const { issuer, algorithms } = check.settings;
  const options: JWTVerifyOptions = {
    issuer,
    audience: check.audience,
    algorithms: [...algorithms],
    requiredClaims: ['exp', 'sub'],
    clockTolerance: TOLERANCE_SECONDS,
    currentDate: check.now,
  };
  let candidates: AsyncIterable<CryptoKey>;
  try {
    return await jwtVerify(token, keys, options);
  } catch (error) {
    if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error;
    candidates = error;
  }
  let tries = 0;
  for await (const key of candidates) {
    try {
      return await jwtVerify(token, key, options);
    } catch (error) {
      // Only a wrong signature can be due to the key. Any other error applies to every key.
      if (!(error instanceof errors.JWSSignatureVerificationFailed)) throw error;
      if (++tries === MAX_TRIES) break;
    }
  }
  throw new errors.JWSSignatureVerificationFailed();
}

/** Returns whether the issuer may have new keys: the token names an unknown key, or names none and no known key fits. */
async function mayHaveRotated(error: unknown, token: string): Promise<boolean> {
  const { decodeProtectedHeader, errors } = await import('jose');
  if (error instanceof errors.JWKSNoMatchingKey) return true;
  return error instanceof errors.JWSSignatureVerificationFailed && decodeProtectedHeader(token).kid === undefined;
}

function readClaims({ payload, protectedHeader }: JWTVerifyResult, check: TokenCheck): ExternalClaims | null {
  const { settings, now } = check;
  const { sub, exp = 0, iat = 0 } = payload;
  const seconds = now.getTime() / 1_000;
  if (!settings.tokenTypes.includes(normalizeType(protectedHeader.typ))) return null;
  if (NON_ACCESS_CLAIMS.some((claim) => Object.hasOwn(payload, claim))) return null;
  if (exp <= seconds || exp > LAST_SECOND || iat > seconds + TOLERANCE_SECONDS) return null;
  if (typeof sub !== 'string' || sub === '' || sub.length > MAX_SUBJECT_LENGTH || !isStorableText(sub)) return null;
  return {
    issuer: settings.issuer,
    subject: sub,
    verifiedEmail: readVerifiedEmail(payload),
    expiresAt: new Date(Math.floor(exp * 1_000)),
    canCreateAccount: settings.accounts === 'create',
  };
}

/** Normalizes the media type of a token, which can have any case and omit `application/`. The default is `jwt`. */
function normalizeType(typ: string | undefined): string {
  return (typ ?? 'JWT').toLowerCase().replace(/^application\//, '');
}

function readVerifiedEmail({ email, email_verified: verified }: JWTPayload): string | null {
  if (verified !== true) return null;
  const address = emailSchema().safeParse(email);
  return address.success ? address.data : null;
}
