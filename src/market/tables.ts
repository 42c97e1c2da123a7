/** The request budget of a provider: how many more requests may be sent to it. */
export interface ProviderBudgetTable {
  provider: string;
  /** The number of tokens at `refilled_at`. After that the bucket refills continuously. */
  tokens: number;
  refilled_at: Date;
}

export interface MarketTables {
  provider_budget: ProviderBudgetTable;
}
