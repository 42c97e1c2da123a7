export * from './backup/index.ts';
export { cleanText, removeInvisible } from './clean-text.ts';
export { type Clock, systemClock } from './clock.ts';
export { isLoopback, isSafeWebAddress } from './config/checks.ts';
export { ConfigError } from './config/config-error.ts';
export {
  ECONOMIC_PROVIDER_IDS,
  type EconomicProviderId,
  type EconomicSettings,
} from './config/economic.ts';
export { inspectSettings, type SettingsReport } from './config/inspect-settings.ts';
export type { IssuerSettings } from './config/issuers.ts';
export { fixedConfig, type LiveConfig, watchSecretFiles } from './config/live-config.ts';
export { type Config, findUnknownSettings, loadConfig, ProxyRequiredError } from './config/load-config.ts';
export type { SmtpServer } from './config/mail.ts';
export { type MarketSettings, PROVIDER_IDS, PROVIDER_KEY_SETTINGS, type ProviderId } from './config/market.ts';
export type { ObjectStorageSettings } from './config/object-storage.ts';
export { readSecretVariable, SECRET_SETTING_NAMES, type SecretFile } from './config/secret-files.ts';
export { SETTINGS } from './config/settings.ts';
export type { ChainSettings, StampSettings, VbaseSettings } from './config/stamps.ts';
export type { ListenAddress } from './config/telemetry.ts';
export type { BigQuerySettings, WarehouseSettings } from './config/warehouse.ts';
export { type CoreShare, fixedShare, shareCores } from './core-share.ts';
export { type CpuMeter, createCpuMeter } from './cpu-meter.ts';
export { type DelimiterOptions, detectDelimiter, isHeaderLine } from './csv/detect-delimiter.ts';
export { type CsvRow, parseCsv, parseDate, parseNumber } from './csv/parse-csv.ts';
export { CsvError, CsvTokenizer, type TakeRecord } from './csv/tokenizer.ts';
export * from './database/index.ts';
export { escapeHtml } from './escape-html.ts';
export { type FileLock, tryLockFile } from './file-lock.ts';
export { type IdPrefix, newId } from './ids.ts';
export { listInBatches } from './list-in-batches.ts';
export { createLog, type Log } from './log.ts';
export { logDuration, logStep } from './log-step.ts';
export { type LoopDelay, measureLoopDelay } from './loop-delay.ts';
export { LruCache } from './lru-cache.ts';
export { createLogMailer, createMailer } from './mail/create-mailer.ts';
export {
  classifyMailError,
  type Mail,
  MailError,
  type Mailer,
  type MailImage,
  type SendOptions,
} from './mail/mailer.ts';
export { probeMailServer } from './mail/probe-mail-server.ts';
export { quoteInMail, quoteNameInMail, withoutLinks } from './mail/quote-in-mail.ts';
export { createSmtpMailer, type SmtpMailerOptions } from './mail/smtp-mailer.ts';
export {
  openUnsubscribeTokens,
  sealUnsubscribeToken,
  type UnsubscribeKind,
  unsubscribeHeaders,
} from './mail/unsubscribe.ts';
export { Mutex } from './mutex.ts';
export { type CountedPlaces, countPlaces, countUnusedObjects, hasObjects } from './objects/count-things.ts';
export { objectMigrations } from './objects/migrations/index.ts';
export {
  type MovableThings,
  type MoveStep,
  type MoveTarget,
  moveThings,
  type ThingKey,
} from './objects/move-things.ts';
export { DamagedObjectError, type ObjectStorage } from './objects/object-storage.ts';
export { type PlacedRow, readPlaced } from './objects/read-bytes.ts';
export { removeUnusedObjects } from './objects/remove-objects.ts';
export { openS3Storage } from './objects/s3-storage.ts';
export { insertParts, placeBytes } from './objects/write-bytes.ts';
export { once } from './once.ts';

export {
  boundedGet,
  boundedRequest,
  decodeText,
  type OutboundBytes,
  type OutboundGet,
  type OutboundReply,
  type OutboundRequest,
} from './outbound/bounded-request.ts';

export { budgetCapacity } from './outbound/budget.ts';
export { readRetryAfter } from './outbound/failed-attempt.ts';
export {
  checkNamedUrl,
  type GuardedGet,
  type GuardedRequest,
  guardedGet,
  guardedRequest,
} from './outbound/guarded-request.ts';
export { type JsonArrayOptions, parseJsonArray } from './outbound/json-array.ts';
export {
  isTooSmall,
  type ListingContext,
  type ListingFault,
  type RefreshOutcome,
  recordListingFailure,
  tryListing,
  whileAtVersion,
} from './outbound/listing-refresh.ts';
export {
  type ListingTimes,
  refreshDue,
  type ScheduledListings,
  scheduleListings,
} from './outbound/listing-schedule.ts';
export { outboundMigrations } from './outbound/migrations/index.ts';
export { OUTBOUND_FAULTS, OutboundError, type OutboundFault } from './outbound/outbound-error.ts';
export {
  type CallLimits,
  type CallOptions,
  type ClientParts,
  createProviderClient,
  openProviderClient,
  type ProviderClient,
  type ProviderClientOptions,
} from './outbound/provider-client.ts';
export { isCausedByRequest, PROVIDER_FAULTS, ProviderError, type ProviderFault } from './outbound/provider-error.ts';
export {
  type ProviderState,
  type ProviderStateView,
  readProviderStates,
  viewProviderState,
} from './outbound/provider-states.ts';
export { isRecord, malformed, readRecord, readRecords, readToken } from './outbound/read-reply.ts';
export { REDIRECTS } from './outbound/request.ts';
export type { Destination, NamedBy } from './outbound/send.ts';
export { type OutboundStream, type OutboundStreamOptions, openStream } from './outbound/stream.ts';
export { type TriedCall, tryProvider } from './outbound/try-provider.ts';
export { outboxMigrations } from './outbox/migrations/index.ts';
export {
  hasOutboxEvents,
  type NewOutboxEvent,
  type OutboxDetails,
  type OutboxEvent,
  type OutboxEventType,
  type OutboxTables,
  oldOutboxEvents,
  recordOutboxEvents,
  takeOutboxEvents,
} from './outbox/outbox-events.ts';
export {
  findPackageFile,
  formatPackageFile,
  type PackageFile,
  readPackageCsv,
  readPackageFile,
  readPackageJson,
  readPackageLabel,
} from './package-files.ts';
export { IS_PRIVATE_FILE, makePrivateFolder } from './private-folder.ts';
export * from './queue/index.ts';
export { type PageRequest, readNewestFirst } from './read-newest-first.ts';
export { readSorted, type SortOrder } from './read-sorted.ts';
export { type RetryOptions, retry, type Sleep, sleepUnlessAborted } from './retry.ts';
export { withoutSecretForms } from './secret-forms.ts';
export { revealSecret, type SecretValue } from './secret-value.ts';
export { settlesWithin } from './settles-within.ts';
export { createTextSharer } from './share-text.ts';
export { openCursor, sealCursor } from './signing/cursor.ts';
export { signingMigrations } from './signing/migrations/index.ts';
export { type RotatedKey, rotateSigningKey, SIGNING_DELAY_MS } from './signing/rotate-signing-key.ts';
export {
  createSigningKeysReader,
  listSigningKeys,
  lockSigningKeys,
  readSigningKeys,
  removeOldSigningKeys,
  SIGNING_KEYS_FRESH_MS,
  type SigningKey,
  type SigningKeyFacts,
  type SigningKeys,
} from './signing/signing-key.ts';
export { SIGNING_KEY_NAMES, SIGNING_KEYS, type SigningKeyName } from './signing/signing-key-names.ts';
export { endAtRandom, slugOf } from './slug.ts';
export * from './telemetry/index.ts';
export * from './threads/index.ts';
export { readVersion } from './version.ts';
export { waitUnlessAborted } from './wait-unless-aborted.ts';
export { countRowsOfWork, runMetered, type WorkMeter } from './work-meter.ts';
export { writeZip, type ZipFile } from './zip/write-zip.ts';
