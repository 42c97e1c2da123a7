/** Orders of a seasonal ARIMA model, (p,d,q)(P,D,Q) with a season of `season` periods. */
export interface Orders {
  readonly p: number;
  readonly d: number;
  readonly q: number;
  readonly P: number;
  readonly D: number;
  readonly Q: number;
  readonly season: number;
  /** Whether the differenced series has a mean: the mean itself (d + D = 0) or a drift (d + D = 1). */
  readonly constant: boolean;
}

/** Parameters of the two polynomials; the mean and the variance are not among them. */
export function coefficientCount(orders: Orders): number {
  return orders.p + orders.q + orders.P + orders.Q;
}

/** Periods lost by differencing. */
export function differencedAway(orders: Orders): number {
  return orders.d + orders.D * orders.season;
}

export function sameOrders(a: Orders, b: Orders): boolean {
  return a.p === b.p && a.q === b.q && a.P === b.P && a.Q === b.Q && a.constant === b.constant;
}

/** As it is usually written: (1,1,2)(0,1,1)[12] with drift. */
export function describeOrders(orders: Orders): string {
  const seasonal = orders.P + orders.D + orders.Q > 0 ? `(${orders.P},${orders.D},${orders.Q})[${orders.season}]` : '';
  const mean = orders.constant ? (orders.d + orders.D > 0 ? ' with drift' : ' with mean') : '';
  return `(${orders.p},${orders.d},${orders.q})${seasonal}${mean}`;
}
