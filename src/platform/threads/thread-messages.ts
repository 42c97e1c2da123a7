import { Fault, type FaultDetails } from '../../contract/fault.ts';

/** A message to a thread. A session is opened by its first message and keeps its state until it is closed. */
export type ThreadCommand =
  | { readonly kind: 'open'; readonly session: number; readonly options: unknown }
  | { readonly kind: 'call'; readonly session: number; readonly input: unknown }
  | { readonly kind: 'close'; readonly session: number };

/** The reply to a call. The calls of a session are answered in their order. */
export interface ThreadReply {
  readonly session: number;
  readonly output?: unknown;
  readonly failure?: ThreadFailure;
}

export type ThreadFailure =
  | { readonly code: Fault['code']; readonly message: string; readonly details: FaultDetails }
  | { readonly error: Error };

/** Returns an error in a form that can be sent to another thread. A plain copy of a fault would lose its class. */
export function toFailure(error: unknown): ThreadFailure {
  if (error instanceof Fault) return { code: error.code, message: error.message, details: error.details };
  return { error: error instanceof Error ? error : new Error(String(error)) };
}
