/** Secrets of ours, found by their prefix. */
const OWN = /(alm_[a-z]{3}_)\w+/gi;

/** What a token consists of. Long enough that a name or an id of ours is none. */
const RUN = /[\w.-]{20,}/g;

/** Parts of a JWT: its header and its claims, and then its signature. */
const MIN_JWT_PART = 10;
/** Opaque tokens are longer, our ids shorter. */
const MIN_TOKEN = 40;

const HIDDEN = '[secret]';

/** More layers of encoding than any accident makes. */
const MAX_LAYERS = 6;

/**
 * A path in which what has the form of a secret is hidden, however it is encoded: sooner or later somebody puts a key
 * where its id belongs. What has none stays as it is.
 */
export function withoutSecretForms(path: string): string {
  return path
    .split('/')
    .map((segment) => {
      const plain = decoded(segment);
      if (plain === null) return HIDDEN;
      const hidden = hideSecrets(plain);
      return hidden === plain ? segment : hidden;
    })
    .join('/');
}

/** Secrets are ASCII, so nothing else needs to be read. Null: there is no end to it. */
function decoded(text: string): string | null {
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

/** Long and without sense. A readable name of ours can be as long, of words in small letters with hyphens between. */
function isToken(part: string): boolean {
  if (part.length < MIN_TOKEN) return false;
  return /[A-Z]/.test(part) || part.split('-').some((word) => word.length >= MIN_TOKEN && /\d/.test(word));
}
