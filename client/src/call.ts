import type { Sent } from './send.ts';

/** The data of a call with the response that it came with, for its headers. The body of the response has been read. */
export interface WithResponse<Data> {
  readonly data: Data;
  readonly response: Response;
}

/** A call that was sent. It is a promise of its data. */
export class Call<Data> implements Promise<Data> {
  readonly [Symbol.toStringTag] = 'Call';
  readonly #sent: Promise<Sent>;

  constructor(sent: Promise<Sent>) {
    this.#sent = sent;
  }

  /** Returns the data and the response, for example for its ETag. */
  async withResponse(): Promise<WithResponse<Data>> {
    const { data, response } = await this.#sent;
    return { data: data as Data, response };
  }

  // biome-ignore lint/suspicious/noThenProperty: a call is a promise with more methods.
  then<Result = Data, Other = never>(
    succeed?: ((data: Data) => Result | PromiseLike<Result>) | null,
    fail?: ((error: unknown) => Other | PromiseLike<Other>) | null,
  ): Promise<Result | Other> {
    return this.#sent.then(({ data }) => data as Data).then(succeed, fail);
  }

  catch<Other = never>(fail?: ((error: unknown) => Other | PromiseLike<Other>) | null): Promise<Data | Other> {
    return this.then(undefined, fail);
  }

  finally(end?: (() => void) | null): Promise<Data> {
    return this.then().finally(end);
  }
}

/** A call that returns a page of a list. Awaiting it gives the first page; iterating over it gives all items. */
export class Pages<Page, Item> extends Call<Page> implements AsyncIterable<Item> {
  readonly #items: string;
  readonly #readPage: (cursor: string) => Promise<Page>;

  constructor(sent: Promise<Sent>, items: string, readPage: (cursor: string) => Promise<Page>) {
    super(sent);
    this.#items = items;
    this.#readPage = readPage;
  }

  /** Yields page after page. A page is requested only when the one before it was used. */
  async *pages(): AsyncGenerator<Page, void> {
    let page: Page = await this;
    const seen = new Set<string>();
    for (;;) {
      yield page;
      const cursor = (page as { readonly next_cursor?: string | null }).next_cursor;
      // A list that returns to an earlier page would never end.
      if (cursor === undefined || cursor === null || seen.has(cursor)) return;
      seen.add(cursor);
      page = await this.#readPage(cursor);
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void> {
    for await (const page of this.pages()) {
      const items = (page as Readonly<Record<string, unknown>>)[this.#items];
      if (!Array.isArray(items)) throw new TypeError('A file has no items. Leave out format: "csv" to iterate.');
      yield* items as Item[];
    }
  }
}
