import { Session } from 'node:inspector/promises';
import { fileURLToPath } from 'node:url';

interface ScriptCoverage {
  readonly url: string;
  readonly functions: readonly {
    readonly functionName: string;
    readonly ranges: readonly { readonly startOffset: number; readonly count: number }[];
  }[];
}

type Post = (method: string, params?: object) => Promise<unknown>;

const SOURCE = fileURLToPath(new URL('../../src/', import.meta.url));

/**
 * Runs `act` and returns the files below src/ in which at least one function ran during it, in this thread or in a
 * thread that this one had started before, but not in another process. The top level of a module does not count as a function.
 */
export async function recordFiles(act: () => Promise<void>): Promise<string[]> {
  const session = new Session();
  session.connect();
  const post: Post = (method, params) => session.post(method as 'Profiler.enable', params as never);
  const threads = [post, ...(await threadsBelow(session))];
  try {
    for (const thread of threads) {
      await thread('Profiler.enable');
      await thread('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
      // Taking the coverage resets its counts.
      await thread('Profiler.takePreciseCoverage');
    }
    await act();
    const files = new Set<string>();
    for (const thread of threads) {
      const { result } = (await thread('Profiler.takePreciseCoverage')) as { result: readonly ScriptCoverage[] };
      for (const file of filesRun(result)) files.add(file);
      await thread('Profiler.stopPreciseCoverage');
    }
    return [...files].sort();
  } finally {
    session.disconnect();
  }
}

function filesRun(scripts: readonly ScriptCoverage[]): string[] {
  return scripts
    .filter(({ url }) => url.startsWith('file://') && fileURLToPath(url).startsWith(SOURCE))
    .filter(({ functions }) =>
      functions.some(({ ranges: [range] }) => range && range.startOffset > 0 && range.count > 0),
    )
    .map(({ url }) => fileURLToPath(url).slice(SOURCE.length));
}

/** Attaches to the threads that this thread has started. The inspector does not reach the threads below those. */
async function threadsBelow(session: Session): Promise<Post[]> {
  const attached: string[] = [];
  const pending = new Map<string, PromiseWithResolvers<unknown>>();
  session.on('NodeWorker.attachedToWorker', ({ params }) => attached.push(params.sessionId));
  session.on('NodeWorker.receivedMessageFromWorker', ({ params: { sessionId, message } }) => {
    const { id, error, result } = JSON.parse(message);
    const answer = pending.get(`${sessionId} ${id}`);
    if (error) answer?.reject(new Error(error.message));
    else answer?.resolve(result);
  });
  await session.post('NodeWorker.enable', { waitForDebuggerOnStart: false });
  return attached.map((sessionId) => {
    let lastId = 0;
    return async (method, params = {}) => {
      const id = ++lastId;
      const answer = Promise.withResolvers<unknown>();
      pending.set(`${sessionId} ${id}`, answer);
      await session.post('NodeWorker.sendMessageToWorker', {
        sessionId,
        message: JSON.stringify({ id, method, params }),
      });
      return answer.promise;
    };
  });
}
