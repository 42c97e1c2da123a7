import { type ErrorCode, Fault, type FaultDetails } from '../contract/index.ts';

/** Returns a fault that another thread threw, which arrives here as a plain copy. */
export function faultOfThread(code: ErrorCode, message: string, details: FaultDetails): Fault {
  return new Fault(code, message, details);
}

export function threadLost(): Fault {
  return new Fault('UNAVAILABLE', 'The thread that read the request ended unexpectedly. Try again.');
}

export function cursorMismatch(): Fault {
  return new Fault(
    'INVALID_REQUEST',
    'cursor: belongs to another list. Repeat the request that returned it with the same filters.',
  );
}

export function objectStorageSilent(): Fault {
  return new Fault('UNAVAILABLE', 'The object storage of the service does not respond. Try again shortly.', {
    retryAfter: 5,
  });
}

export function objectStorageRefused(): Fault {
  return new Fault(
    'UNAVAILABLE',
    'The object storage refuses the requests of the service. Its operator must check the bucket and the keys (ALMANAC_S3_…).',
    { retryAfter: 60 },
  );
}

export function objectStorageNotConfigured(): Fault {
  return new Fault(
    'UNAVAILABLE',
    'The bytes are in an object storage that the service is not configured for. Its operator must set ALMANAC_S3_ENDPOINT and the settings below it.',
    { retryAfter: 60 },
  );
}

export function storedTooLate(): Fault {
  return new Fault('UNAVAILABLE', 'Storing took too long, and nothing was stored. Try again.');
}
