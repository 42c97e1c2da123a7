/** What the process that has the database open reads for the doctor. It is sent as JSON if that is another process. */
export interface DatabaseFacts {
  readonly kind: 'pglite' | 'postgres';
  readonly version: string;
  readonly responseMs: number;
  /** By how much the clock of the server is ahead of that of this machine; negative if it is behind. */
  readonly clockAheadMs: number;
  readonly bytes: number;
  /** Why the database stores nothing at present. */
  readonly storageProblem: string | null;
  /** The migrations that the next start runs. */
  readonly pending: readonly string[];
  readonly isEmpty: boolean;
  /** Null if the tables are not there yet, or not those of this build. */
  readonly content: {
    readonly queues: readonly { readonly name: string; readonly waiting: number; readonly oldestSeconds: number }[];
    /** How long ago a worker last looked after the queues; null if none ever did. */
    readonly workerSeenSeconds: number | null;
    readonly engines: readonly {
      readonly engine: string | null;
      readonly waiting: number;
      readonly oldestSeconds: number;
      readonly workers: number;
    }[];
    /** The configured providers. */
    readonly providers: readonly { readonly id: string; readonly state: string; readonly failure: string | null }[];
    /** The outcome of a request to each provider; null without the option. */
    readonly checks:
      | readonly { readonly id: string; readonly fault: string | null; readonly message: string | null }[]
      | null;
    /** The signing keys that were replaced and are still accepted. */
    readonly rotations: {
      readonly earlier: readonly { readonly kind: string; readonly until: string | null }[];
      readonly webhooks: number;
    };
    readonly stamper: {
      readonly kind: string | null;
      /** The age of the oldest proof that waits for its stamp; null if none does. */
      readonly oldestSeconds: number | null;
      /** Why proofs wait. */
      readonly reasons: readonly string[];
    };
  } | null;
}
