import { Fault, type Operation, type OperationId, type Operations, operations } from '../../../contract/index.ts';
import type { ZipFile } from '../../../platform/index.ts';
import type { Call, Handler } from '../../call.ts';
import { parsePart } from '../../edge/validate.ts';
import { exportEnded } from '../../faults.ts';
import { Download, type RenderedBody, Versioned } from '../../responses.ts';
import { accountHandlers } from '../account.ts';
import { csvFileHandlers } from '../csv-files.ts';
import { feedHandlers } from '../feeds.ts';
import { forecastHandlers } from '../forecasts.ts';
import { invitationHandlers } from '../invitations.ts';
import { keyHandlers } from '../keys.ts';
import { notificationHandlers } from '../notifications.ts';
import { outcomeHandlers } from '../outcomes.ts';
import { scoutHandlers } from '../scout.ts';
import { screenerHandlers } from '../screener.ts';
import { sessionHandlers } from '../sessions.ts';
import { webhookHandlers } from '../webhooks.ts';
import { workspaceHandlers } from '../workspaces.ts';

/** The operations whose data an export contains. */
const EXPORTED = {
  ...accountHandlers,
  ...keyHandlers,
  ...sessionHandlers,
  ...invitationHandlers,
  ...feedHandlers,
  ...forecastHandlers,
  ...outcomeHandlers,
  ...scoutHandlers,
  ...csvFileHandlers,
  ...workspaceHandlers,
  ...screenerHandlers,
  ...webhookHandlers,
  ...notificationHandlers,
};

type ExportedId = keyof typeof EXPORTED & OperationId;

interface Input {
  readonly params?: object;
  readonly query?: object;
}

/** A file that an export could not contain, and why. */
export interface LeftOut {
  readonly path: string;
  readonly code: string;
  readonly message: string;
}

/**
 * The files of an export. Each has the data that an operation returns to the account, so the contract documents its
 * format. A list is read page by page while it is written.
 */
export class AccountArchive {
  /** The request, whose signal is made once. */
  readonly call: Call<Operations['exportAccount']>;
  readonly leftOut: LeftOut[] = [];
  files = 0;

  constructor(call: Call<Operations['exportAccount']>) {
    this.call = { ...call };
  }

  /** Throws if the caller may no longer export the account, for example because its session has ended. */
  async requireSession(): Promise<void> {
    if ((await this.call.reauthorize()) === null) throw exportEnded();
  }

  /** Returns what an operation returns, with the rights of the caller. */
  async run<Id extends ExportedId>(id: Id, input: Input = {}): Promise<Awaited<ReturnType<(typeof EXPORTED)[Id]>>> {
    const operation: Operation = operations[id];
    const handler = EXPORTED[id] as unknown as Handler<Operation>;
    const result = await handler({
      ...this.call,
      params: operation.params && parsePart(operation.params, input.params ?? {}, 'path'),
      query: operation.query && parsePart(operation.query, input.query ?? {}, 'query string'),
      body: undefined,
      upload: undefined,
    });
    return (result instanceof Versioned || result instanceof Download ? result.data : result) as never;
  }

  /** Yields the elements of a list, page by page. @param read returns a page and where the next one begins */
  async *pages<Item>(
    read: (cursor: { readonly cursor?: string }) => Promise<{ items: readonly Item[]; next_cursor: string | null }>,
  ): AsyncGenerator<Item> {
    for (let cursor: string | null | undefined; cursor !== null; ) {
      await this.requireSession();
      const { items, next_cursor }: { items: readonly Item[]; next_cursor: string | null } = await read(
        cursor === undefined ? {} : { cursor },
      );
      yield* items;
      cursor = next_cursor;
    }
  }

  /** Yields a JSON file. If the caller may not read its content, or it is gone, the manifest states why. */
  async *json(path: string, read: () => Promise<unknown>): AsyncGenerator<ZipFile> {
    try {
      const text = `${JSON.stringify(await read(), null, 2)}\n`;
      yield this.#file(path, async function* () {
        yield Buffer.from(text);
      });
    } catch (error) {
      this.leaveOut(path, error);
    }
  }

  /** Yields a JSON file with a list of any length. */
  async *list(path: string, items: () => AsyncIterable<unknown>): AsyncGenerator<ZipFile> {
    yield this.#file(path, async function* () {
      let isFirst = true;
      for await (const item of items()) {
        yield Buffer.from(`${isFirst ? '[' : ','}\n${JSON.stringify(item)}`);
        isFirst = false;
      }
      yield Buffer.from(isFirst ? '[]\n' : '\n]\n');
    });
  }

  /** Yields a file as an operation returns it. */
  async *file(path: string, read: () => Promise<RenderedBody>): AsyncGenerator<ZipFile> {
    try {
      const body = await read();
      yield this.#file(path, () => body.chunks());
    } catch (error) {
      this.leaveOut(path, error);
    }
  }

  /** Yields a text file. */
  async *text(path: string, text: string): AsyncGenerator<ZipFile> {
    yield this.#file(path, async function* () {
      yield Buffer.from(text);
    });
  }

  #file(path: string, chunks: ZipFile['chunks']): ZipFile {
    this.files += 1;
    return { path, chunks };
  }

  /** Records a fault. Throws any other error again, which ends the export. */
  leaveOut(path: string, error: unknown): void {
    if (!(error instanceof Fault) || error.code === 'UNAUTHENTICATED') throw error;
    this.leftOut.push({ path, code: error.code, message: error.message });
  }
}
