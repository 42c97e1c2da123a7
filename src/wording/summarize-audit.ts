import type { Audit } from './audit.ts';

/** Returns an audit in two sentences: how the forecast did, and what speaks against it. */
export function summarizeAudit({ headline, details, warnings }: Audit): string[] {
  const [first, ...others] = headline === null ? details : [headline, ...details];
  const titles = warnings.map(({ title }, i) => (i === 0 ? title : title.charAt(0).toLowerCase() + title.slice(1)));
  const second =
    titles.length > 0 ? `Be careful: ${titles.join('; ')}.` : (others.at(-1) ?? 'Nothing speaks against it.');
  return [first ?? '', second].filter((sentence) => sentence !== '');
}
