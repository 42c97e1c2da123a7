import { type messages, PGlite } from '@electric-sql/pglite';
import { CommandWatch } from './command-watch.ts';

// The first byte of a message tells its kind.
const SIMPLE_QUERY = 'Q'.charCodeAt(0);
const PARSE = 'P'.charCodeAt(0);
const EXECUTE = 'E'.charCodeAt(0);

/** Enough to tell a command by, and not the megabytes of a batch. */
const START_OF_TEXT = 500;

/**
 * PGlite that notes which commands completed. All it runs goes through this one method, also what the queue and the
 * housekeeping send by `exec`, `query` and `transaction`, so that no change of the schema stays unnoticed.
 */
export class WatchedPglite extends PGlite {
  readonly commands = new CommandWatch();
  #parsed: Uint8Array = new Uint8Array();

  override async execProtocolStream(...args: Parameters<PGlite['execProtocolStream']>) {
    const [sent] = args;
    if (sent[0] === PARSE) this.#parsed = sent.slice(0, START_OF_TEXT);
    try {
      const received = await super.execProtocolStream(...args);
      for (const message of received) {
        if (message.name !== 'commandComplete') continue;
        // PGlite's query() sends the text first, and later word to execute it.
        const text = sent[0] === EXECUTE ? this.#parsed : sent;
        this.commands.completed((message as messages.CommandCompleteMessage).text, text);
      }
      return received;
    } catch (error) {
      // One simple query can hold several commands; those before the one that failed are not in the error.
      if (sent[0] === SIMPLE_QUERY) this.commands.unknownCompleted();
      throw error;
    }
  }
}
