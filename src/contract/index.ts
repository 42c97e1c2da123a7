export { AccessRecord, WorkspaceMembership } from './access.ts';
export { ACTION_SCOPES, type Action } from './actions.ts';
export { SeriesDescription, type SeriesSpan } from './descriptions.ts';
export { ERROR_CATALOGUE, ERROR_CODES, type ErrorCode } from './error-codes.ts';
export { Fault, type FaultDetails } from './fault.ts';
export { email, isStorableText, timestamp } from './fields.ts';
export { EnsembleForecast, ForecastRequestBody, InlineSource, ResolvedSettings, StartedForecast } from './forecasts.ts';
export { IdempotencyKey } from './header-parameters.ts';
export { ApiKey, MAX_API_KEYS, NewApiKey } from './keys.ts';
export { StockHistory, StockHistoryRequest } from './market-data.ts';
export { MAX_OBSERVATIONS, MAX_SEARCH_RESULTS } from './market-search.ts';
export { ModelsResponse } from './models.ts';
export { buildOpenApi, errorsOf, INTERFACE_VERSION } from './openapi.ts';
export type { Group, Input, Operation, Output } from './operation.ts';
export { type OperationId, type Operations, operations } from './operations.ts';
export { API_VERSION, ErrorBody, SearchErrorBody, usesSearchEnvelope } from './replies.ts';
export {
  type EconomicReference,
  EconomicSource,
  type MarketReference,
  MarketSource,
  Source,
  type SourceReference,
  type SourceType,
} from './sources.ts';
export * from './vocabulary.ts';
