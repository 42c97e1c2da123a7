/** The content of a CSV file to upload. */
export type CsvContent = string | Blob | Uint8Array<ArrayBuffer> | ArrayBuffer;

/** A file that the service returned. Its content is read once, by one of the methods. */
export class AlmanacFile {
  /** The name that the service suggests; null if it suggests none or the browser hides it. */
  readonly name: string | null;
  readonly mediaType: string;
  readonly #body: ReadableStream<Uint8Array<ArrayBuffer>>;

  constructor({ headers }: Response, body: ReadableStream<Uint8Array<ArrayBuffer>>) {
    this.#body = body;
    this.name = readName(headers.get('content-disposition') ?? '');
    this.mediaType = (headers.get('content-type') ?? 'application/octet-stream').split(';')[0] as string;
  }

  /** Returns the content as text. */
  text(): Promise<string> {
    return new Response(this.#body).text();
  }

  /** Returns the content as bytes. */
  async bytes(): Promise<Uint8Array<ArrayBuffer>> {
    return new Uint8Array(await new Response(this.#body).arrayBuffer());
  }

  /** Returns the content as a stream, for files that do not fit into memory. */
  stream(): ReadableStream<Uint8Array<ArrayBuffer>> {
    return this.#body;
  }

  /** Ends the download of a file that is no longer needed. Otherwise its connection stays open until it is read. */
  async cancel(): Promise<void> {
    await this.#body.cancel();
  }
}

/** Returns the file name of a Content-Disposition header (RFC 6266), the Unicode one if there is one. */
function readName(disposition: string): string | null {
  const extended = /filename\*=UTF-8''([^;\s]+)/i.exec(disposition)?.[1];
  try {
    if (extended !== undefined) return decodeURIComponent(extended);
  } catch {
    // A malformed name is not a reason to refuse the file.
  }
  return /filename="([^"]*)"/i.exec(disposition)?.[1] ?? null;
}
