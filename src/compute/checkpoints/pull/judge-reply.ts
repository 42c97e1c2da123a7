/** What was asked for: the bytes from `offset` on, of the file that had this tag and size when it was begun. */
export interface Asked {
  readonly offset: number;
  readonly etag: string | undefined;
  readonly size: number | undefined;
}

/** What a reply means for the part that is here. */
export type Judgement =
  /** Its bytes go behind those that are here. */
  | { readonly kind: 'append'; readonly size: number }
  /** It is the file from its first byte. */
  | { readonly kind: 'replace'; readonly size: number | undefined; readonly etag: string | undefined }
  /** There is nothing left to come. */
  | { readonly kind: 'complete' }
  /** The part is of no use; ask for the whole file. */
  | { readonly kind: 'start-over'; readonly why: string }
  | { readonly kind: 'try-again'; readonly why: string }
  | { readonly kind: 'refused'; readonly why: string };

const PASSING = [408, 425, 429];

export function judgeReply(status: number, headers: Headers, asked: Asked): Judgement {
  if (status === 200) return { kind: 'replace', size: lengthOf(headers), etag: strongTag(headers) };
  if (status === 206) return judgePart(headers, asked);
  if (status === 416 && asked.offset > 0) return judgeEnd(headers, asked);
  const why = `the server answers ${status}`;
  return { kind: PASSING.includes(status) || status >= 500 ? 'try-again' : 'refused', why };
}

function judgePart(headers: Headers, { offset, etag, size }: Asked): Judgement {
  if (offset === 0) return { kind: 'try-again', why: 'the server sent a part of what was asked for whole' };
  const range = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(headers.get('content-range') ?? '');
  const [start = -1, end = -1, total = -1] = (range ?? []).slice(1).map(Number);
  const length = lengthOf(headers) ?? end - start + 1;
  if (start !== offset || end >= total || end - start + 1 !== length) {
    return { kind: 'start-over', why: 'the server sent another part than was asked for' };
  }
  const tag = strongTag(headers);
  if (total !== (size ?? total) || (tag !== undefined && etag !== undefined && tag !== etag)) {
    return { kind: 'start-over', why: 'the file on the server is not the one that was begun' };
  }
  return { kind: 'append', size: total };
}

/** Nothing from there on: the part is the file, or the file became shorter. */
function judgeEnd(headers: Headers, { offset }: Asked): Judgement {
  const total = /^bytes \*\/(\d+)$/.exec(headers.get('content-range') ?? '')?.[1];
  if (Number(total) === offset) return { kind: 'complete' };
  return { kind: 'start-over', why: 'the file on the server is not the one that was begun' };
}

function lengthOf(headers: Headers): number | undefined {
  const text = headers.get('content-length') ?? '';
  return /^\d+$/.test(text) ? Number(text) : undefined;
}

/** Only a strong tag promises the same bytes. */
function strongTag(headers: Headers): string | undefined {
  const tag = headers.get('etag') ?? '';
  return /^"[\x21\x23-\x7e]{1,200}"$/.test(tag) ? tag : undefined;
}
