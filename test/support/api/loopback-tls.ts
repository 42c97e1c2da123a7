import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { request } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';

export interface TlsProxy extends AsyncDisposable {
  readonly url: string;
}

/** Starts a proxy like the one in front of a public service: it terminates TLS and sets the X-Forwarded-* headers. */
export async function startTlsProxy(servicePort: () => number): Promise<TlsProxy> {
  const server = createServer(selfSigned(), (incoming, outgoing) => {
    const headers = {
      ...incoming.headers,
      'x-forwarded-proto': 'https',
      'x-forwarded-host': incoming.headers.host,
      'x-forwarded-for': incoming.socket.remoteAddress,
    };
    const { method, url: path } = incoming;
    const onward = request({ host: '127.0.0.1', port: servicePort(), method, path, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    onward.on('error', () => outgoing.destroy());
    incoming.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Creates a certificate for 127.0.0.1 that is valid for a day. */
export function selfSigned(): { readonly key: string; readonly cert: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const name = sequence(set(sequence(objectId('2.5.4.3'), tagged(0x0c, Buffer.from('loopback')))));
  const day = 86_400_000;
  const unsigned = sequence(
    tagged(0xa0, tagged(0x02, Buffer.from([2]))), // version 3
    tagged(0x02, Buffer.concat([Buffer.from([1]), randomBytes(15)])), // serial
    ECDSA_WITH_SHA256,
    name, // issuer
    sequence(utcTime(Date.now() - day), utcTime(Date.now() + day)),
    name, // subject
    publicKey.export({ type: 'spki', format: 'der' }),
    tagged(0xa3, sequence(alternativeName([127, 0, 0, 1]))),
  );
  const signature = sign('sha256', unsigned, privateKey);
  const certificate = sequence(unsigned, ECDSA_WITH_SHA256, tagged(0x03, Buffer.concat([Buffer.from([0]), signature])));
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${certificate.toString('base64')}\n-----END CERTIFICATE-----\n`,
  };
}

/** Encodes one DER element: tag, length and content. */
function tagged(tag: number, content: Buffer): Buffer {
  const { length } = content;
  if (length < 0x80) return Buffer.concat([Buffer.from([tag, length]), content]);
  const bytes = length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...bytes]), content]);
}

function sequence(...elements: readonly Buffer[]): Buffer {
  return tagged(0x30, Buffer.concat(elements));
}

function set(...elements: readonly Buffer[]): Buffer {
  return tagged(0x31, Buffer.concat(elements));
}

/** Encodes an object identifier: the first two numbers share a byte, later ones use seven bits per byte. */
function objectId(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  const bytes = rest.flatMap((number) => {
    const digits = [number & 0x7f];
    for (let left = number >> 7; left > 0; left >>= 7) digits.unshift((left & 0x7f) | 0x80);
    return digits;
  });
  return tagged(0x06, Buffer.from([40 * first + second, ...bytes]));
}

const ECDSA_WITH_SHA256 = sequence(objectId('1.2.840.10045.4.3.2'));

function utcTime(time: number): Buffer {
  const digits = new Date(time).toISOString().replace(/[-:T]|\.\d+/g, '');
  return tagged(0x17, Buffer.from(digits.slice(2)));
}

/** Browsers read the address only from this extension. */
function alternativeName(address: readonly number[]): Buffer {
  const names = sequence(tagged(0x87, Buffer.from(address)));
  return sequence(objectId('2.5.29.17'), tagged(0x04, names));
}
