/** Where a request came from, as far as it is kept: the network (never the full address) and the browser's own words. */
export interface Origin {
  /** Such as 192.0.2.0/24 or 2001:db8:1::/48. */
  readonly network: string | null;
  readonly userAgent: string | null;
}
