import type { Licenses } from '../access/index.ts';
import type { KnownAdapter, PreviewSeries, SearchContext } from '../datasets/index.ts';
import type { ForecastContext } from '../forecasts/index.ts';
import type { AccessTokenVerifier, ExternalIssuers, IdentityContext, OAuth } from '../identity/index.ts';
import type { KnownProvider, MarketContext } from '../market/index.ts';
import type { WebhookContext } from '../notifications/index.ts';
import type { Clock, Config, Database, Log } from '../platform/index.ts';
import type { ScoutContext } from '../scout/index.ts';
import type { CheckedFilterContext } from '../screener/index.ts';
import type { SnapshotExports, SourceRegistry } from '../snapshots/index.ts';
import type { InvitationListContext, UploadContext, WorkspaceContext } from '../workspaces/index.ts';
import type { HeavyWork } from './limits/heavy-work.ts';
import type { RateLimiter } from './limits/rate-limiter.ts';
import type { KnownCredentials } from './limits/unknown-credentials.ts';

/** The parts that the HTTP application is built from. `src/compose` creates them. */
export interface ApiParts {
  readonly config: Config;
  readonly log: Log;
  readonly clock: Clock;
  readonly database: Database;
  readonly identity: IdentityContext;
  /** The OAuth provider, and the verifier of the access tokens that it signs. */
  readonly oauth: OAuth;
  readonly accessTokens: AccessTokenVerifier;
  /** The external issuers whose access tokens are accepted. */
  readonly issuers: ExternalIssuers;
  readonly limiter: RateLimiter;
  readonly knownCredentials: KnownCredentials;
  readonly heavyWork: HeavyWork;
  /** Decides which licenses of models and data are allowed. */
  readonly licenses: Licenses;
  readonly sources: SourceRegistry;
  readonly exports: SnapshotExports;
  readonly market: MarketContext;
  readonly knownProviders: readonly KnownProvider[];
  readonly knownAdapters: readonly KnownAdapter[];
  readonly search: SearchContext;
  readonly previewSeries: PreviewSeries;
  readonly forecasts: ForecastContext;
  readonly workspaces: WorkspaceContext & InvitationListContext;
  readonly csvFiles: UploadContext;
  readonly scout: ScoutContext;
  readonly screener: CheckedFilterContext;
  readonly webhooks: WebhookContext;
  /**
   * Returns the public origin of the service. It can depend on the port, which is known only once the service listens.
   */
  readonly siteUrl: () => string;
}
