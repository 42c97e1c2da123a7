import type { Licenses } from '../access/index.ts';
import type { SearchContext } from '../datasets/index.ts';
import type { JobContext } from '../forecasts/index.ts';
import type { AccessTokenVerifier, IdentityContext, OAuth, OutsideIssuers } from '../identity/index.ts';
import type { MarketContext } from '../market/index.ts';
import type { Clock, Config, Database, Log } from '../platform/index.ts';
import type { ScoutContext } from '../scout/index.ts';
import type { ScreenerContext } from '../screener/index.ts';
import type { SnapshotExports, SourceRegistry } from '../snapshots/index.ts';
import type { CsvContext, WorkspaceContext } from '../workspaces/index.ts';
import type { RateLimiter } from './limits/rate-limiter.ts';

/** What the edge is built from. compose.ts makes them. */
export interface ApiParts {
  readonly config: Config;
  readonly log: Log;
  readonly clock: Clock;
  readonly database: Database;
  readonly identity: IdentityContext;
  /** The embedded provider, and the reader of the access tokens it signs. */
  readonly oauth: OAuth;
  readonly accessTokens: AccessTokenVerifier;
  /** Whose access tokens are good beside our own. */
  readonly issuers: OutsideIssuers;
  readonly limiter: RateLimiter;
  /** Under which models and data may be used. */
  readonly licenses: Licenses;
  readonly sources: SourceRegistry;
  readonly exports: SnapshotExports;
  readonly market: MarketContext;
  readonly search: SearchContext;
  readonly jobs: JobContext;
  readonly workspaces: WorkspaceContext;
  readonly csvFiles: CsvContext;
  readonly scout: ScoutContext;
  readonly screener: ScreenerContext;
  /** The origin users see; known once the port is. */
  readonly siteUrl: () => string;
}
