import { Fault } from '../../contract/index.ts';

const LONGEST = 2_000;
const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];
/** RFC 8252, 7.1: a domain of the application's maker, backwards, so that no two applications mean the same. */
const PRIVATE_SCHEME = /^[a-z][a-z0-9+-]*(\.[a-z0-9+-]+)+:$/;

type Kind = 'https' | 'https on loopback' | 'http on loopback' | 'private scheme';

/** Throws the fault that names the address an application must not be sent to. */
export function checkRedirectUris(uris: readonly string[], confidential: boolean): void {
  if (uris.length === 0) throw new Fault('INVALID_REQUEST', 'redirect_uri: give at least one.');
  if (new Set(uris).size !== uris.length) throw new Fault('INVALID_REQUEST', 'redirect_uri: one is given twice.');
  const kinds = uris.map(checkedKind);
  if (confidential && kinds.includes('private scheme')) {
    throw new Fault(
      'INVALID_REQUEST',
      'redirect_uri: a private-use scheme belongs to an installed application, which can keep no secret. Leave --confidential out.',
    );
  }
  if (kinds.includes('https on loopback') && applicationType(uris, confidential) === 'native') {
    throw new Fault('INVALID_REQUEST', 'redirect_uri: an installed application uses http on loopback, not https.');
  }
}

/** Installed applications cannot know the port they will get, so that of a loopback address is not compared. */
export function applicationType(uris: readonly string[], confidential: boolean): 'native' | 'web' {
  const installed = uris.some((uri) => !/^https:/i.test(uri));
  return installed && !confidential ? 'native' : 'web';
}

function checkedKind(uri: string): Kind {
  const refuse = (what: string): never => {
    throw new Fault('INVALID_REQUEST', `redirect_uri: ${JSON.stringify(uri.slice(0, 200))} ${what}.`);
  };
  if (uri.length > LONGEST) return refuse(`is longer than ${LONGEST} characters`);
  if (/[\s*\\\p{Cc}\p{Cs}]/u.test(uri)) return refuse('must have no spaces, wildcards or backslashes');
  const url = URL.canParse(uri) ? new URL(uri) : refuse('must be an absolute address');
  if (uri.includes('#')) return refuse('must have no fragment');
  if (url.username !== '' || url.password !== '') return refuse('must have no user name');
  if (url.port === '0') return refuse('must have a port that can be reached, or none');
  // Applications are compared letter by letter: one that is written in another way would never match, or surprise.
  if (url.href !== uri && url.href !== `${uri}/`)
    return refuse(`must be written in full, as ${url.href.slice(0, 200)}`);
  const loopback = LOOPBACK.includes(url.hostname);
  if (url.protocol === 'https:') return loopback ? 'https on loopback' : 'https';
  if (url.protocol === 'http:') {
    return loopback ? 'http on loopback' : refuse('must be https; plain http is for loopback addresses only');
  }
  if (PRIVATE_SCHEME.test(url.protocol)) return 'private scheme';
  return refuse('must be https, http on loopback, or have a private-use scheme with a dot such as com.example.app');
}
