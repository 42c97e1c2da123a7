import { Fault } from '../../contract/index.ts';
import { type Clock, LruCache, OUTBOUND_FAULTS, OutboundError, type OutboundReply } from '../../platform/index.ts';
import { unreadableClientDocument } from '../faults.ts';
import { checkDocumentId, readClientDocument } from './client-documents.ts';
import type { ClientDocument, ClientDocuments } from './oauth.ts';

/** How long a document is used before it is read again. One sign-in needs it several times. */
const FRESH_MS = 5 * 60_000;
/** How long a failure is reported again. The provider looks a client up twice when it reports an error. */
const FAILED_MS = 10_000;
/** More than arrive while one is read: a document that is forgotten during a sign-in is read again. */
const MAX_KEPT = 500;

export interface DocumentParts {
  readonly clock: Clock;
  /** Sends a GET request to an address that others named. */
  readonly get: (url: string) => Promise<OutboundReply>;
}

interface Kept {
  readonly document: Promise<ClientDocument>;
  until: number;
}

export function openClientDocuments({ clock, get }: DocumentParts): ClientDocuments {
  const kept = new LruCache<string, Kept>({ maxEntries: MAX_KEPT });

  const read = (id: string): Promise<ClientDocument> => {
    const now = clock.now().getTime();
    const found = kept.get(id);
    // The remaining time is longer if the clock was set back. The document is then read again.
    if (found && found.until > now && found.until <= now + FRESH_MS) return found.document;
    const entry: Kept = { document: fetchDocument(get, id), until: now + FRESH_MS };
    entry.document.catch(() => {
      entry.until = Math.min(entry.until, clock.now().getTime() + FAILED_MS);
    });
    kept.set(id, entry);
    return entry.document;
  };

  return {
    read,
    async findProblem(id, redirectUri) {
      return (await read(id)).unusable.get(redirectUri) ?? null;
    },
  };
}

async function fetchDocument(get: DocumentParts['get'], id: string): Promise<ClientDocument> {
  checkDocumentId(id);
  const { status, text } = await get(id).catch((error) => {
    throw error instanceof OutboundError ? unreadableClientDocument(describeFailure(error)) : error;
  });
  if (status !== 200) throw unreadableClientDocument(`The server responded with the status ${status}.`);
  return readClientDocument(id, text);
}

/** One sentence for both kinds, because anyone could otherwise ask which names exist in the network of the service. */
function describeFailure({ kind }: OutboundError): string {
  const isOfNetwork = kind === 'unreachable' || kind === 'not_public';
  return isOfNetwork ? 'The address cannot be reached or is not on the public internet.' : OUTBOUND_FAULTS[kind];
}

/** Returns the fault because of which the provider could not resolve a client, or null for any other error. */
export function findDocumentFault(error: unknown): Fault | null {
  for (let cause = error; cause instanceof Error; cause = cause.cause) if (cause instanceof Fault) return cause;
  return null;
}
