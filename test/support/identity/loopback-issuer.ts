import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, type JWTHeaderParameters, SignJWT } from 'jose';

/** Answers one request, well or badly. */
export type Reply = (request: IncomingMessage, response: ServerResponse) => void;

export interface SigningKey {
  readonly kid: string;
  readonly alg: string;
  readonly privateKey: CryptoKey;
  /** As the key set shows it. A test may spoil it. */
  readonly shown: JWK;
}

/** What a token is to say; what is left out is what an honest issuer says. Undefined leaves a claim or a header out. */
export interface TokenSpec {
  readonly claims?: Readonly<Record<string, unknown>>;
  readonly header?: Readonly<Record<string, unknown>>;
  readonly key?: SigningKey;
}

export interface LoopbackIssuer extends AsyncDisposable {
  readonly url: string;
  /** The keys that it shows, the newest last. A change is a rotation. */
  readonly keys: SigningKey[];
  /** Take the place of the honest answer, by path, until they are removed. */
  readonly faults: Map<string, Reply>;
  /** The paths that were asked, in order. */
  readonly asked: string[];
  /** A token signed by the newest key, good for five minutes from now on. */
  sign(spec?: TokenSpec): Promise<string>;
}

export const DISCOVERY = '/.well-known/openid-configuration';
export const KEYS = '/keys';

export interface LoopbackIssuerOptions {
  readonly audience: string;
  /** The moment of its clock. */
  readonly now?: () => Date;
}

/** An OpenID issuer over real HTTP on this machine, with keys of its own and the faults it is told to show. */
export async function startLoopbackIssuer({
  audience,
  now = () => new Date(),
}: LoopbackIssuerOptions): Promise<LoopbackIssuer> {
  const keys = [await makeSigningKey()];
  const faults = new Map<string, Reply>();
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    asked.push(path);
    const honest = path === DISCOVERY ? sendDiscovery : path === KEYS ? sendKeys : answer(404);
    (faults.get(path) ?? honest)(request, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const sendDiscovery: Reply = (...exchange) => sendJson({ issuer: url, jwks_uri: `${url}${KEYS}` })(...exchange);
  const sendKeys: Reply = (...exchange) => sendJson({ keys: keys.map(({ shown }) => shown) })(...exchange);
  return {
    url,
    keys,
    faults,
    asked,
    async sign({ claims = {}, header = {}, key = keys.at(-1) } = {}) {
      if (key === undefined) throw new Error('The issuer has no key.');
      const seconds = Math.floor(now().getTime() / 1_000);
      const said = { iss: url, aud: audience, sub: 'alice', iat: seconds, exp: seconds + 300, ...claims };
      const head = { alg: key.alg, kid: key.kid, typ: 'at+jwt', ...header };
      return new SignJWT(present(said)).setProtectedHeader(present(head) as JWTHeaderParameters).sign(key.privateKey);
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

let made = 0;

export async function makeSigningKey(alg = 'ES256', kid = `key-${++made}`): Promise<SigningKey> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  return { kid, alg, privateKey, shown: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' } };
}

export function sendJson(value: unknown): Reply {
  return answer(200, {}, JSON.stringify(value));
}

export function answer(status: number, headers: Record<string, string> = {}, body = ''): Reply {
  return (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
  };
}

/** Takes the request and says nothing. */
export const hang: Reply = () => {};

function present(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}
