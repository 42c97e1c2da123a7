/** Every way in which a request to another machine can fail. */
export const OUTBOUND_FAULTS = {
  bad_address: 'The address is not a URL with http or https, or it contains a user or a password.',
  timeout: 'The reply did not arrive in time.',
  unreachable: 'The address cannot be reached.',
  truncated: 'The reply ended early.',
  too_large: 'The reply is larger than allowed.',
  malformed: 'The reply is invalid: a redirect, broken HTTP or text that is not UTF-8.',
  encoded: 'The reply is marked as compressed, which was not requested.',
  not_public: 'The address is not on the public internet, and the operator did not configure it.',
  not_https: 'The address uses http, which is accepted only if the operator configured the address.',
  aborted: 'The request was aborted.',
} as const;
export type OutboundFault = keyof typeof OUTBOUND_FAULTS;

/**
 * The failure of a request to another machine. It contains neither the address nor the reply, which may contain
 * secrets.
 */
export class OutboundError extends Error {
  override readonly name = 'OutboundError';
  readonly kind: OutboundFault;
  /** The code of the system, if there is one, such as ECONNREFUSED or CERT_HAS_EXPIRED. */
  readonly code: string | undefined;

  constructor(kind: OutboundFault, code?: string) {
    super(code === undefined ? OUTBOUND_FAULTS[kind] : `${OUTBOUND_FAULTS[kind]} (${code})`);
    this.kind = kind;
    this.code = code;
  }
}
