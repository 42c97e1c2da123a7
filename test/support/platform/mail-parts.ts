/** A part of an email without nested parts. */
export interface MailPart {
  /** Its header lines, unfolded. */
  readonly headers: readonly string[];
  /** Such as text/plain. */
  readonly type: string;
  readonly bytes: Buffer;
}

/** Returns the parts of an email in order; a single one for an email of one part. */
export function mailParts(source: string): MailPart[] {
  const end = source.indexOf('\r\n\r\n');
  const headers = source
    .slice(0, end)
    .replaceAll(/\r\n[ \t]+/g, ' ')
    .split('\r\n');
  const body = source.slice(end + 4);
  const type = headerOf(headers, 'content-type') ?? 'text/plain';
  const [, boundary] = /^multipart\/.*boundary="?([^";]+)/i.exec(type) ?? [];
  if (boundary === undefined) {
    const encoding = headerOf(headers, 'content-transfer-encoding') ?? '7bit';
    return [{ headers, type: type.split(';')[0] ?? '', bytes: decodeBody(body, encoding.toLowerCase()) }];
  }
  return body
    .split(`--${boundary}`)
    .slice(1, -1)
    .flatMap((part) => mailParts(part.replace(/^\r\n/, '').replace(/\r\n$/, '')));
}

/** Returns the value of the first header with a name. */
export function headerOf(headers: readonly string[], name: string): string | undefined {
  const start = `${name.toLowerCase()}: `;
  return headers.find((line) => line.toLowerCase().startsWith(start))?.slice(start.length);
}

function decodeBody(body: string, encoding: string): Buffer {
  if (encoding === 'base64') return Buffer.from(body, 'base64');
  const text = body.replaceAll('\r\n', '\n');
  if (encoding !== 'quoted-printable') return Buffer.from(text);
  const bytes = text
    .replaceAll('=\n', '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1');
}
