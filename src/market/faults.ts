import { Fault } from '../contract/index.ts';

export function endNotAfterStart(): Fault {
  return new Fault('INVALID_REQUEST', 'end: must be after start.');
}

export function unknownTimeframe(timeframe: string, timeframes: readonly string[]): Fault {
  const choices = timeframes.join(', ');
  return new Fault('INVALID_REQUEST', `timeframe: ${timeframe} is not supported. Use one of ${choices}.`);
}

export function unknownValueField(fields: readonly string[]): Fault {
  return new Fault('INVALID_REQUEST', `source.value_field: must be one of ${fields.join(', ')}.`);
}

export function cursorWithSnapshot(): Fault {
  return new Fault('INVALID_REQUEST', 'cursor: a snapshot has a single page. Send either cursor or snapshot_id.');
}

export function cursorMismatch(): Fault {
  return new Fault(
    'INVALID_REQUEST',
    'cursor: belongs to a request with other settings. Repeat the request that returned it and add only the cursor.',
  );
}

export function barSnapshotNotFound(): Fault {
  return new Fault('NOT_FOUND', 'snapshot_id: no snapshot of bars has this id. Request the bars without snapshot_id.');
}

export function snapshotMismatch(field: string, frozen: string, requested: string): Fault {
  return new Fault('INVALID_REQUEST', `${field}: the snapshot has ${frozen}, but the request has ${requested}.`);
}

export function snapshotExceedsRequest(field: 'limit' | 'start' | 'end'): Fault {
  return new Fault(
    'INVALID_REQUEST',
    `${field}: the snapshot has rows beyond it. Send the settings with which the snapshot was created.`,
  );
}

export function noProviderConfigured(): Fault {
  return new Fault('UNPROCESSABLE', 'No market data provider is configured.');
}

/** @param field the field of the request that names the provider */
export function providerNotConfigured(field: string, provider: string): Fault {
  return new Fault('UNPROCESSABLE', `${field}: ${provider} is not configured. Use "auto" to let the service choose.`);
}

export function noProviderSupports(reasons: readonly string[]): Fault {
  return new Fault('UNPROCESSABLE', `This request cannot be served. ${reasons.join(' ')}`);
}

export function providersFailed(reasons: readonly string[]): Fault {
  return new Fault('PROVIDER_FAILED', `${reasons.join('; ')}.`);
}

export function noBarsForSymbol(providers: readonly string[], symbol: string): Fault {
  return new Fault('NOT_FOUND', `symbol: ${formatList(providers)} no bars for ${JSON.stringify(symbol)}.`);
}

export function noBarsAtFrequency(frequency: string, symbol: string): Fault {
  return new Fault('NOT_FOUND', `source.timeframe: there are no ${frequency} bars of ${JSON.stringify(symbol)}.`);
}

export function instrumentNotFound(symbol: string): Fault {
  return new Fault('NOT_FOUND', `source.symbol: no provider has an instrument ${JSON.stringify(symbol)}.`);
}

function formatList(providers: readonly string[]): string {
  if (providers.length === 1) return `${providers[0]} has`;
  return `${providers.slice(0, -1).join(', ')} and ${providers.at(-1)} have`;
}
