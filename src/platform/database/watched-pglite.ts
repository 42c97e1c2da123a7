import { type messages, PGlite } from '@electric-sql/pglite';
import { CommandTracker } from './command-tracker.ts';

// The first byte of a message is its kind.
const SIMPLE_QUERY = 'Q'.charCodeAt(0);
const PARSE = 'P'.charCodeAt(0);
const EXECUTE = 'E'.charCodeAt(0);

/** Number of bytes that are kept of a message: enough to recognize a command, but not the megabytes of a batch. */
const START_OF_TEXT = 500;

/**
 * A PGlite that records the completed commands. All commands go through `execProtocolStream`, including those that the
 * queue and the cleanup send with `exec`, `query` and `transaction`, so that no schema change is missed.
 */
export class WatchedPglite extends PGlite {
  readonly commands = new CommandTracker();
  #parsed: Uint8Array = new Uint8Array();

  override async execProtocolStream(...args: Parameters<PGlite['execProtocolStream']>) {
    const [sent] = args;
    if (sent[0] === PARSE) this.#parsed = sent.slice(0, START_OF_TEXT);
    try {
      const received = await super.execProtocolStream(...args);
      for (const message of received) {
        if (message.name !== 'commandComplete') continue;
        // PGlite's query() sends the text first and the command to execute it later.
        const text = sent[0] === EXECUTE ? this.#parsed : sent;
        this.commands.recordCompleted((message as messages.CommandCompleteMessage).text, text);
      }
      return received;
    } catch (error) {
      // A simple query can contain several commands. The error does not show which of them ran before the failed one.
      if (sent[0] === SIMPLE_QUERY) this.commands.recordUnknown();
      throw error;
    }
  }
}
