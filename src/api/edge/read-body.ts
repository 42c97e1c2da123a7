import type { FastifyInstance, FastifyRequest } from 'fastify';
import {
  bodyEmpty,
  bodyEncoded,
  bodyNotJson,
  bodyNotUtf8,
  bodyTooDeep,
  invalidJson,
  protoFieldRefused,
} from '../faults.ts';

/**
 * Maximum nesting depth of a body. Valid bodies are nested less deeply, and only far deeper ones could exhaust the
 * stack.
 */
const MAX_DEPTH = 32;

const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?$/i;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Parses JSON bodies. One parser serves every media type, because an operation without a body ignores any body that a
 * client's library sends.
 */
export function readBodies(app: FastifyInstance): void {
  // The framework refuses an invalid media type before it calls any parser.
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
      done(null, parseJson(readText(request, body as Buffer)));
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
    throw invalidJson((error as SyntaxError).message);
  }
  // The name can also be written with escapes. Few bodies contain the name or an escape, so few are searched.
  if (/__proto__|\\u/.test(text)) refuseProtoKeys(value);
  return value;
}

/** Refuses the key `__proto__`, which would change the prototype of an object it is copied to. */
function refuseProtoKeys(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  if (Object.hasOwn(value, '__proto__')) throw protoFieldRefused();
  for (const inner of Object.values(value)) refuseProtoKeys(inner);
}

/** Decodes a body after checking its media type, encoding and depth. */
function readText(request: FastifyRequest, body: Buffer): string {
  const type = request.headers['content-type'];
  if (type === undefined || !JSON_TYPE.test(type)) throw bodyNotJson();
  if ((request.headers['content-encoding'] ?? 'identity') !== 'identity') throw bodyEncoded();
  if (body.length === 0) throw bodyEmpty();
  let text: string;
  try {
    text = utf8.decode(body);
  } catch {
    throw bodyNotUtf8();
  }
  if (depthOf(text) > MAX_DEPTH) throw bodyTooDeep(MAX_DEPTH);
  return text;
}

/** Returns the nesting depth of a JSON text without parsing it. */
export function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  let inString = false;
  for (let i = 0; i < text.length; i++) {
    const char = text.charCodeAt(i);
    if (inString) {
      if (char === 0x5c)
        i++; // A backslash escapes the next character.
      else if (char === 0x22) inString = false;
    } else if (char === 0x22) inString = true;
    else if (char === 0x7b || char === 0x5b) deepest = Math.max(deepest, ++depth);
    else if (char === 0x7d || char === 0x5d) depth--;
  }
  return deepest;
}
