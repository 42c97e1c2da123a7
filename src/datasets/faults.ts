import { Fault } from '../contract/index.ts';

export function providerNotFound(provider: string): Fault {
  return new Fault(
    'NOT_FOUND',
    `source.provider: no provider of economic series is named ${JSON.stringify(provider)}. Search results contain the names of the providers.`,
  );
}

export function providerNotConfigured(provider: string): Fault {
  return new Fault(
    'UNPROCESSABLE',
    `source.provider: this service does not use ${provider}. Its operator can add it to ALMANAC_ECONOMIC_PROVIDERS.`,
  );
}

export function seriesNotFound(provider: string, seriesId: string): Fault {
  return new Fault(
    'NOT_FOUND',
    `source.series_id: the provider ${provider} has no series ${JSON.stringify(seriesId)}. Use the search to find its series.`,
  );
}

export function valueFieldRequired(seriesId: string, choices: string): Fault {
  return new Fault(
    'INVALID_REQUEST',
    `source.value_field: is required, because ${seriesId} has several values. Choose one of ${choices}.`,
  );
}

export function valueFieldUnknown(choices: string): Fault {
  return new Fault('INVALID_REQUEST', `source.value_field: must be one of ${choices}.`);
}

/** @param known the dimensions of the series, formatted; empty if it has none */
export function dimensionUnknown(field: string, seriesId: string, known: string): Fault {
  const dimensions = known === '' ? 'has no dimensions' : `has the dimensions ${known}`;
  return new Fault('INVALID_REQUEST', `source.dimensions.${field}: is unknown; ${seriesId} ${dimensions}.`);
}

/** @param choices the values of the dimension, formatted; empty if they are not listed */
export function dimensionRequired(field: string, choices: string): Fault {
  const remedy = choices === '' ? '' : ` Choose one of ${choices}.`;
  return new Fault('INVALID_REQUEST', `source.dimensions.${field}: is required.${remedy}`);
}

/** @param rule the values of the dimension, or those nearest to the wrong one, as the predicate of a sentence */
export function dimensionValueUnknown(field: string, rule: string): Fault {
  return new Fault('INVALID_REQUEST', `source.dimensions.${field}: ${rule}.`);
}

export function combinationNotFound(provider: string, seriesId: string): Fault {
  return new Fault(
    'NOT_FOUND',
    `source.dimensions: the provider ${provider} has no series of ${JSON.stringify(seriesId)} with these values. Choose others.`,
  );
}

/** @param name the provider's name of the frequency, such as half-yearly */
export function frequencyNotOffered(seriesId: string, name: string): Fault {
  return new Fault(
    'UNPROCESSABLE',
    `source.series_id: ${JSON.stringify(seriesId)} is ${name}. Rows are offered daily, weekly, monthly, quarterly and yearly.`,
  );
}

/** @param field the field of the request that needs a vintage */
export function vintagesUnavailable(field: string, provider: string, seriesId: string): Fault {
  return new Fault(
    'UNPROCESSABLE',
    `${field}: the provider ${provider} has no vintages of ${JSON.stringify(seriesId)}. Only its current, revised rows can be read.`,
  );
}

export function vintageBeforeFirst(seriesId: string, vintage: string, first: string): Fault {
  return new Fault(
    'UNPROCESSABLE',
    `source.vintage: ${vintage} is before the first vintage of ${JSON.stringify(seriesId)}, which is ${first}.`,
  );
}

export function cutoffBeforeFirstVintage(seriesId: string, vintage: string, first: string): Fault {
  return new Fault(
    'UNPROCESSABLE',
    `cutoff: it needs the vintage of ${vintage}, but the first vintage of ${JSON.stringify(seriesId)} is ${first}. Choose a later cutoff.`,
  );
}

export function vintageInFuture(vintage: string, today: string): Fault {
  return new Fault('UNPROCESSABLE', `source.vintage: ${vintage} has not begun. The latest vintage is ${today}.`);
}

/** @param message the sentence of the provider's error, which contains neither an address nor a reply */
export function providerFailed(message: string): Fault {
  return new Fault('PROVIDER_FAILED', message);
}

/** A fault that the same request would probably get again: the provider sent a reply that cannot be used. */
export class UnusableReply extends Fault {
  constructor(message: string) {
    super('PROVIDER_FAILED', message);
  }
}

export function observationsSnapshotNotFound(): Fault {
  return new Fault(
    'NOT_FOUND',
    'snapshot_id: no snapshot of this series has this id. Leave it out to read the rows again.',
  );
}

export function snapshotOfOtherSource(field: string, frozen: unknown): Fault {
  return new Fault(
    'INVALID_REQUEST',
    `source.${field}: the snapshot was taken ${frozen === undefined ? 'without it' : `with ${JSON.stringify(frozen)}`}. Send the same source as for the snapshot.`,
  );
}

export function searchCursorInvalid(): Fault {
  return new Fault(
    'INVALID_REQUEST',
    'cursor: was not issued for this query. Send it with the same query and types, and do not sign in or out in between, or leave it out.',
  );
}
