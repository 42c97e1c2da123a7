import { checkHost } from './checks.ts';

/** The address of a listener. */
export interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

// The functions that read or check the settings for metrics and traces throw an `Error` whose message completes "NAME
// must …".

/**
 * Reads an address such as `127.0.0.1:9464` or `[::1]:9464`. The host is required, because it decides which machines
 * can connect.
 */
export function readListenAddress(text: string): ListenAddress {
  const [, bracketed, plain, port] = /^(?:\[([^\]]+)\]|([^:[\]]+)):(\d{1,5})$/.exec(text) ?? [];
  const host = bracketed ?? plain ?? '';
  if (Number(port) <= 65_535 && isHost(host, bracketed !== undefined)) return { host, port: Number(port) };
  throw new Error('be an address with a port, such as 127.0.0.1:9464 or [::1]:9464');
}

function isHost(host: string, isBracketed: boolean): boolean {
  try {
    checkHost(host);
    return isBracketed === host.includes(':');
  } catch {
    return false;
  }
}

/** Checks the base address of a collector, to which /v1/traces is added. */
export function checkCollector(text: string): void {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isPlain = url?.username === '' && url.password === '' && url.search === '' && url.hash === '';
  if (!url || !/^https?:$/.test(url.protocol) || !isPlain) {
    throw new Error('be an http or https address such as http://127.0.0.1:4318, without a user, query or fragment');
  }
}

export function checkServiceName(text: string): void {
  if (!/^[\w .:/-]{1,100}$/.test(text)) {
    throw new Error('have at most 100 characters: letters, digits, spaces and . : / _ -');
  }
}

/** Reads a share from 0 to 1. */
export function readRatio(text: string): number {
  const value = Number(text);
  if (!/^(\d+(\.\d+)?|\.\d+)$/.test(text) || value > 1) throw new Error('be a number from 0 to 1');
  return value;
}
