import type { StampContext, Stamper } from '../stamping/stamper.ts';
import type { ChainStamperOptions } from './chain-round.ts';

/** Creates a stamper for a chain. It loads the code for chains, which most installations do not need. */
export async function openChainStamper(context: StampContext, options: ChainStamperOptions): Promise<Stamper> {
  const { createChainStamper } = await import('./chain-stamper.ts');
  return createChainStamper(context, options);
}
