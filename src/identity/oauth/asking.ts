import { AsyncLocalStorage } from 'node:async_hooks';
import type { Origin } from '../security-events/origin.ts';
import type { OAuthVisit } from './oauth.ts';

/** Who is at the other end of what the provider is doing now. */
export interface Asking {
  readonly origin?: Origin | undefined;
  /** The browser session in which a person gives consent. */
  readonly sessionId?: string | undefined;
  readonly waitFor?: OAuthVisit['waitFor'];
}

/** Goes along with a request through the library, which knows nothing of it, to where things are stored. */
export const asking = new AsyncLocalStorage<Asking>();
