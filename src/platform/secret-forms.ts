/** The secrets of this service, which have a known prefix. */
const OWN = /(alm_[a-z]{3}_)\w+/gi;

/** A run of characters that can be a token. */
const RUN = /[\w.-]{20,}/g;

/** A path that does not match contains no secret. Most paths do not match. */
const SUSPICIOUS = /%|alm_|[\w.-]{20}/i;

/** Minimum length of the first two parts of a JWT, its header and its claims. */
const MIN_JWT_PART = 10;
/** Minimum length of a string that counts as an opaque token. The ids of this service are shorter. */
const MIN_TOKEN = 40;

const HIDDEN = '[secret]';

/** Maximum number of layers of percent-encoding that are decoded: more do not occur by accident. */
const MAX_LAYERS = 6;

/**
 * Returns a path in which everything that looks like a secret is hidden, even if it is percent-encoded: callers sometimes
 * send a key in place of its id. A segment without a secret stays unchanged.
 */
export function withoutSecretForms(path: string): string {
  if (!SUSPICIOUS.test(path)) return path;
  return path
    .split('/')
    .map((segment) => {
      const plain = decode(segment);
      if (plain === null) return HIDDEN;
      const hidden = hideSecrets(plain);
      return hidden === plain ? segment : hidden;
    })
    .join('/');
}

/**
 * Decodes percent-encoded ASCII, because all secrets are ASCII. Returns null if there are too many layers of encoding.
 */
function decode(text: string): string | null {
  let plain = text;
  for (let layer = 0; layer < MAX_LAYERS; layer++) {
    const inner = plain.replace(/%([0-7][\da-f])/gi, (_, byte) => String.fromCharCode(Number.parseInt(byte, 16)));
    if (inner === plain) return plain;
    plain = inner;
  }
  return null;
}

function hideSecrets(text: string): string {
  return text.replace(OWN, `$1${HIDDEN}`).replace(RUN, (run) => {
    const parts = run.split('.');
    const isJwt = parts.length >= 3 && parts.slice(0, 2).every(({ length }) => length >= MIN_JWT_PART);
    return isJwt ? HIDDEN : parts.map((part) => (isToken(part) ? HIDDEN : part)).join('.');
  });
}

/** Returns whether a string is long and looks random. A readable name can be as long, but consists of hyphenated words. */
function isToken(part: string): boolean {
  if (part.length < MIN_TOKEN) return false;
  return /[A-Z]/.test(part) || part.split('-').some((word) => word.length >= MIN_TOKEN && /\d/.test(word));
}
