import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Fault } from '../../contract/index.ts';

/** Deeper than any body of ours, far from what could exhaust a stack. */
const MAX_DEPTH = 32;

const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?$/i;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Reads bodies as the operation wants them. One parser for every media type, because an operation without a body must
 * not care what a client's library sends along.
 */
export function readBodies(app: FastifyInstance): void {
  // The framework refuses a media type that it cannot read before it asks any parser.
  app.addHook('onRequest', (request, _reply, done) => {
    const { operation } = request.routeOptions.config;
    if (operation && !operation.body && !operation.upload) delete request.headers['content-type'];
    done();
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (request, body, done) => {
    const { operation } = request.routeOptions.config;
    if (!operation?.body) return done(null, undefined);
    try {
      done(null, parseJson(checkedText(request, body as Buffer)));
    } catch (error) {
      done(error as Error);
    }
  });
}

function parseJson(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Fault('INVALID_REQUEST', `The body is not valid JSON: ${(error as SyntaxError).message}.`);
  }
  // The name can be spelt with escapes, too. Nearly every body has neither, and is not searched.
  if (/__proto__|\\u/.test(text)) refuseProtoKeys(value);
  return value;
}

/** A key `__proto__` changes the object it is copied to. No field of ours has that name. */
function refuseProtoKeys(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  if (Object.hasOwn(value, '__proto__')) {
    throw new Fault('INVALID_REQUEST', 'body: the field name "__proto__" is not allowed.');
  }
  for (const inner of Object.values(value)) refuseProtoKeys(inner);
}

function checkedText(request: FastifyRequest, body: Buffer): string {
  const type = request.headers['content-type'];
  if (type === undefined || !JSON_TYPE.test(type)) {
    throw new Fault('UNSUPPORTED_MEDIA_TYPE', 'Send the body as application/json (UTF-8).');
  }
  if ((request.headers['content-encoding'] ?? 'identity') !== 'identity') {
    throw new Fault('UNSUPPORTED_MEDIA_TYPE', 'Send the body as it is, without a Content-Encoding.');
  }
  if (body.length === 0) throw new Fault('INVALID_REQUEST', 'The body is empty; a JSON object is expected.');
  let text: string;
  try {
    text = utf8.decode(body);
  } catch {
    throw new Fault('INVALID_REQUEST', 'The body is not valid UTF-8.');
  }
  if (depthOf(text) > MAX_DEPTH)
    throw new Fault('INVALID_REQUEST', `The body is nested deeper than ${MAX_DEPTH} levels.`);
  return text;
}

/** How deeply a JSON text is nested, without parsing it. */
export function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  let inString = false;
  for (let i = 0; i < text.length; i++) {
    const char = text.charCodeAt(i);
    if (inString) {
      if (char === 0x5c)
        i++; // a backslash hides the next character
      else if (char === 0x22) inString = false;
    } else if (char === 0x22) inString = true;
    else if (char === 0x7b || char === 0x5b) deepest = Math.max(deepest, ++depth);
    else if (char === 0x7d || char === 0x5d) depth--;
  }
  return deepest;
}
