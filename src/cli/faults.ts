import { ERROR_CATALOG, type ErrorCode, Fault } from '../contract/index.ts';
import { ECONOMIC_PROVIDER_IDS } from '../platform/index.ts';

export function inputInvalid(path: string, problem: string): Fault {
  return new Fault('INVALID_REQUEST', `${path || 'input'}: ${problem}.`);
}

export function operationNotFound(name: string): Fault {
  return new Fault(
    'NOT_FOUND',
    `The running service has no operation "${name}". It may be another version. Restart it.`,
  );
}

export function serviceOutdated(): Fault {
  return new Fault('CONFLICT', 'The running service is an older build. Restart it to migrate the database.');
}

export function serviceSilent(): Fault {
  return new Fault('UNAVAILABLE', 'The running service did not reply. Check whether the change was made.');
}

/** Restores a fault that the running service reported. */
export function reportedFault(code: string, message: string): Fault {
  return new Fault(code in ERROR_CATALOG ? (code as ErrorCode) : 'INTERNAL', message);
}

export function providerUnused(id: string, keys: readonly string[]): Fault {
  const remedy = keys.length === 0 ? '' : ` Set ${keys.join(' and ')}.`;
  const isEconomic = (ECONOMIC_PROVIDER_IDS as readonly string[]).includes(id);
  const list = isEconomic ? 'ALMANAC_ECONOMIC_PROVIDERS' : 'ALMANAC_MARKET_PROVIDERS';
  return new Fault('NOT_FOUND', `${id} is not configured.${remedy} ${list} must list it, if it is set.`);
}

export function apiKeyNotFound(id: string): Fault {
  return new Fault('NOT_FOUND', `No active API key has the id ${id}.`);
}

export function clientNotFound(id: string): Fault {
  return new Fault('NOT_FOUND', `No OAuth client has the id ${id}.`);
}

export function identityNotLinked(email: string, issuer: string): Fault {
  return new Fault('NOT_FOUND', `The account ${email} is not linked to ${issuer}.`);
}

export function proofTooLarge(file: string, maxBytes: number): Fault {
  return new Fault('TOO_LARGE', `${file} has more than ${maxBytes} bytes, so it is not a proof.`);
}

export function proofNotText(file: string): Fault {
  return new Fault('UNPROCESSABLE', `${file} is not UTF-8 text, so it is not a proof.`);
}

/** The message leaves out the address, which may contain a key. */
export function chainAddressInvalid(): Fault {
  return new Fault(
    'INVALID_REQUEST',
    '--chain: must be an https:// address, or an http:// address on this machine, without a user name or password.',
  );
}

export function contractAddressInvalid(): Fault {
  return new Fault('INVALID_REQUEST', '--contract: must be an address: 0x and 40 hexadecimal digits.');
}

export function fileUnreadable(file: string, reason: string): Fault {
  return new Fault('INVALID_REQUEST', `${file} cannot be read: ${reason}.`);
}

export function csvUnwritable(file: string, reason: string): Fault {
  return new Fault('INVALID_REQUEST', `--csv: ${file} cannot be written: ${reason}.`);
}

export function replayStopped(): Fault {
  return new Fault('UNAVAILABLE', 'The replay was stopped.');
}

export function stamperNotConfigured(): Fault {
  return new Fault(
    'CONFLICT',
    'Proofs cannot be stamped: set ALMANAC_VBASE_KEY, or ALMANAC_CHAIN_URL and the settings of its chain, for the service.',
  );
}

export function noCompletedForecast(id: string): Fault {
  return new Fault('NOT_FOUND', `No completed forecast and no event has the id ${id}.`);
}

export function chainIdInvalid(): Fault {
  return new Fault('INVALID_REQUEST', '--chain-id: must be a whole number above 0.');
}

export function webhookTargetMissing(): Fault {
  return new Fault(
    'INVALID_REQUEST',
    'target: give the id of a webhook, or the email address of the account that pays for webhooks.',
  );
}

export function webhookTargetUnused(kind: string): Fault {
  return new Fault('INVALID_REQUEST', `target: only the kind webhook has one, and not ${kind}.`);
}

export function noWebhooks(target: string): Fault {
  return new Fault('NOT_FOUND', `No webhook belongs to ${target}.`);
}
