import { CheckpointError } from '../checkpoint-error.ts';
import { judgeReply } from './judge-reply.ts';
import { openFollowing } from './open-following.ts';
import type { PartFile } from './part-file.ts';
import { PassingFailure, type Patience } from './retries.ts';

export interface WeightsDownload {
  readonly url: string;
  /** Where it is known beforehand. */
  readonly size: number | undefined;
  readonly mostBytes: number;
  readonly patience: Patience;
  readonly signal: AbortSignal | undefined;
  readonly onBytes: (received: number, total: number | undefined) => void;
}

/** One try: asks for what the part lacks and puts it there. Returns when the file is whole, by its size at least. */
export async function downloadWeights(part: PartFile, download: WeightsDownload): Promise<void> {
  const { url, patience, signal, onBytes } = download;
  if (part.offset > 0 && part.offset === part.note?.size) return;
  await using reply = await openFollowing(url, { stallMs: patience.stallMs, signal, headers: rangeHeaders(part) });
  if (!(await prepare(part, download, reply.status, reply.headers))) return;

  const total = part.note?.size;
  onBytes(part.offset, total);
  for await (const chunk of reply.chunks) {
    const received = part.offset + chunk.byteLength;
    if (received > (total ?? download.mostBytes)) {
      await part.discard();
      if (total === undefined) throw tooLarge(download, `more than ${download.mostBytes}`);
      throw new CheckpointError('DOWNLOAD_REFUSED', `${url} cannot be downloaded: more comes than was announced.`);
    }
    await part.append(chunk);
    onBytes(received, total);
  }
  if (total !== undefined && part.offset < total) throw new PassingFailure('the reply broke off');
}

/** Makes the part ready for the bytes of the reply; false when none are needed. */
async function prepare(part: PartFile, download: WeightsDownload, status: number, headers: Headers): Promise<boolean> {
  const judgement = judgeReply(status, headers, {
    offset: part.offset,
    etag: part.note?.etag,
    size: part.note?.size,
  });
  switch (judgement.kind) {
    case 'replace':
      checkSize(download, judgement.size);
      await part.startOver({ url: download.url, etag: judgement.etag, size: judgement.size });
      return true;
    case 'append':
      checkSize(download, judgement.size);
      await part.learn(judgement.size);
      return true;
    case 'complete':
      return false;
    case 'start-over':
      await part.startOver();
      throw new PassingFailure(judgement.why);
    case 'try-again':
      throw new PassingFailure(judgement.why);
    case 'refused':
      throw new CheckpointError('DOWNLOAD_REFUSED', `${download.url} cannot be downloaded: ${judgement.why}.`);
  }
}

/** The tag makes the server send the whole file if it is no longer the one that was begun. */
function rangeHeaders({ offset, note }: PartFile): Record<string, string> {
  if (offset === 0) return {};
  return { range: `bytes=${offset}-`, ...(note?.etag !== undefined && { 'if-range': note.etag }) };
}

function checkSize(download: WeightsDownload, announced: number | undefined): void {
  if (announced === undefined) return;
  if (download.size !== undefined && announced !== download.size) {
    throw new CheckpointError(
      'HASH_MISMATCH',
      `${download.url} has ${announced} bytes and the release ${download.size}: it is another file.`,
    );
  }
  if (announced > download.mostBytes) throw tooLarge(download, String(announced));
}

function tooLarge({ url, mostBytes }: WeightsDownload, size: string): CheckpointError {
  return new CheckpointError('TOO_LARGE', `${url} has ${size} bytes; a checkpoint has ${mostBytes} at most.`);
}
