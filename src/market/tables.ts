/** The number of requests that a provider may still be sent. */
export interface ProviderBudgetTable {
  provider: string;
  /** As of `refilled_at`; the bucket refills continuously after it. */
  tokens: number;
  refilled_at: Date;
}

export interface MarketTables {
  provider_budget: ProviderBudgetTable;
}
