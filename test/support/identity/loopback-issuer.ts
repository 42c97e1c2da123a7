import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, type JWTHeaderParameters, SignJWT } from 'jose';

/** Answers one request, correctly or not. */
export type Reply = (request: IncomingMessage, response: ServerResponse) => void;

export interface SigningKey {
  readonly kid: string;
  readonly alg: string;
  readonly privateKey: CryptoKey;
  /** As the key set publishes it. A test may corrupt it. */
  readonly published: JWK;
}

/** Overrides of a valid token. Undefined removes a claim or a header. */
export interface TokenSpec {
  readonly claims?: Readonly<Record<string, unknown>>;
  readonly header?: Readonly<Record<string, unknown>>;
  readonly key?: SigningKey;
}

export interface LoopbackIssuer extends AsyncDisposable {
  readonly url: string;
  /** The published keys, the newest last. Changing them is a rotation. */
  readonly keys: SigningKey[];
  /** Replies that replace the valid ones, by path, until a test removes them. */
  readonly faults: Map<string, Reply>;
  /** The requested paths, in order. */
  readonly requests: string[];
  /** Returns a token signed by the newest key, valid for five minutes. */
  sign(spec?: TokenSpec): Promise<string>;
}

export const DISCOVERY = '/.well-known/openid-configuration';
export const KEYS = '/keys';

export interface LoopbackIssuerOptions {
  readonly audience: string;
  /** The time of its clock. */
  readonly now?: () => Date;
}

/** Starts an OpenID issuer over real HTTP on loopback, with its own keys and the faults that a test sets. */
export async function startLoopbackIssuer({
  audience,
  now = () => new Date(),
}: LoopbackIssuerOptions): Promise<LoopbackIssuer> {
  const keys = [await makeSigningKey()];
  const faults = new Map<string, Reply>();
  const requests: string[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    requests.push(path);
    const valid = path === DISCOVERY ? sendDiscovery : path === KEYS ? sendKeys : answer(404);
    (faults.get(path) ?? valid)(request, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const sendDiscovery: Reply = (...exchange) => sendJson({ issuer: url, jwks_uri: `${url}${KEYS}` })(...exchange);
  const sendKeys: Reply = (...exchange) => sendJson({ keys: keys.map(({ published }) => published) })(...exchange);
  return {
    url,
    keys,
    faults,
    requests,
    async sign({ claims = {}, header = {}, key = keys.at(-1) } = {}) {
      if (key === undefined) throw new Error('The issuer has no key.');
      const seconds = Math.floor(now().getTime() / 1_000);
      const payload = { iss: url, aud: audience, sub: 'alice', iat: seconds, exp: seconds + 300, ...claims };
      const head = { alg: key.alg, kid: key.kid, typ: 'at+jwt', ...header };
      return new SignJWT(withoutUndefined(payload))
        .setProtectedHeader(withoutUndefined(head) as JWTHeaderParameters)
        .sign(key.privateKey);
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

let created = 0;

export async function makeSigningKey(alg = 'ES256', kid = `key-${++created}`): Promise<SigningKey> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  return { kid, alg, privateKey, published: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' } };
}

export function sendJson(value: unknown): Reply {
  return answer(200, {}, JSON.stringify(value));
}

export function answer(status: number, headers: Record<string, string> = {}, body = ''): Reply {
  return (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
  };
}

/** Accepts the request and never responds. */
export const hang: Reply = () => {};

function withoutUndefined(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}
