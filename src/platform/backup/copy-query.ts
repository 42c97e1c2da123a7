import { Readable } from 'node:stream';
import { type Client, type Connection, Query } from 'pg';

/** The bytes that are collected before a reader gets them. PostgreSQL sends a message for each row. */
const PIECE_BYTES = 128 * 1024;
const MAX_WAITING_BYTES = 1024 * 1024;

interface CopyDataMessage {
  readonly chunk: Buffer;
}

/** What pg calls on the query that runs. The types of pg leave out COPY. */
interface CopyHandlers {
  handleCopyData(message: CopyDataMessage, connection: Connection): void;
  handleCopyInResponse(connection: Connection): void;
}

type CopyConnection = Connection & {
  readonly stream: NodeJS.WritableStream & NodeJS.ReadableStream & { readonly writableNeedDrain?: boolean };
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
  sendCopyFail(reason: string): void;
};

/** Runs COPY … TO STDOUT. The server waits while the reader does. */
export function copyOut(client: Client, text: string): Readable {
  let collected: Buffer[] = [];
  let size = 0;
  let connection: CopyConnection | undefined;
  const output = new Readable({
    highWaterMark: MAX_WAITING_BYTES,
    read: () => connection?.stream.resume(),
    destroy(error, done) {
      // The connection stays in the middle of the copy, so it must not stay paused: the client is closed next.
      connection?.stream.resume();
      done(error);
    },
  });
  const flush = () => {
    const bytes = Buffer.concat(collected);
    collected = [];
    size = 0;
    return output.push(bytes);
  };
  const query = new Query(text, (error: Error | undefined) => {
    if (error) output.destroy(error);
    else {
      flush();
      output.push(null);
    }
  }) as Query & CopyHandlers;
  query.handleCopyData = ({ chunk }, from) => {
    connection = from as CopyConnection;
    if (output.destroyed) return;
    // pg reuses the memory of its messages.
    collected.push(Buffer.from(chunk));
    size += chunk.length;
    if (size >= PIECE_BYTES && !flush()) connection.stream.pause();
  };
  client.query(query);
  return output;
}

/** Runs COPY … FROM STDIN with these bytes. */
export async function copyIn(client: Client, text: string, source: AsyncIterable<Buffer>): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let failure: unknown;
  const query = new Query(text, (error: Error | undefined) => {
    if (failure !== undefined) reject(failure);
    else if (error) reject(error);
    else resolve();
  }) as Query & CopyHandlers;
  query.handleCopyInResponse = (from) => {
    const connection = from as CopyConnection;
    void sendAll(connection, source, promise).then(
      () => connection.endCopyFrom(),
      (error) => {
        failure = error;
        connection.sendCopyFail('the source ended');
      },
    );
  };
  client.query(query);
  return promise;
}

async function sendAll(connection: CopyConnection, source: AsyncIterable<Buffer>, ended: Promise<void>): Promise<void> {
  for await (const chunk of source) {
    connection.sendCopyFromChunk(chunk);
    if (connection.stream.writableNeedDrain !== true) continue;
    // The server may refuse a row and read no more.
    await Promise.race([new Promise((resolve) => connection.stream.once('drain', resolve)), ended]);
  }
}
