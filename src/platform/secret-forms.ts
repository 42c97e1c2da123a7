/** Secrets of this service, recognized by their prefix. */
const OWN = /(alm_[a-z]{3}_)\w+/gi;

/** The characters of a token. Names and ids of this service are shorter. */
const RUN = /[\w.-]{20,}/g;

/** The header and the claims of a JWT; its signature follows. */
const MIN_JWT_PART = 10;
/** Opaque tokens are longer, ids of this service shorter. */
const MIN_TOKEN = 40;

const HIDDEN = '[secret]';

/** More layers of encoding than occur by accident. */
const MAX_LAYERS = 6;

/**
 * Returns a path with everything that looks like a secret hidden, however it is encoded: callers sometimes send a key
 * where its id belongs. A segment without a secret stays unchanged.
 */
export function withoutSecretForms(path: string): string {
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

/** Decodes ASCII, which all secrets are. Returns null when the layers of encoding exceed the limit. */
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

/** Recognizes long random text. A readable name can be as long, but has lowercase words with hyphens between them. */
function isToken(part: string): boolean {
  if (part.length < MIN_TOKEN) return false;
  return /[A-Z]/.test(part) || part.split('-').some((word) => word.length >= MIN_TOKEN && /\d/.test(word));
}
