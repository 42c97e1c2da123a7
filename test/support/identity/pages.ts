import { QUEUES } from '../../../src/compose/index.ts';
import { openQueue } from '../../../src/platform/index.ts';
import { openApi, type TestApi } from '../api/api.ts';
import type { TestDatabase } from '../platform/database.ts';
import { type PageVisitor, pageVisitor } from './page-visitor.ts';

export interface Pages extends TestApi {
  /** Returns a new browser. */
  visitor(): PageVisitor;
}

/** Opens the API and its pages with a queue for emails, which only the test sends. */
export async function openPages(fixture: TestDatabase, environment: Record<string, string> = {}): Promise<Pages> {
  const queue = await openQueue(fixture.database, { queues: QUEUES, supervise: false });
  fixture.cleanup(() => queue.stop({ timeoutMs: 1_000 }));
  const api = await openApi(fixture.database, { ALMANAC_RATE_ANONYMOUS: '1000000', ...environment }, undefined, queue);
  fixture.cleanup(() => api.app.close());
  return { ...api, visitor: () => pageVisitor(api.app) };
}
