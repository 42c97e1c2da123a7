import type { Handlers } from '../../src/api/call.ts';
import { handlers } from '../../src/api/handlers/index.ts';

// Checked by the type checker only (npm run typecheck): an operation without a handler must not compile. If it did, the
// directive below would be unused, which is an error.
const { readAccess: _, ...incomplete } = handlers;

// @ts-expect-error readAccess is missing
export const refused: Handlers = incomplete;
