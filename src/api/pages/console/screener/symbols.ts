import { MAX_MISSING_SYMBOLS } from '../../../../contract/index.ts';
import { formatCount } from '../../format.ts';
import { type Html, html } from '../../html.ts';
import { renderNote } from '../states.ts';
import { formatList } from './filter-words.ts';

/** Renders the symbols of a filter that have no data in a session, by name. */
export function renderMissing(symbols: readonly string[]): Html | null {
  if (symbols.length === 0) return null;
  const count =
    symbols.length >= MAX_MISSING_SYMBOLS ? `At least ${symbols.length} symbols have` : hasWords(symbols.length);
  return html`<details class="note warning" open><summary>${count} no data in this session</summary>
<p>${formatList(symbols)}. Either no run has covered ${symbols.length === 1 ? 'it' : 'them'} yet, or the close did not arrive.</p></details>`;
}

function hasWords(count: number): string {
  return `${formatCount(count, 'symbol')} ${count === 1 ? 'has' : 'have'}`;
}

/** Renders the symbols of a filter that no provider lists, by name. */
export function renderUnknown(symbols: readonly string[]): Html | null {
  if (symbols.length === 0) return null;
  const isOne = symbols.length === 1;
  return renderNote(
    'warning',
    html`No provider lists ${formatList(symbols)}. Check the spelling; <a href="/search">search</a> finds the symbol of a company. ${
      isOne ? 'It matches' : 'They match'
    } as soon as a provider lists ${isOne ? 'it' : 'them'}.`,
    isOne ? 'One symbol is unknown' : `${symbols.length} symbols are unknown`,
  );
}
