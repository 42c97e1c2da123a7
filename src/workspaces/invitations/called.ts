/** Names are checked where they are given; there may be older ones. */
const BREAKS = /[\p{Cc}\p{Zl}\p{Zp}\s]+/gu;
const UNSEEN = /[\p{Cf}\p{Default_Ignorable_Code_Point}]+/gu;

/** The beginning of an address, or names with dots between them: those of a host, or four numbers. */
const LIKE_A_LINK = /:\/\/|www\b|[^\s.][.。][\p{L}\p{M}\p{N}-]*\p{L}{2}|\d+\.\d+\.\d+\.\d+/iu;

/**
 * How a mail calls a workspace: by its name, quoted, on one line. A name with something like a link in it is left out:
 * whoever gets the mail has not asked for it, and a mail from us is believed.
 *
 * @example called('Rates "desk"') // the workspace "Rates 'desk'"
 */
export function called(workspace: string): string {
  // In the letters that it looks like, whatever it was written with: mail programs make links of others, too.
  const name = workspace.normalize('NFKC').replace(BREAKS, ' ').replace(UNSEEN, '').trim();
  if (name === '' || LIKE_A_LINK.test(name)) return 'a workspace';
  return `the workspace "${name.replaceAll(/["“”„«»]/g, "'")}"`;
}
