import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { SaxesParser, type SaxesTagPlain } from 'saxes';

/** The error for bytes that are not a well-formed XML document within the limits. It contains no part of them. */
export class XmlError extends Error {
  override readonly name = 'XmlError';
}

/** Receives the parts of a document in their order. Names have no namespace prefix. */
export interface XmlHandler {
  open(name: string, attributes: Readonly<Record<string, string>>): void;
  /** Receives text between tags. Text that is written in several pieces arrives in several calls. */
  text(text: string): void;
  close(name: string): void;
}

/** Parsing this many bytes takes about 2 ms. */
const STEP_BYTES = 64 * 1024;
/** Several times the depth of a structure message. */
const MAX_DEPTH = 64;
/** Several times the elements of the largest structure message, which has about 200,000 codes. */
const MAX_ELEMENTS = 2_000_000;

/**
 * Parses an XML document in steps, and lets other work run between them. Only the five entities of XML are replaced. A
 * document type declaration is refused, because it could define further entities. Throws an `XmlError` for any other
 * document; errors that the handler throws are passed on.
 *
 * @example await parseXml(bytes, { open: (name) => names.push(name), text: () => {}, close: () => {} });
 */
export async function parseXml(bytes: Uint8Array, handler: XmlHandler): Promise<void> {
  const parser = createParser(handler);
  const decoder = new TextDecoder('utf-8', { fatal: true });
  for (let from = 0; from < bytes.length; from += STEP_BYTES) {
    if (from > 0) await yieldToEventLoop();
    parser.write(decode(decoder, bytes.subarray(from, from + STEP_BYTES)));
  }
  parser.write(decode(decoder));
  parser.close();
}

function createParser(handler: XmlHandler): SaxesParser<{ xmlns: false; position: false }> {
  const parser = new SaxesParser({ xmlns: false, position: false });
  let depth = 0;
  let elements = 0;
  parser.on('error', () => {
    throw new XmlError('The document is not well-formed.');
  });
  parser.on('doctype', () => {
    throw new XmlError('The document has a document type declaration.');
  });
  parser.on('opentag', ({ name, attributes }: SaxesTagPlain) => {
    depth += 1;
    elements += 1;
    if (depth > MAX_DEPTH) throw new XmlError('The elements are nested too deeply.');
    if (elements > MAX_ELEMENTS) throw new XmlError('The document has too many elements.');
    handler.open(localName(name), attributes);
  });
  parser.on('closetag', ({ name }: SaxesTagPlain) => {
    depth -= 1;
    handler.close(localName(name));
  });
  parser.on('text', (text) => handler.text(text));
  parser.on('cdata', (text) => handler.text(text));
  return parser;
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

function decode(decoder: InstanceType<typeof TextDecoder>, bytes?: Uint8Array): string {
  try {
    return bytes === undefined ? decoder.decode() : decoder.decode(bytes, { stream: true });
  } catch {
    throw new XmlError('The document is not UTF-8.');
  }
}
