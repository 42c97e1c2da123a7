import type { ReceiptView } from '../../../provenance/index.ts';
import { renderFacts } from '../facts.ts';
import { formatMoment } from '../format.ts';
import { type Html, html } from '../html.ts';

const WAITING = 'This proof has not been recorded on a chain yet.';
const UNSTAMPED = 'This proof is not recorded on a chain.';

/** Renders the content id of a proof and where it was recorded. */
export function renderReceipt(contentCid: string | null, receipt: ReceiptView | null): Html {
  const stamp = receipt?.receipt ?? null;
  return html`${renderFacts('facts', [
    ['Content id', contentCid === null ? null : html`<code>${contentCid}</code>`],
    ['Recorded at', stamp === null ? null : formatMoment(new Date(stamp.timestamp))],
    ['Chain', stamp === null ? null : String(stamp.chain_id)],
    ['Transaction', stamp === null ? null : html`<code>${stamp.transaction_hash}</code>`],
  ])}${
    stamp === null &&
    html`
<p class="hint">${receipt === null || receipt.status === 'unavailable' ? UNSTAMPED : WAITING}</p>`
  }`;
}
