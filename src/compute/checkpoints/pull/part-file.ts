import { createHash, type Hash } from 'node:crypto';
import { type FileHandle, open, readFile, rm, writeFile } from 'node:fs/promises';
import { z } from 'zod';

/** The properties of the file on the server that are needed to resume its download. */
const PartInfo = z.object({ url: z.string(), etag: z.string().optional(), size: z.number().optional() });
export type PartInfo = z.output<typeof PartInfo>;

/** The bytes downloaded so far. They survive the end of the process, however it ends. */
export interface PartFile extends AsyncDisposable {
  readonly path: string;
  readonly offset: number;
  readonly info: PartInfo | undefined;
  append(chunk: Uint8Array): Promise<void>;
  /** Removes all bytes and begins the file that `info` describes. */
  restart(info?: PartInfo): Promise<void>;
  recordSize(size: number): Promise<void>;
  /** Returns the sha256 of all bytes so far. */
  digest(): string;
  /** Flushes the bytes to the disk and removes the info. The file stays open and can be renamed. */
  finish(): Promise<void>;
  discard(): Promise<void>;
}

/**
 * Opens the part at `path`, whose info is in a file beside it, and hashes its bytes. Restarts the part if the info is
 * not usable.
 */
export async function openPart(path: string, url: string): Promise<PartFile> {
  const infoPath = `${path}.json`;
  const file = await open(path, 'a+', 0o600);
  let hash = createHash('sha256');
  let offset = 0;
  let info: PartInfo | undefined;

  const restart = async (next?: PartInfo) => {
    // If the path is a device, it cannot be truncated, and its size is 0.
    if ((await file.stat()).size > 0) await file.truncate(0);
    [hash, offset, info] = [createHash('sha256'), 0, next];
    if (next === undefined) await rm(infoPath, { force: true });
    else await writeFile(infoPath, JSON.stringify(next), { mode: 0o600 });
  };

  try {
    info = await readInfo(infoPath, url);
    if (info === undefined) await restart();
    else offset = await hashInto(hash, file);
    if (info?.size !== undefined && offset > info.size) await restart();
  } catch (error) {
    await file.close();
    throw error;
  }

  return {
    path,
    get offset() {
      return offset;
    },
    get info() {
      return info;
    },
    async append(chunk) {
      await file.appendFile(chunk);
      hash.update(chunk);
      offset += chunk.byteLength;
    },
    restart,
    async recordSize(size) {
      if (info === undefined || info.size === size) return;
      info = { ...info, size };
      await writeFile(infoPath, JSON.stringify(info), { mode: 0o600 });
    },
    digest: () => hash.copy().digest('hex'),
    async finish() {
      await file.sync();
      await rm(infoPath, { force: true });
    },
    async discard() {
      await rm(infoPath, { force: true });
      await rm(path, { force: true });
    },
    [Symbol.asyncDispose]: () => file.close(),
  };
}

/** Reads the info. Returns undefined if it is about another URL or cannot be read. */
async function readInfo(path: string, url: string): Promise<PartInfo | undefined> {
  try {
    const info = PartInfo.parse(JSON.parse(await readFile(path, 'utf8')));
    return info.url === url ? info : undefined;
  } catch {
    return undefined;
  }
}

/** Adds the whole file to the hash. Returns the length of the file. */
async function hashInto(hash: Hash, file: FileHandle): Promise<number> {
  let length = 0;
  for await (const chunk of file.createReadStream({ start: 0, autoClose: false, highWaterMark: 1 << 20 })) {
    hash.update(chunk);
    length += chunk.byteLength;
  }
  return length;
}
