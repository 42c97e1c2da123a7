import type { FastifyInstance } from 'fastify';
import { Fault } from '../../../../contract/index.ts';

/** The forms of the pages are small: two addresses and two passwords fit many times. */
export const FORM_LIMIT = 16 * 1024;

const FORM_TYPE = /^application\/x-www-form-urlencoded\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?$/i;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** In this context bodies are forms, as a browser sends them, and nothing else. */
export function readForms(context: FastifyInstance): void {
  context.removeAllContentTypeParsers();
  const options = { parseAs: 'buffer', bodyLimit: FORM_LIMIT } as const;
  context.addContentTypeParser('*', options, (request, body: Buffer, done) => {
    try {
      const { 'content-type': type = '', 'content-encoding': encoding = 'identity' } = request.headers;
      if (!FORM_TYPE.test(type) || encoding !== 'identity') {
        throw new Fault('UNSUPPORTED_MEDIA_TYPE', 'This is not a form as browsers send it.');
      }
      done(null, parseForm(body));
    } catch (error) {
      done(error as Error);
    }
  });
}

/**
 * The fields of a form. A field that comes twice is refused: the two could be understood differently by whoever looks
 * at the request before us.
 */
export function parseForm(body: Buffer): Record<string, string> {
  const fields = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(decode(body))) {
    if (fields.has(name)) {
      throw new Fault('INVALID_REQUEST', `${name.slice(0, 60)}: is there twice. Send each field once.`);
    }
    fields.set(name, value);
  }
  return Object.fromEntries(fields);
}

/** The text of a form. Letters that are no UTF-8 are refused, also encoded: they would be replaced, and be others. */
function decode(body: Buffer): string {
  try {
    const text = utf8.decode(body);
    for (const [encoded] of text.matchAll(/(?:%[\da-f]{2})+/gi)) decodeURIComponent(encoded);
    return text;
  } catch {
    throw new Fault('INVALID_REQUEST', 'The form is not valid UTF-8.');
  }
}
