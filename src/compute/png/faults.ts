import { Fault } from '../../contract/index.ts';

export function rendererBusy(): Fault {
  return new Fault('UNAVAILABLE', 'Too many images are being drawn. Try again in a few seconds.', { retryAfter: 5 });
}

export function renderFailed(cause: unknown): Fault {
  const fault = new Fault('UNAVAILABLE', 'The image could not be drawn. Use the SVG, or try again.', {
    retryAfter: 30,
  });
  fault.cause = cause;
  return fault;
}
