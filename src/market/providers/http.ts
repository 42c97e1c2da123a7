/** How an adapter asks its provider. Every call is counted against the provider's budget, bounded and retried. */
export interface ProviderHttp {
  /** The JSON of a successful reply. Throws `ProviderError`. */
  getJson(url: string, headers?: Readonly<Record<string, string>>): Promise<unknown>;
}
