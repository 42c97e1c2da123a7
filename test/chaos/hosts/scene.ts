import type { Pooler } from './pooler.ts';
import type { PostgresPair } from './postgres-pair.ts';
import type { Responses } from './responses.ts';
import type { ServiceHost } from './service-host.ts';

/** Everything that can be disturbed. */
export interface HostScene {
  readonly services: readonly ServiceHost[];
  readonly pooler: Pooler;
  readonly databases: PostgresPair;
  readonly responses: Responses;
}
