import type { CryptoKey, JWTPayload, JWTVerifyOptions, JWTVerifyResult } from 'jose';
import { email as emailSchema, isStorableText } from '../../contract/index.ts';
import type { IssuerSettings } from '../../platform/index.ts';
import type { IssuerKeys, KeySet } from './issuer-keys.ts';

/** What an issuer says about the holder of a token that it signed for us. */
export interface OutsideClaims {
  readonly issuer: string;
  /** Who it is, by the issuer's own name for them: the only one that it never gives to anybody else. */
  readonly subject: string;
  /** An address that the issuer says is theirs, or null. */
  readonly verifiedEmail: string | null;
  readonly expiresAt: Date;
  /** Whether they may get an account here. */
  readonly mayCreate: boolean;
}

export interface TokenCheck {
  readonly settings: IssuerSettings;
  readonly audience: string;
  readonly keys: IssuerKeys;
  readonly now: Date;
}

/** For clocks that differ. An expiry is not stretched by it. */
const TOLERANCE_SECONDS = 30;
const LONGEST_SUBJECT = 255;
/** Keys of one kind that a token is tried with when it does not say which: each costs the work of a signature. */
const MAX_TRIES = 16;
/** The last second of the year 9999: what comes later is no time that can be stored or shown. */
const LAST_SECOND = 253_402_300_799;

/**
 * Claims of what is not an access token for its bearer: an ID token (nonce, at_hash, c_hash, s_hash), a logout token
 * (events), or a token that is good only together with a proof of a key (cnf).
 */
const FOREIGN_CLAIMS = ['nonce', 'at_hash', 'c_hash', 's_hash', 'events', 'cnf'];

/** What a token says, if this issuer signed it, for us, as an access token, and it is in force. */
export async function verifyToken(token: string, check: TokenCheck): Promise<OutsideClaims | null> {
  try {
    const verified = await verifySignature(token, check);
    return verified && readClaims(verified, check);
  } catch {
    // Not only the library's own errors: for a key that is malformed the runtime throws. It is the token or a key, always.
    return null;
  }
}

async function verifySignature(token: string, check: TokenCheck): Promise<JWTVerifyResult | null> {
  const keys = await check.keys.current();
  if (keys === null) return null;
  try {
    return await verifyWith(keys, token, check);
  } catch (error) {
    if (!(await mayBeRotated(error, token))) throw error;
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
  let fitting: AsyncIterable<CryptoKey>;
  try {
    return await jwtVerify(token, keys, options);
  } catch (error) {
    if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error;
    fitting = error;
  }
  let tries = 0;
  for await (const key of fitting) {
    try {
      return await jwtVerify(token, key, options);
    } catch (error) {
      // Of another key. Whatever else is wrong with a token is wrong with every key.
      if (!(error instanceof errors.JWSSignatureVerificationFailed)) throw error;
      if (++tries === MAX_TRIES) break;
    }
  }
  throw new errors.JWSSignatureVerificationFailed();
}

/** A key that we do not have; or, when the token names none, a signature that no key of ours made. */
async function mayBeRotated(error: unknown, token: string): Promise<boolean> {
  const { decodeProtectedHeader, errors } = await import('jose');
  if (error instanceof errors.JWKSNoMatchingKey) return true;
  return error instanceof errors.JWSSignatureVerificationFailed && decodeProtectedHeader(token).kid === undefined;
}

function readClaims({ payload, protectedHeader }: JWTVerifyResult, check: TokenCheck): OutsideClaims | null {
  const { settings, now } = check;
  const { sub, exp = 0, iat = 0 } = payload;
  const seconds = now.getTime() / 1_000;
  if (!settings.tokenTypes.includes(typeOf(protectedHeader.typ))) return null;
  if (FOREIGN_CLAIMS.some((claim) => Object.hasOwn(payload, claim))) return null;
  if (exp <= seconds || exp > LAST_SECOND || iat > seconds + TOLERANCE_SECONDS) return null;
  if (typeof sub !== 'string' || sub === '' || sub.length > LONGEST_SUBJECT || !isStorableText(sub)) return null;
  return {
    issuer: settings.issuer,
    subject: sub,
    verifiedEmail: verifiedEmailOf(payload),
    expiresAt: new Date(Math.floor(exp * 1_000)),
    mayCreate: settings.accounts === 'create',
  };
}

/** Media types are written in any case and mostly without their first half; a token without one is a plain JWT. */
function typeOf(typ: string | undefined): string {
  return (typ ?? 'JWT').toLowerCase().replace(/^application\//, '');
}

function verifiedEmailOf({ email, email_verified: verified }: JWTPayload): string | null {
  if (verified !== true) return null;
  const address = emailSchema().safeParse(email);
  return address.success ? address.data : null;
}
