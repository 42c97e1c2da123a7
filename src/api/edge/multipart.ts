import type { FastifyRequest } from 'fastify';
import { multipartInvalid, multipartRequired, uploadTooLarge } from './faults.ts';
import { readChunks } from './upload-body.ts';

/** A form with fields and, as its last part, a file. */
export interface UploadForm {
  readonly fields: Readonly<Record<string, string>>;
  /** Null if no file was chosen. */
  readonly file: UploadedFile | null;
  /** Drops what has not been read. The rest of the body must be read before most browsers show the response. */
  close(): Promise<void>;
}

interface UploadedFile {
  /** The name that the browser sent. */
  readonly name: string;
  /** The bytes of the file, to be read once. */
  readonly chunks: AsyncIterable<Buffer>;
}

const TYPE = /^multipart\/form-data\s*;\s*boundary\s*=\s*(?:"([^"\s]{1,70})"|([^\s";,]{1,70}))\s*$/i;

const MAX_FIELDS = 20;
/** Maximum size of the headers of one part. */
const MAX_HEAD = 4 * 1024;
/** Maximum size of all parts besides the file. */
const MAX_FORM = 32 * 1024;

const HEAD_END = Buffer.from('\r\n\r\n');
const DISPOSITION = /^content-disposition:\s*form-data\s*;\s*name="([^"\r\n]*)"(?:\s*;\s*filename="([^"\r\n]*)")?\s*$/i;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Reads a form up to its file, whose bytes are read as they arrive. Only the form of a page is accepted: each field once,
 * in UTF-8, then one file.
 *
 * @param limit the maximum size of the file
 */
export async function openUploadForm(request: FastifyRequest, limit: number): Promise<UploadForm> {
  const {
    'content-type': type = '',
    'content-encoding': encoding = 'identity',
    'content-length': length = '0',
  } = request.headers;
  const [, quoted, plain] = TYPE.exec(type) ?? [];
  const boundary = quoted ?? plain;
  if (boundary === undefined || encoding !== 'identity') throw multipartRequired();
  if (Number(length) > limit + MAX_FORM) throw uploadTooLarge(limit);
  const parts = new Parts(readChunks(request, limit + MAX_FORM), boundary);
  try {
    return await readForm(parts, limit);
  } catch (error) {
    await parts.close();
    throw error;
  }
}

async function readForm(parts: Parts, limit: number): Promise<UploadForm> {
  const fields = new Map<string, string>();
  const close = () => parts.close();
  for (;;) {
    const head = await parts.next();
    if (head === null) return { fields: Object.fromEntries(fields), file: null, close };
    const { name, fileName } = head;
    if (fields.has(name)) throw multipartInvalid(`the field ${JSON.stringify(name.slice(0, 60))} appears twice`);
    if (fileName !== null) {
      const file = { name: fileName, chunks: parts.readFile(limit) };
      return { fields: Object.fromEntries(fields), file: fileName === '' ? null : file, close };
    }
    if (fields.size >= MAX_FIELDS) throw multipartInvalid(`it has more than ${MAX_FIELDS} fields`);
    fields.set(name, await parts.readText());
  }
}

interface Head {
  readonly name: string;
  /** Null for a field that is not a file. */
  readonly fileName: string | null;
}

/** Splits a body into its parts as it arrives. */
class Parts {
  readonly #chunks: AsyncGenerator<Buffer>;
  readonly #delimiter: Buffer;
  // The first boundary has no line break before it.
  #bytes: Buffer = Buffer.from('\r\n');
  #formBytes = 0;
  #isFirst = true;

  constructor(chunks: AsyncGenerator<Buffer>, boundary: string) {
    this.#chunks = chunks;
    this.#delimiter = Buffer.from(`\r\n--${boundary}`);
  }

  async close(): Promise<void> {
    await this.#chunks.return(undefined);
  }

  /** Reads the headers of the next part; null at the end of the form. */
  async next(): Promise<Head | null> {
    if (this.#isFirst) {
      while (this.#bytes.length < this.#delimiter.length) await this.#more();
      if (!this.#bytes.subarray(0, this.#delimiter.length).equals(this.#delimiter)) {
        throw multipartInvalid('it does not begin with its boundary');
      }
      this.#take(this.#delimiter.length);
      this.#isFirst = false;
    }
    while (this.#bytes.length < 2) await this.#more();
    const after = this.#take(2).toString('latin1');
    if (after === '--') return null;
    if (after !== '\r\n') throw multipartInvalid('a boundary is not followed by a line break');
    const head = await this.#readUntil(HEAD_END, MAX_HEAD, 'the headers of a part are too long');
    return readHead(decode(head));
  }

  async readText(): Promise<string> {
    return decode(await this.#readUntil(this.#delimiter, MAX_FORM, 'its fields are too long'));
  }

  /** Yields the bytes of a file up to the boundary, which must end the form. */
  async *readFile(limit: number): AsyncGenerator<Buffer> {
    let bytes = 0;
    const count = (part: Buffer): Buffer => {
      bytes += part.length;
      if (bytes > limit) throw uploadTooLarge(limit);
      return part;
    };
    for (;;) {
      const end = this.#bytes.indexOf(this.#delimiter);
      if (end >= 0) {
        if (end > 0) yield count(this.#take(end));
        this.#take(this.#delimiter.length);
        if ((await this.next()) !== null) throw multipartInvalid('another part follows the file');
        return;
      }
      // The end of the bytes can be the beginning of a boundary.
      const certain = this.#bytes.length - this.#delimiter.length;
      if (certain > 0) yield count(this.#take(certain));
      await this.#more();
    }
  }

  async #readUntil(mark: Buffer, limit: number, problem: string): Promise<Buffer> {
    for (let from = 0; ; ) {
      const end = this.#bytes.indexOf(mark, from);
      if ((end < 0 ? this.#bytes.length - mark.length : end) > limit) throw multipartInvalid(problem);
      if (end < 0) {
        from = Math.max(0, this.#bytes.length - mark.length);
        await this.#more();
        continue;
      }
      const found = this.#take(end);
      this.#take(mark.length);
      this.#formBytes += found.length;
      if (this.#formBytes > MAX_FORM) throw multipartInvalid(problem);
      return found;
    }
  }

  #take(length: number): Buffer {
    const taken = this.#bytes.subarray(0, length);
    this.#bytes = this.#bytes.subarray(length);
    return taken;
  }

  async #more(): Promise<void> {
    const { value, done } = await this.#chunks.next();
    if (done) throw multipartInvalid('it ends before its last boundary');
    this.#bytes = this.#bytes.length === 0 ? value : Buffer.concat([this.#bytes, value]);
  }
}

function readHead(text: string): Head {
  const found = text.split('\r\n').filter((line) => /^content-disposition:/i.test(line));
  const [, name, fileName = null] = found.length === 1 ? (DISPOSITION.exec(found[0] ?? '') ?? []) : [];
  if (name === undefined) throw multipartInvalid('a part has no valid Content-Disposition');
  return { name: readName(name), fileName: fileName === null ? null : readName(fileName) };
}

/** Browsers write quotes and line breaks in names in this way. */
function readName(text: string): string {
  return text.replaceAll('%22', '"').replace(/%0[DA]/gi, ' ');
}

function decode(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw multipartInvalid('it is not valid UTF-8');
  }
}
