import { CheckpointError } from '../checkpoint.ts';
import type { PartFile } from './part-file.ts';
import type { RetryPolicy } from './pull.ts';
import { downloadRefused, openFollowingRedirects, TransientError } from './requests.ts';

export interface WeightsDownload {
  readonly url: string;
  /** The size of the weights if they belong to a known release; otherwise undefined. */
  readonly size: number | undefined;
  readonly maxBytes: number;
  readonly allow: readonly string[];
  readonly retryPolicy: RetryPolicy;
  readonly signal: AbortSignal | undefined;
  readonly onBytes: (received: number, total: number | undefined) => void;
}

/**
 * Makes one attempt to download the bytes that the part lacks. Returns when the part has the announced size of the
 * file.
 */
export async function downloadWeights(part: PartFile, download: WeightsDownload): Promise<void> {
  const { url, retryPolicy, signal, allow, onBytes } = download;
  if (part.offset > 0 && part.offset === part.info?.size) return;
  await using reply = await openFollowingRedirects(url, {
    stallMs: retryPolicy.stallMs,
    signal,
    allow,
    headers: rangeHeaders(part),
  });
  if (!(await preparePart(part, download, reply.status, reply.headers))) return;

  const total = part.info?.size;
  onBytes(part.offset, total);
  for await (const chunk of reply.chunks) {
    const received = part.offset + chunk.byteLength;
    if (received > (total ?? download.maxBytes)) {
      await part.discard();
      if (total === undefined) throw tooLarge(download, `more than ${download.maxBytes}`);
      throw downloadRefused(url, 'the server sent more bytes than it announced');
    }
    await part.append(chunk);
    onBytes(received, total);
  }
  if (total !== undefined && part.offset < total) throw new TransientError('the reply ended early');
}

/** Prepares the part for the bytes of the reply. Returns false if the part is already complete. */
async function preparePart(
  part: PartFile,
  download: WeightsDownload,
  status: number,
  headers: Headers,
): Promise<boolean> {
  const verdict = classifyReply(status, headers, {
    offset: part.offset,
    etag: part.info?.etag,
    size: part.info?.size,
  });
  switch (verdict.kind) {
    case 'replace':
      checkSize(download, verdict.size);
      await part.restart({ url: download.url, etag: verdict.etag, size: verdict.size });
      return true;
    case 'append':
      checkSize(download, verdict.size);
      await part.recordSize(verdict.size);
      return true;
    case 'complete':
      return false;
    case 'restart':
      await part.restart();
      throw new TransientError(verdict.reason);
    case 'retry':
      throw new TransientError(verdict.reason);
    case 'refused':
      throw downloadRefused(download.url, verdict.reason);
  }
}

/**
 * Returns the headers that request the missing bytes. With the tag, the server sends the whole file if the file has
 * changed since the part was begun.
 */
function rangeHeaders({ offset, info }: PartFile): Record<string, string> {
  if (offset === 0) return {};
  return { range: `bytes=${offset}-`, ...(info?.etag !== undefined && { 'if-range': info.etag }) };
}

function checkSize(download: WeightsDownload, announced: number | undefined): void {
  if (announced === undefined) return;
  if (download.size !== undefined && announced !== download.size) {
    throw new CheckpointError(
      'HASH_MISMATCH',
      `${download.url} has ${announced} bytes, but the release has ${download.size}: it is another file.`,
    );
  }
  if (announced > download.maxBytes) throw tooLarge(download, String(announced));
}

function tooLarge({ url, maxBytes }: WeightsDownload, size: string): CheckpointError {
  return new CheckpointError('TOO_LARGE', `${url} has ${size} bytes; a checkpoint has at most ${maxBytes}.`);
}

/** The bytes that were requested: from `offset` on, of the file that had this tag and size when the part was begun. */
export interface RequestedRange {
  readonly offset: number;
  readonly etag: string | undefined;
  readonly size: number | undefined;
}

/** How a reply relates to the part. */
export type ReplyVerdict =
  /** The bytes of the reply follow those of the part. */
  | { readonly kind: 'append'; readonly size: number }
  /** The reply is the file from its first byte. */
  | { readonly kind: 'replace'; readonly size: number | undefined; readonly etag: string | undefined }
  /** The part is the whole file. */
  | { readonly kind: 'complete' }
  /** The part cannot be continued: the whole file must be requested. */
  | { readonly kind: 'restart'; readonly reason: string }
  | { readonly kind: 'retry'; readonly reason: string }
  | { readonly kind: 'refused'; readonly reason: string };

const TRANSIENT_STATUSES = [408, 425, 429];

export function classifyReply(status: number, headers: Headers, requested: RequestedRange): ReplyVerdict {
  if (status === 200) return { kind: 'replace', size: readLength(headers), etag: readStrongTag(headers) };
  if (status === 206) return classifyPart(headers, requested);
  if (status === 416 && requested.offset > 0) return classifyEnd(headers, requested);
  const reason = `the server replied with status ${status}`;
  return { kind: TRANSIENT_STATUSES.includes(status) || status >= 500 ? 'retry' : 'refused', reason };
}

function classifyPart(headers: Headers, { offset, etag, size }: RequestedRange): ReplyVerdict {
  if (offset === 0) return { kind: 'retry', reason: 'the server sent a part although the whole file was requested' };
  const range = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(headers.get('content-range') ?? '');
  const [start = -1, end = -1, total = -1] = (range ?? []).slice(1).map(Number);
  const length = readLength(headers) ?? end - start + 1;
  if (start !== offset || end >= total || end - start + 1 !== length) {
    return { kind: 'restart', reason: 'the server sent a different part from the requested one' };
  }
  const tag = readStrongTag(headers);
  if (total !== (size ?? total) || (tag !== undefined && etag !== undefined && tag !== etag)) {
    return { kind: 'restart', reason: 'the file on the server has changed' };
  }
  return { kind: 'append', size: total };
}

/**
 * Classifies the reply of a server that has no bytes from the offset on: the part is the whole file, or the file has
 * changed.
 */
function classifyEnd(headers: Headers, { offset }: RequestedRange): ReplyVerdict {
  const total = /^bytes \*\/(\d+)$/.exec(headers.get('content-range') ?? '')?.[1];
  if (Number(total) === offset) return { kind: 'complete' };
  return { kind: 'restart', reason: 'the file on the server has changed' };
}

function readLength(headers: Headers): number | undefined {
  const text = headers.get('content-length') ?? '';
  return /^\d+$/.test(text) ? Number(text) : undefined;
}

/** Returns the tag if it is strong. Only a strong tag guarantees the same bytes. */
function readStrongTag(headers: Headers): string | undefined {
  const tag = headers.get('etag') ?? '';
  return /^"[\x21\x23-\x7e]{1,200}"$/.test(tag) ? tag : undefined;
}
