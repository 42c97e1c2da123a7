import { createHash, createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/**
 * Returns the code with which S3 refuses a request, or null if its signature (AWS Signature Version 4) is right. It is
 * written from the specification, because s3rver does not check these signatures.
 */
export function checkSignature(
  { method, url = '', headers }: IncomingMessage,
  body: Buffer,
  secret: string,
): string | null {
  const pattern =
    /^AWS4-HMAC-SHA256 Credential=[^/]+\/(\d{8}\/[^/]+\/s3\/aws4_request), SignedHeaders=([^,]+), Signature=(\w+)$/;
  const [, scope = '', signed = '', signature] = pattern.exec(headers.authorization ?? '') ?? [];
  const hash = sha256(body);
  if (headers['x-amz-content-sha256'] !== hash) return 'XAmzContentSHA256Mismatch';
  const names = signed.split(';');
  for (const name of ['host', 'x-amz-content-sha256', 'x-amz-date']) if (!names.includes(name)) return 'AccessDenied';
  const [path, query = ''] = url.split('?');
  const lines = names.map((name) => `${name}:${String(headers[name]).trim()}\n`).join('');
  const canonical = [method, path, query, lines, signed, hash].join('\n');
  const text = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, sha256(canonical)].join('\n');
  const key = scope.split('/').reduce<string | Buffer>((from, part) => hmac(from, part), `AWS4${secret}`);
  return hmac(key, text).toString('hex') === signature ? null : 'SignatureDoesNotMatch';
}

function sha256(data: Buffer | string): string {
  return createHash('sha256').update(data).digest('hex');
}

function hmac(key: string | Buffer, data: string): Buffer {
  return createHmac('sha256', key).update(data).digest();
}
