/** How many requests a provider may still be sent. */
export interface ProviderBudgetTable {
  provider: string;
  /** As of `refilled_at`; more have come since. */
  tokens: number;
  refilled_at: Date;
}

export interface MarketTables {
  provider_budget: ProviderBudgetTable;
}
