import { createHash, type Hash } from 'node:crypto';
import { type FileHandle, open, readFile, rm, writeFile } from 'node:fs/promises';
import { z } from 'zod';

/** What has to be known of a file on a server to go on with it later. */
const Note = z.object({ url: z.string(), etag: z.string().optional(), size: z.number().optional() });
export type Note = z.output<typeof Note>;

/** The bytes that came so far. They survive the end of the process, however that comes. */
export interface PartFile extends AsyncDisposable {
  readonly path: string;
  readonly offset: number;
  readonly note: Note | undefined;
  append(chunk: Uint8Array): Promise<void>;
  /** Forgets what is here and begins a file that is described by `note`. */
  startOver(note?: Note): Promise<void>;
  /** The size became known. */
  learn(size: number): Promise<void>;
  /** The sha256 of all bytes so far. */
  digest(): string;
  /** Brings the bytes to the disk and forgets the note. The file stays open: whoever renames it may do so now. */
  finish(): Promise<void>;
  discard(): Promise<void>;
}

/** Opens the part at `path` (with its note beside it) and hashes what is there; without a usable note it begins anew. */
export async function openPart(path: string, url: string): Promise<PartFile> {
  const notePath = `${path}.json`;
  const file = await open(path, 'a+', 0o600);
  let hash = createHash('sha256');
  let offset = 0;
  let note: Note | undefined;

  const startOver = async (next?: Note) => {
    // A device that stands in for a file cannot be cut, and need not be.
    if ((await file.stat()).size > 0) await file.truncate(0);
    [hash, offset, note] = [createHash('sha256'), 0, next];
    if (next === undefined) await rm(notePath, { force: true });
    else await writeFile(notePath, JSON.stringify(next), { mode: 0o600 });
  };

  try {
    note = await readNote(notePath, url);
    if (note === undefined) await startOver();
    else offset = await hashInto(hash, file);
    if (note?.size !== undefined && offset > note.size) await startOver();
  } catch (error) {
    await file.close();
    throw error;
  }

  return {
    path,
    get offset() {
      return offset;
    },
    get note() {
      return note;
    },
    async append(chunk) {
      await file.appendFile(chunk);
      hash.update(chunk);
      offset += chunk.byteLength;
    },
    startOver,
    async learn(size) {
      if (note === undefined || note.size === size) return;
      note = { ...note, size };
      await writeFile(notePath, JSON.stringify(note), { mode: 0o600 });
    },
    digest: () => hash.copy().digest('hex'),
    async finish() {
      await file.sync();
      await rm(notePath, { force: true });
    },
    async discard() {
      await rm(notePath, { force: true });
      await rm(path, { force: true });
    },
    [Symbol.asyncDispose]: () => file.close(),
  };
}

/** A note of another address says nothing of this one; one that cannot be read is as good as none. */
async function readNote(path: string, url: string): Promise<Note | undefined> {
  try {
    const note = Note.parse(JSON.parse(await readFile(path, 'utf8')));
    return note.url === url ? note : undefined;
  } catch {
    return undefined;
  }
}

async function hashInto(hash: Hash, file: FileHandle): Promise<number> {
  let length = 0;
  for await (const chunk of file.createReadStream({ start: 0, autoClose: false, highWaterMark: 1 << 20 })) {
    hash.update(chunk);
    length += chunk.byteLength;
  }
  return length;
}
