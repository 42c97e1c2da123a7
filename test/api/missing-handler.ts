import type { Handlers } from '../../src/api/call.ts';
import { handlers } from '../../src/api/handlers/index.ts';

// Read by the type checker only (npm run typecheck): an operation without its handler must not compile. Were it to, the
// directive below would have nothing to expect, and that is an error.
const { readAccess: _, ...incomplete } = handlers;

// @ts-expect-error readAccess is missing
export const refused: Handlers = incomplete;
