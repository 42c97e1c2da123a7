import {
  duplicateRedirectUri,
  httpsLoopbackForNative,
  invalidRedirectUri,
  noRedirectUri,
  privateSchemeForConfidential,
} from '../faults.ts';
import { deriveApplicationType } from './configuration.ts';

const MAX_LENGTH = 2_000;
const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];
/** A domain of the developer in reverse order, so that no two applications share a scheme (RFC 8252, section 7.1). */
const PRIVATE_SCHEME = /^[a-z][a-z0-9+-]*(\.[a-z0-9+-]+)+:$/;

type Kind = 'https' | 'https on loopback' | 'http on loopback' | 'private scheme';

/** Checks that a client may be registered with these redirect URIs. Throws a fault that names the problem. */
export function checkRedirectUris(uris: readonly string[], confidential: boolean): void {
  if (uris.length === 0) throw noRedirectUri();
  if (new Set(uris).size !== uris.length) throw duplicateRedirectUri();
  const kinds = uris.map(checkRedirectUri);
  if (confidential && kinds.includes('private scheme')) throw privateSchemeForConfidential();
  if (kinds.includes('https on loopback') && deriveApplicationType(uris, confidential) === 'native') {
    throw httpsLoopbackForNative();
  }
}

function checkRedirectUri(uri: string): Kind {
  const refuse = (problem: string): never => {
    throw invalidRedirectUri(uri, problem);
  };
  if (uri.length > MAX_LENGTH) return refuse(`is longer than ${MAX_LENGTH} characters`);
  if (/[\s*\\\p{Cc}\p{Cs}]/u.test(uri)) return refuse('must not contain spaces, wildcards or backslashes');
  const url = URL.canParse(uri) ? new URL(uri) : refuse('must be an absolute URL');
  if (uri.includes('#')) return refuse('must not have a fragment');
  if (url.username !== '' || url.password !== '') return refuse('must not contain a user name or password');
  if (url.port === '0') return refuse('must not have port 0');
  // Redirect URIs are compared as text. A URI in another form might not match, or might match unexpectedly.
  if (url.href !== uri && url.href !== `${uri}/`)
    return refuse(`must be written in its full form, ${url.href.slice(0, 200)}`);
  const loopback = LOOPBACK.includes(url.hostname);
  if (url.protocol === 'https:') return loopback ? 'https on loopback' : 'https';
  if (url.protocol === 'http:') {
    return loopback ? 'http on loopback' : refuse('must use https; http is allowed on loopback only');
  }
  if (PRIVATE_SCHEME.test(url.protocol)) return 'private scheme';
  return refuse('must use https, http on loopback, or a private-use scheme with a dot such as com.example.app');
}
