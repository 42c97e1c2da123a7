import { setTimeout as sleep } from 'node:timers/promises';
import type { Member } from './member.ts';
import type { Scene } from './scene.ts';

/** `data` where the answer is one, `code` where it is an error. */
export interface Answer {
  readonly status: number;
  readonly data: Record<string, unknown>;
  readonly code: string;
  readonly text: string;
}

const PATIENCE_MS = 30_000;

/** Calls one of the APIs that are up. @returns null when there was no answer: what was asked for may be done or not. */
export async function callAny(
  scene: Scene,
  path: string,
  init: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<Answer | null> {
  const service = await someService(scene.members);
  try {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const response = await service.fetch(`/api/v1${path}`, { ...init, key: scene.customer.key, signal });
    const text = await response.text();
    const body = JSON.parse(text) as { data?: Record<string, unknown>; error?: string | { code: string } };
    const code = typeof body.error === 'string' ? body.error : (body.error?.code ?? '');
    // The database was not there for a moment: it may have been while it was told to commit.
    return response.status === 503 ? null : { status: response.status, data: body.data ?? {}, code, text };
  } catch {
    return null; // the connection broke, or nothing came
  }
}

async function someService(members: readonly Member[]) {
  for (;;) {
    const up = members.flatMap(({ service }) => service ?? []);
    const chosen = up[Math.floor(Math.random() * up.length)];
    if (chosen) return chosen;
    await sleep(50);
  }
}
